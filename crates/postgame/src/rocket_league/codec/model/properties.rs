//! Property lists: named values, as Unreal stores the fields of an object.

use serde::{Deserialize, Serialize};

use super::text::Text;
use super::versions::Versions;
use crate::error::{Context as _, Error, Result};
use crate::limits::NESTING;
use crate::wire::bytes::{ByteReader, ByteWriter, Little};
use crate::wire::json::Bytes;
use crate::wire::record::{LittleBytes, Wire};
use crate::wire::strings::Bool8;

/// The name that ends a list.
const END: &str = "None";

/// A list of named values.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Properties(pub Vec<Property>);

/// A named value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Property {
    /// Its name.
    pub name: Text,
    /// Its index in an array of fixed size; 0 for a single value.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub index: u32,
    /// The stated size, if it is not that of the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated_size: Option<u32>,
    /// Its value.
    #[serde(flatten)]
    pub value: Value,
}

fn is_zero(index: &u32) -> bool {
    *index == 0
}

/// A property's value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", content = "value", rename_all = "snake_case")]
pub enum Value {
    /// `IntProperty`.
    Int(i32),
    /// `FloatProperty`.
    Float(#[serde(with = "crate::wire::json")] f32),
    /// `QWordProperty`.
    QWord(u64),
    /// `StrProperty`.
    Str(Text),
    /// `NameProperty`.
    Name(Text),
    /// `BoolProperty`: one byte.
    Bool(Bool8),
    /// `BoolProperty` of version 0.0: four bytes.
    WideBool(u32),
    /// A `ByteProperty` that is a number; its enumeration is `None`.
    Byte(u8),
    /// A `ByteProperty` that is a value of an enumeration.
    Enum {
        /// The enumeration.
        kind: Text,
        /// The value.
        value: Text,
    },
    /// A `ByteProperty` of version 0.0: the value alone.
    BareEnum(Text),
    /// `ArrayProperty`: a list of property lists.
    Array(Vec<Properties>),
    /// `StructProperty`.
    Struct {
        /// The kind of struct.
        kind: Text,
        /// Its fields.
        fields: Properties,
    },
    /// A property of unknown type, or one whose contents do not match its type, as bytes.
    Raw {
        /// The type's name.
        kind: Text,
        /// The bytes, as many as the property's size.
        bytes: Bytes,
    },
}

impl Properties {
    /// The value of this name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0
            .iter()
            .find(|property| property.name.as_str() == name)
            .map(|property| &property.value)
    }

    /// The number of this name.
    pub fn int(&self, name: &str) -> Option<i32> {
        match self.get(name)? {
            Value::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// The text of this name.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            Value::Str(text) | Value::Name(text) => Some(text.as_str()),
            Value::Enum { value, .. } | Value::BareEnum(value) => Some(value.as_str()),
            _ => None,
        }
    }

    /// The list of this name; empty if it is missing.
    pub fn array(&self, name: &str) -> &[Properties] {
        match self.get(name) {
            Some(Value::Array(lists)) => lists,
            _ => &[],
        }
    }

    /// True when the value of this name is a set flag.
    pub fn flag(&self, name: &str) -> Option<bool> {
        match self.get(name)? {
            Value::Bool(value) => Some(value.is_set()),
            Value::WideBool(value) => Some(*value != 0),
            _ => None,
        }
    }

    /// Sets an existing number of this name; returns `false` if it is missing.
    pub fn set_int(&mut self, name: &str, number: i32) -> bool {
        let found = self
            .0
            .iter_mut()
            .find(|property| property.name.as_str() == name);
        match found.map(|property| &mut property.value) {
            Some(Value::Int(value)) => {
                *value = number;
                true
            }
            _ => false,
        }
    }

    /// Reads properties up to the end of the list. If one breaks, the properties before it stay in the list and the
    /// reader stays before the broken one.
    pub fn read_into(
        &mut self,
        reader: &mut ByteReader<'_, Little>,
        versions: &Versions,
        depth: usize,
    ) -> Result<()> {
        if depth > NESTING {
            return Err(reader.invalid("properties are nested too deeply"));
        }
        loop {
            let start = reader.position();
            match Property::read(reader, versions, depth) {
                Ok(Some(property)) => self.0.push(property),
                Ok(None) => return Ok(()),
                Err(error) => {
                    reader.seek(start);
                    return Err(error.in_index(self.0.len()));
                }
            }
        }
    }

    fn read(
        reader: &mut ByteReader<'_, Little>,
        versions: &Versions,
        depth: usize,
    ) -> Result<Self> {
        let mut list = Self::default();
        list.read_into(reader, versions, depth)?;
        Ok(list)
    }

    /// Writes the properties, without the end of the list.
    pub fn write_all(&self, writer: &mut ByteWriter<Little>) -> Result<()> {
        for (index, property) in self.0.iter().enumerate() {
            property
                .write(writer)
                .map_err(|error| error.in_index(index))?;
        }
        Ok(())
    }

    /// Writes the list with its end.
    pub fn write(&self, writer: &mut ByteWriter<Little>) -> Result<()> {
        self.write_all(writer)?;
        text(END, writer)
    }
}

fn text(text: &str, writer: &mut ByteWriter<Little>) -> Result<()> {
    <Text as Wire<LittleBytes>>::write(&text.into(), writer, &())
}

fn read_text(reader: &mut ByteReader<'_, Little>) -> Result<Text> {
    <Text as Wire<LittleBytes>>::read(reader, &())
}

impl Property {
    /// Reads one property; `None` at the end of the list.
    fn read(
        reader: &mut ByteReader<'_, Little>,
        versions: &Versions,
        depth: usize,
    ) -> Result<Option<Self>> {
        let name = read_text(reader).field("name")?;
        if name.as_str() == END && !name.is_odd() {
            return Ok(None);
        }
        let named = |error: Error| error.in_named(name.as_str());
        let kind = read_text(reader).map_err(named)?;
        let size = reader.u32().map_err(named)?;
        let index = reader.u32().map_err(named)?;
        let start = reader.position();
        let read = match kind.is_odd() {
            true => Ok(None),
            false => Value::read(kind.as_str(), reader, versions, depth + 1),
        };
        let (value, counted_from) = match read {
            Ok(Some(read)) => read,
            // An array of anything but property lists is not an error, and neither is an unknown type.
            Err(error) if kind.as_str() != "ArrayProperty" => return Err(named(error)),
            Ok(None) | Err(_) => {
                reader.seek(start);
                let bytes = reader.bytes(size as usize).map_err(named)?.into();
                (Value::Raw { kind, bytes }, start)
            }
        };
        let usual = reader.position() - counted_from;
        Ok(Some(Self {
            name,
            index,
            stated_size: (usual != size as usize).then_some(size),
            value,
        }))
    }

    fn write(&self, writer: &mut ByteWriter<Little>) -> Result<()> {
        let Self {
            name,
            index,
            stated_size,
            value,
        } = self;
        <Text as Wire<LittleBytes>>::write(name, writer, &())?;
        match value {
            Value::Raw { kind, .. } => <Text as Wire<LittleBytes>>::write(kind, writer, &())?,
            _ => text(value.kind(), writer)?,
        }
        let size_position = writer.position();
        writer.u32(0);
        writer.u32(*index);
        let size = value.write(writer)?;
        writer.patch(size_position, &stated_size.unwrap_or(size).to_le_bytes());
        Ok(())
    }
}

impl Value {
    /// The name of the type, as stored.
    pub fn kind(&self) -> &str {
        match self {
            Self::Int(_) => "IntProperty",
            Self::Float(_) => "FloatProperty",
            Self::QWord(_) => "QWordProperty",
            Self::Str(_) => "StrProperty",
            Self::Name(_) => "NameProperty",
            Self::Bool(_) | Self::WideBool(_) => "BoolProperty",
            Self::Byte(_) | Self::Enum { .. } | Self::BareEnum(_) => "ByteProperty",
            Self::Array(_) => "ArrayProperty",
            Self::Struct { .. } => "StructProperty",
            Self::Raw { kind, .. } => kind.as_str(),
        }
    }

    /// Reads a value of a type, and the position its size counts from; `None` if the type is unknown.
    fn read(
        kind: &str,
        reader: &mut ByteReader<'_, Little>,
        versions: &Versions,
        depth: usize,
    ) -> Result<Option<(Self, usize)>> {
        let mut counted_from = reader.position();
        let value = match kind {
            "IntProperty" => Self::Int(reader.i32()?),
            "FloatProperty" => Self::Float(reader.f32()?),
            "QWordProperty" => Self::QWord(reader.u64()?),
            "StrProperty" => Self::Str(read_text(reader)?),
            "NameProperty" => Self::Name(read_text(reader)?),
            // A flag counts as part of its tag: its size is 0.
            "BoolProperty" => {
                let value = match versions.are_none() {
                    true => Self::WideBool(reader.u32()?),
                    false => Self::Bool(Bool8(reader.u8()?)),
                };
                counted_from = reader.position();
                value
            }
            "ByteProperty" if versions.are_none() => Self::BareEnum(read_text(reader)?),
            "ByteProperty" => {
                let kind = read_text(reader)?;
                counted_from = reader.position();
                if kind.as_str() == END && !kind.is_odd() {
                    Self::Byte(reader.u8()?)
                } else {
                    let value = read_text(reader)?;
                    Self::Enum { kind, value }
                }
            }
            "ArrayProperty" => {
                // The shortest list is just its end: a length of five and `None`.
                let count = reader.count("an array", 9)?;
                let mut lists = Vec::with_capacity(count.min(64));
                for index in 0..count {
                    lists.push(Properties::read(reader, versions, depth).index(index)?);
                }
                Self::Array(lists)
            }
            "StructProperty" => {
                let kind = read_text(reader)?;
                counted_from = reader.position();
                let fields = Properties::read(reader, versions, depth)?;
                Self::Struct { kind, fields }
            }
            _ => return Ok(None),
        };
        Ok(Some((value, counted_from)))
    }

    /// Writes the value; returns the size that the game states for it.
    fn write(&self, writer: &mut ByteWriter<Little>) -> Result<u32> {
        let mut start = writer.position();
        match self {
            Self::Int(value) => writer.i32(*value),
            Self::Float(value) => writer.f32(*value),
            Self::QWord(value) => writer.u64(*value),
            Self::Str(value) | Self::Name(value) | Self::BareEnum(value) => {
                <Text as Wire<LittleBytes>>::write(value, writer, &())?;
            }
            // A flag counts as part of its tag: its size is 0.
            Self::Bool(value) => {
                writer.u8(value.0);
                start = writer.position();
            }
            Self::WideBool(value) => {
                writer.u32(*value);
                start = writer.position();
            }
            // The names of enumerations and structs count as part of the tag, too.
            Self::Byte(value) => {
                text(END, writer)?;
                start = writer.position();
                writer.u8(*value);
            }
            Self::Enum { kind, value } => {
                <Text as Wire<LittleBytes>>::write(kind, writer, &())?;
                start = writer.position();
                <Text as Wire<LittleBytes>>::write(value, writer, &())?;
            }
            Self::Array(lists) => {
                writer.count("an array", lists.len())?;
                for (index, list) in lists.iter().enumerate() {
                    list.write(writer).index(index)?;
                }
            }
            Self::Struct { kind, fields } => {
                <Text as Wire<LittleBytes>>::write(kind, writer, &())?;
                start = writer.position();
                fields.write(writer)?;
            }
            Self::Raw { bytes, .. } => writer.bytes(&bytes.0),
        }
        u32::try_from(writer.position() - start)
            .map_err(|_| Error::unwritable("a property is too large"))
    }
}
