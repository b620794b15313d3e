//! Properties: a name, a type, a value, and the other fields of a tag. `json` has their form in JSON.

mod json;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::basic::Id16;
use super::strings::Str;
use super::types::{Kind, Type};
use super::value::{Around, Value};
use crate::error::{Error, Result};
use crate::limits::Charge as _;
use crate::satisfactory::codec::decode::habits::Spot;
use crate::satisfactory::codec::decode::scope::Scope;
use crate::satisfactory::codec::decode::tag::{Tag, write_old_id, write_old_type};
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
    pub(in crate::satisfactory::codec) fn read(
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

    pub(in crate::satisfactory::codec) fn write(
        &self,
        writer: &mut ByteWriter,
        scope: &Scope,
    ) -> Result<()> {
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
pub(in crate::satisfactory::codec) struct Label {
    pub name: Str,
    pub ty: Type,
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
