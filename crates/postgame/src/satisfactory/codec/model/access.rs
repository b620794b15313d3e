//! Convenient access to the contents of an object or a list of properties.

use std::borrow::Cow;

use super::basic::Ref;
use super::object::Object;
use super::property::Properties;
use super::structs::Struct;
use super::tail::{SplinePoint, Tail};
use super::text::{History, Text};
use super::value::Value;

impl Object {
    /// Its properties, if its data could be read.
    pub fn properties(&self) -> Option<&Properties> {
        self.data.as_ref()?.properties()
    }

    /// The fields of its class after the properties.
    pub fn tail(&self) -> Option<&Tail> {
        self.data.as_ref()?.fields()?.tail.as_ref()
    }
}

impl Properties {
    /// An integer.
    pub fn int(&self, name: &str) -> Option<i64> {
        self.value(name)?.int()
    }

    /// A number of either precision.
    pub fn real(&self, name: &str) -> Option<f64> {
        match self.value(name)? {
            Value::Float(value) => Some((*value).into()),
            Value::Double(value) => Some(*value),
            _ => None,
        }
    }

    /// A boolean; false if it is not stored, as in the game.
    pub fn flag(&self, name: &str) -> bool {
        matches!(self.value(name), Some(Value::Bool(value)) if *value != 0)
    }

    /// The target of a reference; `None` for a null reference.
    pub fn reference(&self, name: &str) -> Option<&Ref> {
        self.value(name)?.reference()
    }

    /// A string, or the characters of a text.
    pub fn words(&self, name: &str) -> Option<Cow<'_, str>> {
        let words = match self.value(name)? {
            Value::Str(text) => text.to_str(),
            Value::Text(text) => text.words()?,
            _ => return None,
        };
        Some(words).filter(|words| !words.is_empty())
    }

    /// The elements of an array or set.
    pub fn list(&self, name: &str) -> &[Value] {
        match self.value(name) {
            Some(Value::List(list)) => &list.items,
            _ => &[],
        }
    }

    /// A structure that is a list of properties.
    pub fn structure(&self, name: &str) -> Option<&Properties> {
        self.value(name)?.properties()
    }

    /// Three components of a vector.
    pub fn vector(&self, name: &str) -> Option<[f64; 3]> {
        match self.value(name)? {
            Value::Struct(Struct::Real3(reals)) => Some(reals.to_f64()),
            _ => None,
        }
    }
}

impl Value {
    /// An integer of any width.
    pub fn int(&self) -> Option<i64> {
        Some(match self {
            Self::Byte(value) => (*value).into(),
            Self::Int8(value) => (*value).into(),
            Self::Int16(value) => (*value).into(),
            Self::UInt16(value) => (*value).into(),
            Self::Int(value) => (*value).into(),
            Self::UInt32(value) => (*value).into(),
            Self::Int64(value) => *value,
            Self::UInt64(value) => i64::try_from(*value).ok()?,
            _ => return None,
        })
    }

    /// The target of a reference; `None` for a null reference.
    pub fn reference(&self) -> Option<&Ref> {
        match self {
            Self::Object(reference) => Some(reference).filter(|reference| !reference.is_none()),
            _ => None,
        }
    }

    /// The properties of a structure.
    pub fn properties(&self) -> Option<&Properties> {
        match self {
            Self::Struct(value) => value.properties(),
            _ => None,
        }
    }
}

impl Text {
    /// The displayed text, as far as the value contains it.
    pub fn words(&self) -> Option<Cow<'_, str>> {
        match &self.history {
            History::None { text, .. } => text.as_ref().map(|text| text.to_str()),
            History::Base { source, .. } => Some(source.to_str()),
            History::Named { pattern, .. }
            | History::Ordered { pattern, .. }
            | History::Format { pattern, .. } => pattern.words(),
            History::Transform { source, .. } => source.words(),
            History::Table { key, .. } => Some(key.to_str()),
        }
    }
}

impl SplinePoint {
    /// Position, and the tangents before and after it, in centimetres.
    pub fn to_f64(&self) -> [[f64; 3]; 3] {
        [
            self.location_cm.to_f64(),
            self.arrive_tangent.to_f64(),
            self.leave_tangent.to_f64(),
        ]
    }
}
