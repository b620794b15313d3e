//! UBJSON as JSON. Values as recorders write them have the obvious form; every other form is an object with one key
//! that begins with `$` and names the form.

use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::ubjson::{Form, IntType, Pairs, Str, Value};
use crate::wire::json::{AsJson, FromJson, json_by_serde};
use crate::wire::strings::Text;

impl Str {
    /// The text, if it is stored as recorders do.
    fn plain(&self) -> Option<&str> {
        let text = std::str::from_utf8(self.text.as_bytes()).ok()?;
        (self.length == IntType::U8).then_some(text)
    }
}

/// An object with one key: the shape of every unusual form.
fn odd<S: Serializer, T: Serialize>(
    serializer: S,
    key: &str,
    value: &T,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map([(key, value)])
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Noop => odd(serializer, "$noop", &()),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Int(IntType::I32, value) => serializer.serialize_i64(*value),
            Self::Int(kind, value) => odd(serializer, &format!("${}", kind.name()), value),
            Self::F32(value) => odd(serializer, "$f32", &AsJson(value)),
            Self::F64(value) => odd(serializer, "$f64", &AsJson(value)),
            Self::Precise(text) => odd(serializer, "$number", &AsTuple(text)),
            Self::Char(value) => odd(serializer, "$char", value),
            Self::Str(text) => match text.plain() {
                Some(text) => serializer.serialize_str(text),
                None => odd(serializer, "$text", &AsTuple(text)),
            },
            Self::Array(form, values) if *form == Form::default() => serializer.collect_seq(values),
            Self::Array(form, values) => odd(
                serializer,
                "$array",
                &(form.marker, form.count.map(IntType::name), values),
            ),
            Self::Object(form, pairs) if *form == Form::default() => {
                serialize_pairs(pairs, serializer)
            }
            Self::Object(form, pairs) => {
                let pairs: Vec<_> = pairs
                    .iter()
                    .map(|(key, value)| (AsTuple(key), value))
                    .collect();
                odd(
                    serializer,
                    "$object",
                    &(form.marker, form.count.map(IntType::name), pairs),
                )
            }
        }
    }
}

struct AsTuple<'a>(&'a Str);

impl Serialize for AsTuple<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.0.length.name(), &self.0.text).serialize(serializer)
    }
}

/// Writes members as a JSON object if that preserves them, else as a `$object`.
///
/// # Errors
/// When the serializer fails.
pub fn serialize_pairs<S: Serializer>(pairs: &Pairs, serializer: S) -> Result<S::Ok, S::Error> {
    let mut keys = HashSet::new();
    let is_plain = |key: &Str| key.plain().is_some_and(|text| !text.starts_with('$'));
    if pairs
        .iter()
        .all(|(key, _)| is_plain(key) && keys.insert(key.text.as_bytes()))
    {
        let mut map = serializer.serialize_map(Some(pairs.len()))?;
        for (key, value) in pairs {
            map.serialize_entry(&key.text, value)?;
        }
        return map.end();
    }
    let pairs: Vec<_> = pairs
        .iter()
        .map(|(key, value)| (AsTuple(key), value))
        .collect();
    odd(serializer, "$object", &((), (), pairs))
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

json_by_serde!(Value);

struct ValueVisitor;

fn int_type<E: serde::de::Error>(name: &str) -> Result<IntType, E> {
    IntType::of_name(name).ok_or_else(|| E::custom(format!("{name} is no integer type")))
}

fn form<E: serde::de::Error>(marker: Option<u8>, count: Option<String>) -> Result<Form, E> {
    let count = count.as_deref().map(int_type).transpose()?;
    Ok(Form { marker, count })
}

fn string<E: serde::de::Error>((length, text): (String, Text)) -> Result<Str, E> {
    Ok(Str {
        text,
        length: int_type(&length)?,
    })
}

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a UBJSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Int(IntType::I32, value))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Value, E> {
        let value = value
            .try_into()
            .map_err(|_| E::custom("a number is too large"))?;
        Ok(Value::Int(IntType::I32, value))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Str(Str {
            text: text.into(),
            length: IntType::U8,
        }))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = items.next_element()? {
            values.push(value);
        }
        Ok(Value::Array(Form::default(), values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut pairs = Pairs::new();
        while let Some(key) = map.next_key::<String>()? {
            if let Some(kind) = key.strip_prefix('$') {
                return odd_value(kind, &mut map);
            }
            let key = Str {
                text: key.as_str().into(),
                length: IntType::U8,
            };
            pairs.push((key, map.next_value()?));
        }
        Ok(Value::Object(Form::default(), pairs))
    }
}

fn odd_value<'de, A: MapAccess<'de>>(kind: &str, map: &mut A) -> Result<Value, A::Error> {
    Ok(match kind {
        "noop" => {
            map.next_value::<()>()?;
            Value::Noop
        }
        "f32" => Value::F32(map.next_value::<FromJson<f32>>()?.0),
        "f64" => Value::F64(map.next_value::<FromJson<f64>>()?.0),
        "number" => Value::Precise(string(map.next_value()?)?),
        "char" => Value::Char(map.next_value()?),
        "text" => Value::Str(string(map.next_value()?)?),
        "array" => {
            let (marker, count, values) = map.next_value()?;
            Value::Array(form(marker, count)?, values)
        }
        "object" => {
            let (marker, count, pairs) =
                map.next_value::<(_, _, Vec<((String, Text), Value)>)>()?;
            let pairs = pairs
                .into_iter()
                .map(|(key, value)| Ok((string(key)?, value)));
            Value::Object(
                form(marker, count)?,
                pairs.collect::<Result<_, A::Error>>()?,
            )
        }
        _ => match IntType::of_name(kind) {
            Some(int) => Value::Int(int, map.next_value()?),
            None => {
                return Err(A::Error::custom(format!(
                    "${kind} is no kind of UBJSON value"
                )));
            }
        },
    })
}

/// Reads the output of [`serialize_pairs`].
///
/// # Errors
/// When the deserializer fails, or the value is not an object.
pub fn deserialize_pairs<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Pairs, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::Object(_, pairs) => Ok(pairs),
        _ => Err(D::Error::custom("the members of an object are wanted")),
    }
}
