//! The types of properties.

use std::fmt;
use std::sync::Arc;

use serde::de::{Error as _, SeqAccess, Visitor};
use serde::ser::SerializeSeq as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::strings::Str;
use crate::error::{Error, Result};
use crate::limits;
use crate::satisfactory::codec::decode::scope::Scope;
use crate::satisfactory::tables;
use crate::wire::bytes::{ByteReader, ByteWriter};
use crate::wire::json::json_by_serde;

/// The layout of a property's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// In the tag.
    Bool,
    /// A byte, or a name if the tag names an enumeration.
    Byte,
    /// One byte, signed.
    Int8,
    /// Two bytes, signed.
    Int16,
    /// Two bytes.
    UInt16,
    /// Four bytes, signed.
    Int,
    /// Four bytes.
    UInt32,
    /// Eight bytes, signed.
    Int64,
    /// Eight bytes.
    UInt64,
    /// Single precision.
    Float,
    /// Double precision.
    Double,
    /// A string: text, name or enumeration value.
    Str,
    /// A reference to an object.
    Object,
    /// A soft reference: a path to an object that need not be loaded.
    SoftObject,
    /// A localised text.
    Text,
    /// A structure.
    Struct,
    /// A list.
    Array,
    /// A set.
    Set,
    /// A map.
    Map,
    /// Any other type: kept as bytes.
    Other,
}

impl Kind {
    fn of(name: &Str) -> Self {
        match name.ascii().unwrap_or_default() {
            "BoolProperty" => Self::Bool,
            "ByteProperty" => Self::Byte,
            "Int8Property" => Self::Int8,
            "Int16Property" => Self::Int16,
            "UInt16Property" => Self::UInt16,
            "IntProperty" => Self::Int,
            "UInt32Property" => Self::UInt32,
            "Int64Property" => Self::Int64,
            "UInt64Property" => Self::UInt64,
            "FloatProperty" => Self::Float,
            "DoubleProperty" => Self::Double,
            "StrProperty" | "NameProperty" | "EnumProperty" => Self::Str,
            "ObjectProperty" | "InterfaceProperty" | "WeakObjectProperty" | "ClassProperty" => {
                Self::Object
            }
            "SoftObjectProperty" | "SoftClassProperty" => Self::SoftObject,
            "TextProperty" => Self::Text,
            "StructProperty" => Self::Struct,
            "ArrayProperty" => Self::Array,
            "SetProperty" => Self::Set,
            "MapProperty" => Self::Map,
            _ => Self::Other,
        }
    }
}

/// A property's type: a name and inner types. An array has one inner type, a map two, a structure its name.
///
/// Files before game version 1.1.3 store less than this tree can hold; the missing parts are absent. In JSON it is the
/// name, or a list of the name and the inner types.
#[derive(Clone)]
pub struct Type(Arc<Node>);

impl PartialEq for Type {
    fn eq(&self, other: &Self) -> bool {
        // Types of one scope are shared, and usually types of one scope are compared.
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

#[derive(PartialEq)]
struct Node {
    name: Str,
    parameters: Vec<Type>,
    kind: Kind,
    layout: Option<tables::Layout>,
}

impl Type {
    /// A type with a name and inner types.
    pub fn new(name: Str, parameters: Vec<Type>) -> Self {
        let kind = Kind::of(&name);
        let layout = name.ascii().and_then(tables::struct_layout);
        Self(Arc::new(Node {
            name,
            parameters,
            kind,
            layout,
        }))
    }

    /// Its address, which is the same for all uses of a type from one scope.
    #[inline]
    pub(in crate::satisfactory::codec) fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    /// Its name, such as `IntProperty`.
    #[inline]
    pub fn name(&self) -> &Str {
        &self.0.name
    }

    /// Its inner types.
    #[inline]
    pub fn parameters(&self) -> &[Type] {
        &self.0.parameters
    }

    /// The first inner type: an array's element, a map's key, a structure's name.
    #[inline]
    pub fn parameter(&self) -> Option<&Type> {
        self.0.parameters.first()
    }

    /// The layout of its values.
    #[inline]
    pub fn kind(&self) -> Kind {
        self.0.kind
    }

    /// The binary layout of the structure of this name, if it has one.
    #[inline]
    pub fn layout(&self) -> Option<tables::Layout> {
        self.0.layout
    }

    /// Reads a tree: each node has its name and its number of children, parents first.
    pub(in crate::satisfactory::codec) fn read(
        reader: &mut ByteReader<'_>,
        scope: &Scope,
    ) -> Result<Self> {
        let start = reader.clone();
        let mut open = 1u64;
        let mut nodes = 0usize;
        while open > 0 {
            Str::skip(reader)?;
            let below = reader.count("a type's parts", 8)?;
            open = open - 1 + below as u64;
            nodes += 1;
            if nodes > limits::NESTING {
                return Err(reader.invalid("a type has too many parts"));
            }
        }
        let length = reader.position() - start.position();
        let encoded = start.rest().get(..length).unwrap_or_default();
        scope.tree_type(encoded, || Self::read_node(&mut start.clone(), scope))
    }

    fn read_node(reader: &mut ByteReader<'_>, scope: &Scope) -> Result<Self> {
        let name = scope.intern(Str::skip(reader)?);
        let below = reader.count("a type's parts", 8)?;
        // The depth is at most the number of nodes, which is limited.
        let parameters: Result<Vec<Type>> =
            (0..below).map(|_| Self::read_node(reader, scope)).collect();
        Ok(Self::new(name, parameters?))
    }

    pub(in crate::satisfactory::codec) fn write(&self, writer: &mut ByteWriter) -> Result<()> {
        writer.bytes(self.name().encoded());
        writer.count("a type's parts", self.parameters().len())?;
        self.parameters()
            .iter()
            .try_for_each(|part| part.write(writer))
    }

    /// The name of the inner type with this index, for a tag that stores nothing else.
    pub(in crate::satisfactory::codec) fn part_name(&self, index: usize) -> Result<&Str> {
        let part = self.parameters().get(index).map(Type::name);
        part.ok_or_else(|| Error::unwritable(format!("{self:?} lacks a part")))
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name())?;
        if !self.parameters().is_empty() {
            f.debug_list().entries(self.parameters()).finish()?;
        }
        Ok(())
    }
}

impl Serialize for Type {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.parameters().is_empty() {
            return self.name().serialize(serializer);
        }
        let mut list = serializer.serialize_seq(Some(1 + self.parameters().len()))?;
        list.serialize_element(self.name())?;
        for part in self.parameters() {
            list.serialize_element(part)?;
        }
        list.end()
    }
}

struct TypeVisitor;

impl<'de> Visitor<'de> for TypeVisitor {
    type Value = Type;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a type's name, or a list of its name and its parts")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Type, E> {
        Ok(Type::new(text.into(), Vec::new()))
    }

    fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<Type, A::Error> {
        let name = Str::deserialize(serde::de::value::MapAccessDeserializer::new(map))?;
        Ok(Type::new(name, Vec::new()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Type, A::Error> {
        let name: Str = list
            .next_element()?
            .ok_or_else(|| A::Error::custom("a type has no name"))?;
        let mut parameters = Vec::new();
        while let Some(part) = list.next_element()? {
            parameters.push(part);
        }
        Ok(Type::new(name, parameters))
    }
}

impl<'de> Deserialize<'de> for Type {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TypeVisitor)
    }
}

json_by_serde!(Type);
