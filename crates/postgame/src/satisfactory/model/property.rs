//! Properties: a name, a type, a value, and whatever else a tag can say.

use serde::{Deserialize, Serialize};

use super::basic::Id16;
use super::scope::Scope;
use super::strings::Str;
use super::types::{Kind, Type};
use super::value::{Around, Value};
use crate::error::{Error, Result};
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
    /// The first property of a name.
    pub fn find(&self, name: &str) -> Option<&Property> {
        self.0.iter().find(|property| property.name.is(name))
    }

    /// The first property of a name, to be changed.
    pub fn find_mut(&mut self, name: &str) -> Option<&mut Property> {
        self.0.iter_mut().find(|property| property.name.is(name))
    }

    /// The value of the first property of a name.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.find(name).map(|property| &property.value)
    }

    /// `owner` is the class or structure the properties are of: old files leave types out that only it tells.
    pub(super) fn read(reader: &mut ByteReader<'_>, scope: &Scope, owner: &Str) -> Result<Self> {
        let start = scope.unfinished.borrow().len();
        let result = Self::read_all(reader, scope, owner);
        let read = scope.unfinished.borrow_mut().drain(start..).collect();
        result.map(|()| Self(read))
    }

    /// Reads the properties onto the pile of unfinished lists.
    fn read_all(reader: &mut ByteReader<'_>, scope: &Scope, owner: &Str) -> Result<()> {
        loop {
            let name = Str::skip(reader)?;
            if name == END {
                return Ok(());
            }
            let name = scope.intern(name);
            match Property::read(reader, scope, owner, name.clone()) {
                Ok(property) => scope.unfinished.borrow_mut().push(property),
                Err(error) => return Err(error.in_named(name.to_str())),
            }
        }
    }

    pub(super) fn write(&self, writer: &mut ByteWriter, scope: &Scope) -> Result<()> {
        for property in &self.0 {
            property
                .write(writer, scope)
                .map_err(|error| error.in_named(property.name.to_str()))?;
        }
        writer.bytes(END);
        Ok(())
    }
}

/// A property.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Property {
    /// Its name.
    pub name: Str,
    /// Its type.
    #[serde(rename = "type")]
    pub ty: Type,
    /// Which element of a fixed-size array it is.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub index: i32,
    /// What the new form of tag says about it (see [`flag`]); 0 in the old form. Flags that follow from other fields
    /// are set when writing.
    #[serde(default, skip_serializing_if = "is_no_flag")]
    pub flags: u8,
    /// Its value.
    pub value: Value,
    /// Rare things.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extra: Option<Box<Extra>>,
}

fn is_zero(index: &i32) -> bool {
    *index == 0
}

fn is_no_flag(flags: &u8) -> bool {
    *flags == 0
}

/// What only few properties have.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Extra {
    /// The id of the structure's type, for structures that were made in the editor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub struct_id: Option<Id16>,
    /// An id of the property itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Id16>,
    /// Extensions of the new form of tag: flags, and what they announce.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extensions: Option<Bytes>,
    /// What follows the value within the property's size.
    #[serde(skip_serializing_if = "Bytes::is_empty")]
    pub tail: Bytes,
}

/// The flags of the new form of tag.
pub mod flag {
    /// An index follows.
    pub const INDEX: u8 = 0x01;
    /// An id follows.
    pub const ID: u8 = 0x02;
    /// Extensions follow.
    pub const EXTENSIONS: u8 = 0x04;
    /// The value is in a form of its own, not a list of properties.
    pub const NATIVE: u8 = 0x08;
    /// The value of a boolean.
    pub const TRUE: u8 = 0x10;
}

impl Property {
    /// A property with a value, in the form of the newest files where that asks for flags.
    pub fn new(name: &str, ty: Type, value: Value) -> Self {
        Self {
            name: name.into(),
            ty,
            index: 0,
            flags: 0,
            value,
            extra: None,
        }
    }

    fn read(reader: &mut ByteReader<'_>, scope: &Scope, owner: &Str, name: Str) -> Result<Self> {
        let mut extra = Extra::default();
        let (ty, size, index, flags, bool_value);
        if scope.versions().has_type_trees() {
            ty = Type::read(reader, scope)?;
            size = reader.i32()?;
            flags = reader.u8()?;
            index = if flags & flag::INDEX != 0 {
                reader.i32()?
            } else {
                0
            };
            if flags & flag::ID != 0 {
                extra.id = Some(Id16(reader.array()?));
            }
            if flags & flag::EXTENSIONS != 0 {
                // Of the extensions one has contents: an operation and a boolean.
                let length = if reader
                    .rest()
                    .first()
                    .is_some_and(|extensions| extensions & 2 != 0)
                {
                    6
                } else {
                    1
                };
                extra.extensions = Some(reader.bytes(length)?.into());
            }
            bool_value = u8::from(flags & flag::TRUE != 0);
        } else {
            let type_name = Str::read(reader, scope)?;
            size = reader.i32()?;
            index = reader.i32()?;
            flags = 0;
            let mut flag_byte = 0;
            ty = read_old_type(
                reader,
                scope,
                &type_name,
                &mut flag_byte,
                &mut extra.struct_id,
            )?;
            bool_value = flag_byte;
            extra.id = read_old_id(reader)?;
        }
        let size = usize::try_from(size)
            .map_err(|_| reader.invalid(format!("a size of {size} is negative")))?;
        let data = reader.sub(size)?;
        let mut inner = data.clone();
        let around = Around {
            scope,
            owner,
            name: &name,
            flags: scope.versions().has_type_trees().then_some(flags),
        };
        let value = if ty.kind() == Kind::Bool {
            Value::Bool(bool_value)
        } else {
            // What cannot be read is kept as it is: one unknown structure must not spoil the rest.
            match scope.deeper(|| Value::read(&mut inner, &ty, &around)) {
                Ok(value) => value,
                Err(_) => {
                    inner.seek(usize::MAX);
                    Value::Raw(Box::new(data.rest().into()))
                }
            }
        };
        extra.tail = inner.rest().into();
        let extra = (extra != Extra::default()).then(|| Box::new(extra));
        Ok(Self {
            name,
            ty,
            index,
            flags,
            value,
            extra,
        })
    }

    fn write(&self, writer: &mut ByteWriter, scope: &Scope) -> Result<()> {
        let Self {
            name,
            ty,
            index,
            flags,
            value,
            extra,
        } = self;
        let extra = extra.as_deref();
        let id = extra.and_then(|extra| extra.id);
        name.write(writer, scope)?;
        let size_at;
        if scope.versions().has_type_trees() {
            ty.write(writer)?;
            size_at = writer.position();
            writer.i32(0);
            let extensions = extra.and_then(|extra| extra.extensions.as_ref());
            let mut flags = flags & !flag::TRUE;
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

/// What the old form of tag says about a type, after size and index.
pub(super) fn read_old_type(
    reader: &mut ByteReader<'_>,
    scope: &Scope,
    name: &Str,
    bool_value: &mut u8,
    struct_id: &mut Option<Id16>,
) -> Result<Type> {
    let plain = scope.plain_type(name, None, None);
    Ok(match plain.kind() {
        Kind::Struct => {
            let struct_name = Str::read(reader, scope)?;
            let id: [u8; 16] = reader.array()?;
            *struct_id = (id != [0; 16]).then_some(Id16(id));
            scope.plain_type(name, Some(&struct_name), None)
        }
        Kind::Bool => {
            *bool_value = reader.u8()?;
            plain
        }
        Kind::Byte | Kind::Array | Kind::Set => {
            let inner = Str::read(reader, scope)?;
            scope.plain_type(name, Some(&inner), None)
        }
        Kind::Str if name.is("EnumProperty") => {
            let inner = Str::read(reader, scope)?;
            scope.plain_type(name, Some(&inner), None)
        }
        Kind::Map => {
            let (key, value) = (Str::read(reader, scope)?, Str::read(reader, scope)?);
            scope.plain_type(name, Some(&key), Some(&value))
        }
        _ => plain,
    })
}

pub(super) fn write_old_type(
    writer: &mut ByteWriter,
    ty: &Type,
    value: &Value,
    id: Option<Id16>,
) -> Result<()> {
    match ty.kind() {
        Kind::Struct => {
            writer.bytes(ty.part_name(0)?.encoded());
            writer.bytes(&id.unwrap_or_default().0);
        }
        Kind::Bool => writer.u8(match value {
            Value::Bool(value) => *value,
            _ => return Err(Error::unwritable("a boolean property has another value")),
        }),
        Kind::Byte | Kind::Array | Kind::Set => writer.bytes(ty.part_name(0)?.encoded()),
        Kind::Str if ty.name().is("EnumProperty") => writer.bytes(ty.part_name(0)?.encoded()),
        Kind::Map => {
            writer.bytes(ty.part_name(0)?.encoded());
            writer.bytes(ty.part_name(1)?.encoded());
        }
        _ => {}
    }
    Ok(())
}

pub(super) fn read_old_id(reader: &mut ByteReader<'_>) -> Result<Option<Id16>> {
    match reader.u8()? {
        0 => Ok(None),
        1 => Ok(Some(Id16(reader.array()?))),
        other => Err(reader.invalid(format!("a property's id is announced by {other}"))),
    }
}

pub(super) fn write_old_id(writer: &mut ByteWriter, id: Option<Id16>) {
    writer.u8(u8::from(id.is_some()));
    if let Some(Id16(id)) = id {
        writer.bytes(&id);
    }
}
