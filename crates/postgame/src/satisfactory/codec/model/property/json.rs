//! Properties in JSON.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::super::strings::Str;
use super::super::types::Type;
use super::super::value::Value;
use super::{Extra, Label, Property};

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
