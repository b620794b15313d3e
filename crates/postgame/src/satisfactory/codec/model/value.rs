//! The values of properties.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::basic::{Id16, Ref, SoftPath};
use super::property::{Extra, flag};
use super::stored::Stored;
use super::strings::Str;
use super::structs::Struct;
use super::text::Text;
use super::types::{Kind, Type};
use crate::error::{Context as _, Error, Result};
use crate::limits::Charge as _;
use crate::satisfactory::codec::decode::habits::Spot;
use crate::satisfactory::codec::decode::scope::Scope;
use crate::satisfactory::codec::decode::tag::{Tag, write_old_id, write_old_type};
use crate::satisfactory::tables;
use crate::wire::bytes::{ByteReader, ByteWriter};
use crate::wire::json::Bytes;
use crate::wire::record::Wire as _;

/// A property's value, or an element of one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// A boolean, 0 or 1.
    Bool(u8),
    /// A byte.
    Byte(u8),
    /// A whole number.
    Int8(i8),
    /// A whole number.
    Int16(i16),
    /// A whole number.
    UInt16(u16),
    /// A whole number.
    Int(i32),
    /// A whole number.
    UInt32(u32),
    /// A whole number.
    Int64(i64),
    /// A whole number.
    UInt64(u64),
    /// A number.
    Float(#[serde(with = "crate::wire::json")] f32),
    /// A number.
    Double(#[serde(with = "crate::wire::json")] f64),
    /// A string, a name, or a value of an enumeration.
    Str(Str),
    /// A reference.
    Object(Ref),
    /// A path.
    SoftObject(Box<SoftPath>),
    /// A localised text.
    Text(Box<Text>),
    /// A structure.
    Struct(Struct),
    /// A list of single bytes.
    Bytes(Stored),
    /// A list.
    List(Box<List>),
    /// A map.
    Map(Box<Map>),
    /// Bytes in an unknown layout.
    Raw(Box<Bytes>),
}

/// An array or a set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct List {
    /// The tag before the structures of an array, in old files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<Arc<InnerTag>>,
    /// Elements removed from the set's default contents; none in any file seen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<Value>,
    /// The elements.
    pub items: Vec<Value>,
}

/// A map.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Map {
    /// Keys removed from the map's default contents; none in any file seen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<Value>,
    /// The pairs, in file order.
    pub pairs: Vec<(Value, Value)>,
}

/// The tag before the structures of an array.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InnerTag {
    /// The array's name, repeated.
    pub name: Str,
    /// The structures' type.
    #[serde(rename = "type")]
    pub ty: Type,
    /// Always 0.
    #[serde(default)]
    pub index: i32,
    /// The id of the structures' type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub struct_id: Option<Id16>,
    /// An id of the property.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Id16>,
    /// The stated size of all structures, if it is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated_size: Option<i32>,
}

/// The context of a value that is being read.
#[derive(Clone, Copy)]
pub(in crate::satisfactory::codec) struct Around<'a> {
    pub scope: &'a Scope,
    /// The class or structure the property belongs to.
    pub owner: &'a Str,
    /// The property's name.
    pub name: &'a Str,
    /// The new tag's flags; `None` for an old tag.
    pub flags: Option<u8>,
    /// The position of the first tag in it.
    pub inside: Spot,
}

impl Around<'_> {
    /// Whether a structure has its own binary layout, if the tag states it.
    fn is_native(&self) -> Option<bool> {
        self.flags.map(|flags| flags & flag::NATIVE != 0)
    }
}

impl Value {
    /// Reads a property's value; `reader` holds exactly that value.
    pub(in crate::satisfactory::codec) fn read(
        reader: &mut ByteReader<'_>,
        ty: &Type,
        around: &Around<'_>,
    ) -> Result<Self> {
        let scope = around.scope;
        Ok(match ty.kind() {
            Kind::Byte if ty.parameter().is_some_and(|name| !name.name().is("None")) => {
                Self::Str(Str::read(reader, scope)?)
            }
            Kind::Byte => Self::Byte(reader.u8()?),
            Kind::Struct => {
                let name = ty
                    .parameter()
                    .ok_or_else(|| reader.invalid("a structure has no name"))?;
                let is_native = around.is_native();
                Self::Struct(Struct::read(reader, name, is_native, scope, around.inside)?)
            }
            Kind::Array => Self::read_array(reader, ty, around)?,
            Kind::Set => Self::read_set(reader, ty, around)?,
            Kind::Map => Self::read_map(reader, ty, around)?,
            Kind::Other => return Err(reader.invalid("a property of an unknown type")),
            _ => Self::read_element(reader, ty, None, None, scope, around.inside)?,
        })
    }

    /// The value that consists of exactly these bytes, if it is of one of the common plain types.
    #[inline(always)]
    pub(in crate::satisfactory::codec) fn read_plain(
        data: &[u8],
        kind: Kind,
        scope: &Scope,
    ) -> Option<Self> {
        match kind {
            Kind::Int => Some(Self::Int(i32::from_le_bytes(data.try_into().ok()?))),
            Kind::Float => Some(Self::Float(f32::from_le_bytes(data.try_into().ok()?))),
            Kind::Object => Ref::whole(data, scope).map(Self::Object),
            Kind::Str => Str::whole(data, scope).map(Self::Str),
            _ => None,
        }
    }

    /// Reads one element of a list or map. A structure needs its name, which is part of the type only in new files.
    fn read_element(
        reader: &mut ByteReader<'_>,
        ty: &Type,
        struct_name: Option<&Type>,
        is_native: Option<bool>,
        scope: &Scope,
        inside: Spot,
    ) -> Result<Self> {
        let charged = scope.charge(size_of::<Self>());
        charged.map_err(|error| error.at(reader.place()))?;
        Ok(match ty.kind() {
            Kind::Bool => Self::Bool(reader.u8()?),
            Kind::Byte if ty.parameter().is_some() => Self::Str(Str::read(reader, scope)?),
            Kind::Byte => Self::Byte(reader.u8()?),
            Kind::Int8 => Self::Int8(reader.i8()?),
            Kind::Int16 => Self::Int16(reader.i16()?),
            Kind::UInt16 => Self::UInt16(reader.u16()?),
            Kind::Int => Self::Int(reader.i32()?),
            Kind::UInt32 => Self::UInt32(reader.u32()?),
            Kind::Int64 => Self::Int64(reader.i64()?),
            Kind::UInt64 => Self::UInt64(reader.u64()?),
            Kind::Float => Self::Float(reader.f32()?),
            Kind::Double => Self::Double(reader.f64()?),
            Kind::Str => Self::Str(Str::read(reader, scope)?),
            Kind::Object => Self::Object(Ref::read(reader, scope)?),
            Kind::SoftObject => Self::SoftObject(Box::new(SoftPath::read(reader, scope)?)),
            Kind::Text => Self::Text(Box::new(Text::read(reader, scope)?)),
            Kind::Struct => {
                let name = struct_name.or(ty.parameter());
                let name =
                    name.ok_or_else(|| reader.invalid("a structure whose name nobody knows"))?;
                let value =
                    scope.deeper(|| Struct::read(reader, name, is_native, scope, inside))?;
                if matches!(value, Struct::Raw(_)) {
                    return Err(reader.invalid("a list of structures nobody knows"));
                }
                Self::Struct(value)
            }
            Kind::Array | Kind::Set | Kind::Map | Kind::Other => {
                return Err(reader.invalid(format!("a list of {ty:?}")));
            }
        })
    }

    fn read_array(reader: &mut ByteReader<'_>, ty: &Type, around: &Around<'_>) -> Result<Self> {
        let scope = around.scope;
        let element = ty
            .parameter()
            .ok_or_else(|| reader.invalid("an array of no type"))?;
        let count = reader.count("an array", 1)?;
        if matches!(element.kind(), Kind::Bool | Kind::Byte | Kind::Int8) && reader.left() == count
        {
            return Ok(Self::Bytes(scope.bytes(reader.bytes(count)?)));
        }
        let mut list = List::default();
        let mut struct_name = None;
        let mut tag_end = None;
        let mut inside = around.inside;
        if element.kind() == Kind::Struct && around.flags.is_none() {
            let (tag, size);
            (tag, size, inside) = InnerTag::read(reader, scope, inside)?;
            let tag = scope.habits.borrow_mut().inner_tag(inside, tag);
            struct_name = tag.ty.parameter().cloned();
            tag_end = Some((reader.position(), size));
            list.tag = Some(tag);
        }
        // Most lists are short, so none is allocated with spare capacity.
        list.items = Vec::with_capacity(count.min(reader.left()).min(1 << 12));
        for index in 0..count {
            let item = if element.kind() == Kind::Byte {
                scope.charge(size_of::<Self>())?;
                Self::Str(Str::read(reader, scope)?)
            } else {
                Self::read_element(
                    reader,
                    element,
                    struct_name.as_ref(),
                    around.is_native(),
                    scope,
                    inside,
                )
                .index(index)?
            };
            list.items.push(item);
        }
        if let (Some(tag), Some((start, size))) = (&mut list.tag, tag_end)
            && usize::try_from(size) != Ok(reader.position() - start)
        {
            Arc::make_mut(tag).stated_size = Some(size);
        }
        Ok(Self::List(Box::new(list)))
    }

    fn read_set(reader: &mut ByteReader<'_>, ty: &Type, around: &Around<'_>) -> Result<Self> {
        let element = ty
            .parameter()
            .ok_or_else(|| reader.invalid("a set of no type"))?;
        let struct_name = around.untold(element, tables::Part::Element);
        let items = |reader: &mut ByteReader<'_>| -> Result<Vec<Self>> {
            let count = reader.count("a set", 1)?;
            (0..count)
                .map(|index| {
                    Self::read_element(
                        reader,
                        element,
                        struct_name.as_ref(),
                        None,
                        around.scope,
                        around.inside,
                    )
                    .index(index)
                })
                .collect()
        };
        Ok(Self::List(Box::new(List {
            tag: None,
            removed: items(reader)?,
            items: items(reader)?,
        })))
    }

    fn read_map(reader: &mut ByteReader<'_>, ty: &Type, around: &Around<'_>) -> Result<Self> {
        let [key, value, ..] = ty.parameters() else {
            return Err(reader.invalid("a map of no types"));
        };
        let key_name = around.untold(key, tables::Part::Key);
        let value_name = around.untold(value, tables::Part::Value);
        let read_key = |reader: &mut ByteReader<'_>| {
            Self::read_element(
                reader,
                key,
                key_name.as_ref(),
                None,
                around.scope,
                around.inside,
            )
        };
        let count = reader.count("a map's removed keys", 1)?;
        let removed: Result<Vec<Self>> = (0..count)
            .map(|index| read_key(reader).index(index))
            .collect();
        let removed = removed?;
        let count = reader.count("a map", 1)?;
        let mut map = Map {
            removed,
            pairs: Vec::with_capacity(count.min(1 << 12)),
        };
        for index in 0..count {
            let key = read_key(reader).index(index)?;
            let value = Self::read_element(
                reader,
                value,
                value_name.as_ref(),
                None,
                around.scope,
                around.inside,
            )
            .index(index)?;
            map.pairs.push((key, value));
        }
        Ok(Self::Map(Box::new(map)))
    }

    /// Writes the value of a property of this type.
    pub(in crate::satisfactory::codec) fn write(
        &self,
        writer: &mut ByteWriter,
        ty: &Type,
        scope: &Scope,
    ) -> Result<()> {
        match self {
            Self::Bytes(bytes) => {
                writer.count("a list", bytes.len())?;
                writer.bytes(bytes);
                Ok(())
            }
            Self::List(list) => {
                let List {
                    tag,
                    removed,
                    items,
                } = &**list;
                if ty.kind() == Kind::Set {
                    write_list(writer, removed, scope)?;
                }
                let Some(tag) = tag else {
                    return write_list(writer, items, scope);
                };
                writer.count("a list", items.len())?;
                tag.write(writer, scope, |writer| {
                    items.iter().enumerate().try_for_each(|(index, item)| {
                        item.write_element(writer, scope).index(index)
                    })
                })
            }
            Self::Map(map) => {
                let Map { removed, pairs } = &**map;
                write_list(writer, removed, scope)?;
                writer.count("a map", pairs.len())?;
                for (index, (key, value)) in pairs.iter().enumerate() {
                    key.write_element(writer, scope).index(index)?;
                    value.write_element(writer, scope).index(index)?;
                }
                Ok(())
            }
            _ => self.write_element(writer, scope),
        }
    }

    fn write_element(&self, writer: &mut ByteWriter, scope: &Scope) -> Result<()> {
        match self {
            Self::Bool(value) | Self::Byte(value) => writer.u8(*value),
            Self::Int8(value) => writer.i8(*value),
            Self::Int16(value) => writer.i16(*value),
            Self::UInt16(value) => writer.u16(*value),
            Self::Int(value) => writer.i32(*value),
            Self::UInt32(value) => writer.u32(*value),
            Self::Int64(value) => writer.i64(*value),
            Self::UInt64(value) => writer.u64(*value),
            Self::Float(value) => writer.f32(*value),
            Self::Double(value) => writer.f64(*value),
            Self::Str(value) => return value.write(writer, scope),
            Self::Object(value) => return value.write(writer, scope),
            Self::SoftObject(value) => return value.write(writer, scope),
            Self::Text(value) => return value.write(writer, scope),
            Self::Struct(value) => return value.write(writer, scope),
            Self::Raw(bytes) => writer.bytes(&bytes.0),
            Self::Bytes(_) | Self::List(_) | Self::Map(_) => {
                return Err(Error::unwritable("a list inside a list"));
            }
        }
        Ok(())
    }
}

fn write_list(writer: &mut ByteWriter, items: &[Value], scope: &Scope) -> Result<()> {
    writer.count("a list", items.len())?;
    items
        .iter()
        .enumerate()
        .try_for_each(|(index, item)| item.write_element(writer, scope).index(index))
}

impl InnerTag {
    /// Reads the tag; also returns the size of the structures, and the position of the first tag in them.
    fn read(reader: &mut ByteReader<'_>, scope: &Scope, spot: Spot) -> Result<(Self, i32, Spot)> {
        let tag = Tag::read(reader, scope, spot)?;
        if tag.label.ty.kind() != Kind::Struct {
            return Err(reader.invalid("an array's inner tag is not of a structure"));
        }
        let Extra { struct_id, id, .. } = tag.extra.map_or_else(Extra::default, |extra| *extra);
        let read = Self {
            name: tag.label.name.clone(),
            ty: tag.label.ty.clone(),
            index: tag.index,
            struct_id,
            id,
            stated_size: None,
        };
        Ok((read, tag.size, tag.inside))
    }

    fn write(
        &self,
        writer: &mut ByteWriter,
        scope: &Scope,
        items: impl FnOnce(&mut ByteWriter) -> Result<()>,
    ) -> Result<()> {
        let Self {
            name,
            ty,
            index,
            struct_id,
            id,
            stated_size,
        } = self;
        name.write(writer, scope)?;
        ty.name().write(writer, scope)?;
        let size_at = writer.position();
        writer.i32(0);
        writer.i32(*index);
        write_old_type(writer, ty, &Value::Bool(0), *struct_id)?;
        write_old_id(writer, *id);
        let start = writer.position();
        items(writer)?;
        let size = match stated_size {
            Some(size) => *size,
            None => i32::try_from(writer.position() - start)
                .map_err(|_| Error::unwritable("an array is too large for its size"))?,
        };
        writer.patch(size_at, &size.to_le_bytes());
        Ok(())
    }
}

impl Around<'_> {
    /// The structure type of an old map's or set's elements: the file does not state it, so it comes from the table of
    /// known ones. A structure that is not in the table is read as a list of properties, as nearly all are.
    fn untold(&self, ty: &Type, part: tables::Part) -> Option<Type> {
        if ty.kind() != Kind::Struct || ty.parameter().is_some() {
            return None;
        }
        let (owner, name) = (self.owner.to_str(), self.name.to_str());
        Some(Type::new(
            tables::untold_struct(&owner, &name, part)
                .unwrap_or("")
                .into(),
            Vec::new(),
        ))
    }
}
