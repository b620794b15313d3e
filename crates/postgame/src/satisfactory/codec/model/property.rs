//! Properties: a name, a type, a value, and the other fields of a tag.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::basic::Id16;
use super::habits::Spot;
use super::scope::Scope;
use super::strings::Str;
use super::tag::{Tag, write_old_id, write_old_type};
use super::types::{Kind, Type};
use super::value::{Around, Value};
use crate::error::{Error, Result};
use crate::limits::Charge as _;
use crate::wire::bytes::{ByteReader, ByteWriter};
use crate::wire::json::{Bytes, json_by_serde};
use crate::wire::record::Wire as _;

/// A list of properties, which ends with the name `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Properties(pub Vec<Property>);

json_by_serde!(Properties);

/// `None` as stored.
const END: &[u8] = b"\x05\0\0\0None\0";

impl Properties {
    /// The first property of this name.
    pub fn find(&self, name: &str) -> Option<&Property> {
        self.0.iter().find(|property| property.name().is(name))
    }

    /// The first property of this name, mutable.
    pub fn find_mut(&mut self, name: &str) -> Option<&mut Property> {
        self.0.iter_mut().find(|property| property.name().is(name))
    }

    /// The value of the first property of this name.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.find(name).map(|property| &property.value)
    }

    /// `owner` is the class or structure the properties belong to: it decides types that old files do not state. The
    /// first tag is at `first`.
    pub(super) fn read(
        reader: &mut ByteReader<'_>,
        scope: &Scope,
        owner: &Str,
        first: Spot,
    ) -> Result<Self> {
        // An object usually has as many properties as the last one of its class.
        let mut read = Vec::with_capacity(scope.habits.borrow().usual_count(first));
        let mut spot = first;
        while !reader.rest().starts_with(END) {
            let tag = Tag::read(reader, scope, spot)?;
            spot = tag.after;
            let charged = scope.charge(size_of::<Property>());
            charged.map_err(|error| error.at(reader.place()))?;
            read.push(Property::read(reader, scope, owner, tag)?);
        }
        reader.bytes(END.len())?;
        if read.len() != read.capacity() {
            scope.habits.borrow_mut().learn_count(first, read.len());
            read.shrink_to_fit();
        }
        Ok(Self(read))
    }

    pub(super) fn write(&self, writer: &mut ByteWriter, scope: &Scope) -> Result<()> {
        for property in &self.0 {
            property
                .write(writer, scope)
                .map_err(|error| error.in_named(property.name().to_str()))?;
        }
        writer.bytes(END);
        Ok(())
    }
}

/// A property.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    label: Arc<Label>,
    /// Its index in an array of fixed size.
    pub index: i32,
    /// The flags of the new tag layout (see [`flag`]); 0 in the old layout. Flags that follow from other fields are set
    /// when writing.
    pub flags: u8,
    /// Its value.
    pub value: Value,
    /// Rare fields.
    pub extra: Option<Box<Extra>>,
}

/// A property's name and type. A save has some hundreds of them for a million properties, which share them.
#[derive(Debug, PartialEq)]
pub(super) struct Label {
    pub name: Str,
    pub ty: Type,
}

/// The JSON form of a property.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PropertyJson<N, T, V, E> {
    name: N,
    #[serde(rename = "type")]
    ty: T,
    #[serde(default, skip_serializing_if = "is_zero")]
    index: i32,
    #[serde(default, skip_serializing_if = "is_no_flag")]
    flags: u8,
    value: V,
    #[serde(default = "Option::default", skip_serializing_if = "Option::is_none")]
    extra: Option<E>,
}

impl Serialize for Property {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self {
            label,
            index,
            flags,
            value,
            extra,
        } = self;
        let json = PropertyJson {
            name: &label.name,
            ty: &label.ty,
            index: *index,
            flags: *flags,
            value,
            extra: extra.as_ref(),
        };
        json.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Property {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = PropertyJson::<Str, Type, Value, Box<Extra>>::deserialize(deserializer)?;
        let PropertyJson {
            name,
            ty,
            index,
            flags,
            value,
            extra,
        } = json;
        Ok(Self {
            label: Arc::new(Label { name, ty }),
            index,
            flags,
            value,
            extra,
        })
    }
}

fn is_zero(index: &i32) -> bool {
    *index == 0
}

fn is_no_flag(flags: &u8) -> bool {
    *flags == 0
}

/// Fields that only few properties have.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Extra {
    /// The id of the structure's type, for structures that were created in the editor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub struct_id: Option<Id16>,
    /// An id of the property itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Id16>,
    /// Extensions of the new tag layout: flags, and the fields they announce.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extensions: Option<Bytes>,
    /// The bytes after the value, within the property's size.
    #[serde(skip_serializing_if = "Bytes::is_empty")]
    pub tail: Bytes,
}

/// The flags of the new tag layout.
pub mod flag {
    /// An index follows.
    pub const INDEX: u8 = 0x01;
    /// An id follows.
    pub const ID: u8 = 0x02;
    /// Extensions follow.
    pub const EXTENSIONS: u8 = 0x04;
    /// The value has its own binary layout instead of a list of properties.
    pub const NATIVE: u8 = 0x08;
    /// The value of a boolean.
    pub const TRUE: u8 = 0x10;
}

impl Property {
    /// A property with a value, in the layout of the newest files as far as that needs flags.
    pub fn new(name: &str, ty: Type, value: Value) -> Self {
        let name = name.into();
        Self {
            label: Arc::new(Label { name, ty }),
            index: 0,
            flags: 0,
            value,
            extra: None,
        }
    }

    /// Its name.
    #[inline]
    pub fn name(&self) -> &Str {
        &self.label.name
    }

    /// Its type.
    #[inline]
    pub fn ty(&self) -> &Type {
        &self.label.ty
    }

    /// Reads the part after the tag.
    #[inline(always)]
    fn read(reader: &mut ByteReader<'_>, scope: &Scope, owner: &Str, tag: Tag) -> Result<Self> {
        let Tag {
            label,
            size,
            index,
            flags,
            bool_value,
            mut extra,
            after: _,
            inside,
        } = tag;
        let data = match usize::try_from(size) {
            Ok(length) => reader.sub(length),
            Err(_) => Err(reader.invalid(format!("a size of {size} is negative"))),
        };
        let mut inner = data.map_err(|error| error.in_named(label.name.to_str()))?;
        // A boolean's value is in the tag; in the new layout it is one of the flags.
        if label.ty.kind() == Kind::Bool {
            let rest = inner.rest();
            if !rest.is_empty() {
                extra.get_or_insert_default().tail = rest.into();
            }
            return Ok(Self {
                label,
                index,
                flags: flags & !flag::TRUE,
                value: Value::Bool(bool_value),
                extra,
            });
        }
        if let Some(value) = Value::read_plain(inner.rest(), label.ty.kind(), scope) {
            return Ok(Self {
                label,
                index,
                flags,
                value,
                extra,
            });
        }
        let around = Around {
            scope,
            owner,
            name: &label.name,
            flags: scope.versions().has_type_trees().then_some(flags),
            inside,
        };
        // An unreadable value is kept as bytes: one unknown structure must not spoil the rest.
        let value = match scope.deeper(|| Value::read(&mut inner, &label.ty, &around)) {
            Ok(value) => {
                if !inner.is_empty() {
                    extra.get_or_insert_default().tail = inner.rest().into();
                }
                value
            }
            Err(_) => {
                inner.seek(0);
                Value::Raw(Box::new(inner.rest().into()))
            }
        };
        Ok(Self {
            label,
            index,
            flags,
            value,
            extra,
        })
    }

    fn write(&self, writer: &mut ByteWriter, scope: &Scope) -> Result<()> {
        let Self {
            label,
            index,
            flags,
            value,
            extra,
        } = self;
        let Label { name, ty } = &**label;
        let extra = extra.as_deref();
        let id = extra.and_then(|extra| extra.id);
        name.write(writer, scope)?;
        let size_at;
        if scope.versions().has_type_trees() {
            ty.write(writer)?;
            size_at = writer.position();
            writer.i32(0);
            let extensions = extra.and_then(|extra| extra.extensions.as_ref());
            let mut flags = *flags;
            if matches!(value, Value::Bool(_)) {
                flags &= !flag::TRUE;
            }
            for (bit, is_set) in [
                (flag::INDEX, *index != 0),
                (flag::ID, id.is_some()),
                (flag::EXTENSIONS, extensions.is_some()),
                (flag::TRUE, matches!(value, Value::Bool(1..))),
            ] {
                if is_set {
                    flags |= bit;
                }
            }
            writer.u8(flags);
            if flags & flag::INDEX != 0 {
                writer.i32(*index);
            }
            if let Some(Id16(id)) = id {
                writer.bytes(&id);
            }
            if let Some(extensions) = extensions {
                writer.bytes(&extensions.0);
            }
        } else {
            ty.name().write(writer, scope)?;
            size_at = writer.position();
            writer.i32(0);
            writer.i32(*index);
            write_old_type(writer, ty, value, extra.and_then(|extra| extra.struct_id))?;
            write_old_id(writer, id);
        }
        let start = writer.position();
        if !matches!(value, Value::Bool(_)) {
            value.write(writer, ty, scope)?;
        }
        if let Some(extra) = extra {
            writer.bytes(&extra.tail.0);
        }
        let size = i32::try_from(writer.position() - start)
            .map_err(|_| Error::unwritable("a value is too large for its size"))?;
        writer.patch(size_at, &size.to_le_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::basic::{Reals, Ref};
    use super::super::scope::Versions;
    use super::super::structs::Struct;
    use super::super::text::Text;
    use super::super::value::{InnerTag, List, Map};
    use super::*;

    fn ty(name: &str, parts: Vec<Type>) -> Type {
        Type::new(name.into(), parts)
    }

    fn plain(name: &str) -> Type {
        ty(name, Vec::new())
    }

    /// One property of every kind, in the layout of these versions.
    fn all(versions: Versions) -> Properties {
        let is_new = versions.has_type_trees();
        let vector = if versions.has_doubles() {
            Reals::F64([1.0, -2.0, f64::NAN])
        } else {
            Reals::F32([1.0, -2.0, 3.0])
        };
        let vector = Value::Struct(Struct::Real3(vector));
        let vector_type = ty("StructProperty", vec![plain("Vector")]);
        let nested = Properties(vec![Property::new(
            "Inner",
            plain("IntProperty"),
            Value::Int(7),
        )]);
        let nested = Value::Struct(Struct::Properties(nested));
        let nested_type = ty("StructProperty", vec![plain("SomeStruct")]);
        let element = |element: &Type| {
            if is_new {
                element.clone()
            } else {
                plain("StructProperty")
            }
        };
        let tag = (!is_new).then(|| {
            Arc::new(InnerTag {
                name: "list".into(),
                ty: nested_type.clone(),
                index: 0,
                struct_id: Some(Id16([9; 16])),
                id: None,
                stated_size: None,
            })
        });
        let list = |items| {
            Value::List(Box::new(List {
                tag: None,
                removed: Vec::new(),
                items,
            }))
        };
        let mut properties = vec![
            Property::new("bool", plain("BoolProperty"), Value::Bool(1)),
            Property::new(
                "byte",
                if is_new {
                    plain("ByteProperty")
                } else {
                    ty("ByteProperty", vec![plain("None")])
                },
                Value::Byte(200),
            ),
            Property::new(
                "named",
                ty("ByteProperty", vec![plain("EColor")]),
                Value::Str("Red".into()),
            ),
            Property::new(
                "enum",
                ty("EnumProperty", vec![plain("EColor")]),
                Value::Str("EColor::Red".into()),
            ),
            Property::new("int8", plain("Int8Property"), Value::Int8(-1)),
            Property::new("u32", plain("UInt32Property"), Value::UInt32(u32::MAX)),
            Property::new("i64", plain("Int64Property"), Value::Int64(i64::MIN)),
            Property::new("u64", plain("UInt64Property"), Value::UInt64(u64::MAX)),
            Property::new(
                "float",
                plain("FloatProperty"),
                Value::Float(f32::NEG_INFINITY),
            ),
            Property::new("double", plain("DoubleProperty"), Value::Double(0.1)),
            Property::new(
                "text",
                plain("TextProperty"),
                Value::Text(Box::new(Text::from("Grüße"))),
            ),
            Property::new(
                "object",
                plain("ObjectProperty"),
                Value::Object(Ref::new("L", "p")),
            ),
            Property::new(
                "soft",
                plain("SoftObjectProperty"),
                Value::SoftObject(Box::default()),
            ),
            Property::new("vector", vector_type.clone(), vector.clone()),
            Property::new("nested", nested_type.clone(), nested.clone()),
            Property::new(
                "bytes",
                ty("ArrayProperty", vec![plain("ByteProperty")]),
                Value::Bytes([1, 2][..].into()),
            ),
            Property::new(
                "ints",
                ty("ArrayProperty", vec![plain("IntProperty")]),
                list(vec![Value::Int(1), Value::Int(2)]),
            ),
            Property::new(
                "names",
                ty("SetProperty", vec![plain("NameProperty")]),
                list(vec![Value::Str("a".into())]),
            ),
            Property::new(
                "list",
                ty("ArrayProperty", vec![element(&nested_type)]),
                Value::List(Box::new(List {
                    tag,
                    removed: Vec::new(),
                    items: vec![nested.clone(), nested.clone()],
                })),
            ),
            Property::new(
                "map",
                ty(
                    "MapProperty",
                    vec![plain("IntProperty"), element(&nested_type)],
                ),
                Value::Map(Box::new(Map {
                    removed: vec![Value::Int(3)],
                    pairs: vec![(Value::Int(1), nested)],
                })),
            ),
            Property::new(
                "mod",
                plain("SomeModProperty"),
                Value::Raw(Box::new(Bytes(vec![1, 2, 3]))),
            ),
        ];
        if is_new {
            // Only the tag states that this is not a list of properties.
            let mut native = Property::new(
                "native",
                ty("StructProperty", vec![plain("NobodyKnows")]),
                Value::Struct(Struct::Raw(Bytes(vec![5; 9]))),
            );
            native.flags = flag::NATIVE;
            properties.push(native);
        }
        for property in &mut properties {
            if property.name().is("vector") && is_new {
                property.flags = flag::NATIVE;
            }
        }
        let mut indexed = Property::new("int", plain("IntProperty"), Value::Int(-5));
        indexed.index = 3;
        if is_new {
            indexed.flags = flag::INDEX;
        }
        properties.push(indexed);
        Properties(properties)
    }

    const ERAS: [Versions; 3] = [
        Versions {
            save: 25,
            unreal: 1000,
        },
        Versions {
            save: 52,
            unreal: 1000,
        },
        Versions {
            save: 58,
            unreal: 1017,
        },
    ];

    fn there_and_back(properties: &Properties, versions: Versions) -> Properties {
        let scope = Scope::new(versions);
        let mut writer = ByteWriter::new();
        properties.write(&mut writer, &scope).unwrap();
        let data = writer.into_bytes();
        let mut reader = ByteReader::new(&data);
        let read = Properties::read(&mut reader, &scope, &"Owner".into(), Spot::UNKNOWN).unwrap();
        assert!(reader.is_empty());
        let mut writer = ByteWriter::new();
        read.write(&mut writer, &scope).unwrap();
        assert_eq!(writer.as_bytes(), data, "{versions:?}");
        read
    }

    #[test]
    fn every_kind_of_property_comes_back_in_both_forms_of_tag() {
        for versions in ERAS {
            let properties = all(versions);
            let read = there_and_back(&properties, versions);
            for (one, other) in read.0.iter().zip(&properties.0) {
                // A NaN is not equal to itself, but its bytes are.
                assert_eq!(format!("{one:?}"), format!("{other:?}"), "{versions:?}");
            }
            assert_eq!(read.0.len(), properties.0.len());
            let json = serde_json::to_string(&properties).unwrap();
            let back: Properties = serde_json::from_str(&json).unwrap();
            there_and_back(&back, versions);
            assert_eq!(format!("{back:?}"), format!("{properties:?}"));
        }
    }

    /// A migrated save has levels of both layouts, and objects of one class in both.
    #[test]
    fn a_tag_of_one_form_is_not_taken_for_one_of_the_other() {
        let scope = Scope::default();
        let (owner, class) = scope.class(Str::from("Owner").encoded());
        for versions in [ERAS, ERAS].as_flattened() {
            scope.enter(*versions);
            let properties = all(*versions);
            let mut writer = ByteWriter::new();
            properties.write(&mut writer, &scope).unwrap();
            let mut reader = ByteReader::new(writer.as_bytes());
            let read = Properties::read(&mut reader, &scope, &owner, class.first).unwrap();
            assert!(reader.is_empty());
            assert_eq!(format!("{read:?}"), format!("{properties:?}"));
        }
    }

    #[test]
    fn a_structure_nobody_knows_spoils_nothing() {
        // A structure of the old layout whose contents are not properties, and bytes after it.
        let unknown = Value::Raw(Box::new(Bytes(vec![0xee; 13])));
        let properties = Properties(vec![
            Property::new(
                "mod",
                ty("StructProperty", vec![plain("ModStruct")]),
                unknown,
            ),
            Property::new("after", plain("IntProperty"), Value::Int(1)),
        ]);
        for versions in ERAS {
            assert_eq!(
                there_and_back(&properties, versions),
                properties,
                "{versions:?}"
            );
        }
    }

    #[test]
    fn what_follows_a_value_within_its_size_is_kept() {
        let mut item = Property::new("count", plain("IntProperty"), Value::Int(1));
        item.extra = Some(Box::new(Extra {
            tail: Bytes(vec![0; 4]),
            ..Extra::default()
        }));
        let properties = Properties(vec![item]);
        for versions in ERAS {
            assert_eq!(there_and_back(&properties, versions), properties);
        }
    }

    #[test]
    fn nesting_has_an_end() {
        // Nested structures: each level is just another tag.
        let scope = Scope::new(ERAS[1]);
        let mut value = Properties::default();
        for _ in 0..300 {
            value = Properties(vec![Property::new(
                "s",
                ty("StructProperty", vec![plain("S")]),
                Value::Struct(Struct::Properties(value)),
            )]);
        }
        let mut writer = ByteWriter::new();
        value.write(&mut writer, &scope).unwrap();
        let data = writer.into_bytes();
        let read = Properties::read(
            &mut ByteReader::new(&data),
            &scope,
            &"Owner".into(),
            Spot::UNKNOWN,
        )
        .unwrap();
        let mut again = ByteWriter::new();
        read.write(&mut again, &scope).unwrap();
        assert_eq!(again.as_bytes(), data, "what is too deep is kept raw");
    }
}
