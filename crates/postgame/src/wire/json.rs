//! The JSON form of values: readable, streamed, and exact.
//!
//! serde and serde_json do the work, except for floats that are infinite or NaN, which JSON cannot represent. So every
//! field of a model passes through [`Json`], which writes such floats as text, `"inf"`, `"-inf"`, `"nan"`, or as their
//! bits (`"0xffc00001"`) for a NaN other than the usual one. All other floats are printed with the fewest digits that
//! read back the same. For `f32` this also holds through the `f64` that serde_json parses (tested on every 1,021st
//! value).

use serde::de::{Deserialize, Deserializer, Error as _, Visitor};
use serde::ser::{Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;

/// A value's form in JSON.
pub trait Json: Sized {
    /// Writes the value.
    ///
    /// # Errors
    /// When the serializer fails.
    fn to_json<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;

    /// Reads the value.
    ///
    /// # Errors
    /// When the deserializer fails or the value does not fit.
    fn from_json<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

/// For `#[serde(with = "crate::wire::json")]`.
///
/// # Errors
/// When the serializer fails.
pub fn serialize<T: Json, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    value.to_json(serializer)
}

/// For `#[serde(with = "crate::wire::json")]`.
///
/// # Errors
/// When the deserializer fails or the value does not fit.
pub fn deserialize<'de, T: Json, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    T::from_json(deserializer)
}

/// Makes types with their own serde impls usable as fields: `json_by_serde!(Name, Other)`.
macro_rules! json_by_serde {
    ($($name:ty),* $(,)?) => {$(
        impl $crate::wire::json::Json for $name {
            fn to_json<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serde::Serialize::serialize(self, serializer)
            }

            fn from_json<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                serde::Deserialize::deserialize(deserializer)
            }
        }
    )*};
}
pub(crate) use json_by_serde;

json_by_serde!(
    bool,
    u8,
    i8,
    u16,
    i16,
    u32,
    i32,
    u64,
    i64,
    usize,
    String,
    serde_json::Value
);

/// Wraps a value so that serde serializes its JSON form.
pub struct AsJson<'a, T>(pub &'a T);

impl<T: Json> Serialize for AsJson<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.to_json(serializer)
    }
}

/// Deserializes a value from its JSON form.
pub struct FromJson<T>(pub T);

impl<'de, T: Json> Deserialize<'de> for FromJson<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::from_json(deserializer).map(FromJson)
    }
}

impl<T: Json> Json for Vec<T> {
    fn to_json<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(AsJson))
    }

    fn from_json<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let values = Vec::<FromJson<T>>::deserialize(deserializer)?;
        Ok(values.into_iter().map(|value| value.0).collect())
    }
}

impl<T: Json, const N: usize> Json for [T; N] {
    fn to_json<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(AsJson))
    }

    fn from_json<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let values = Vec::<T>::from_json(deserializer)?;
        let count = values.len();
        values
            .try_into()
            .map_err(|_| D::Error::invalid_length(count, &format!("{N} values").as_str()))
    }
}

impl<T: Json> Json for Option<T> {
    fn to_json<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_ref().map(AsJson).serialize(serializer)
    }

    fn from_json<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::<FromJson<T>>::deserialize(deserializer)?.map(|value| value.0))
    }
}

impl<T: Json> Json for Box<T> {
    fn to_json<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).to_json(serializer)
    }

    fn from_json<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::from_json(deserializer).map(Box::new)
    }
}

impl<A: Json, B: Json> Json for (A, B) {
    fn to_json<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (AsJson(&self.0), AsJson(&self.1)).serialize(serializer)
    }

    fn from_json<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (a, b) = <(FromJson<A>, FromJson<B>)>::deserialize(deserializer)?;
        Ok((a.0, b.0))
    }
}

macro_rules! floats {
    ($($name:ident $bits:ident $digits:literal;)*) => {$(
        impl Json for $name {
            fn to_json<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                if self.is_finite() {
                    self.serialize(serializer)
                } else if *self == $name::INFINITY {
                    serializer.serialize_str("inf")
                } else if *self == $name::NEG_INFINITY {
                    serializer.serialize_str("-inf")
                } else if self.to_bits() == $name::NAN.to_bits() {
                    serializer.serialize_str("nan")
                } else {
                    serializer.collect_str(&format_args!(concat!("{:#0", $digits, "x}"), self.to_bits()))
                }
            }

            fn from_json<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_any(FloatVisitor::<$name>(PhantomData))
            }
        }

        impl Visitor<'_> for FloatVisitor<$name> {
            type Value = $name;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, \"inf\", \"-inf\", \"nan\" or its bits as \"0x…\"")
            }

            fn visit_f64<E>(self, value: f64) -> Result<$name, E> {
                Ok(value as $name)
            }

            fn visit_u64<E>(self, value: u64) -> Result<$name, E> {
                Ok(value as $name)
            }

            fn visit_i64<E>(self, value: i64) -> Result<$name, E> {
                Ok(value as $name)
            }

            fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<$name, E> {
                match value {
                    "inf" => Ok($name::INFINITY),
                    "-inf" => Ok($name::NEG_INFINITY),
                    "nan" => Ok($name::NAN),
                    _ => value
                        .strip_prefix("0x")
                        .and_then(|digits| $bits::from_str_radix(digits, 16).ok())
                        .map($name::from_bits)
                        .ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(value), &self)),
                }
            }
        }
    )*};
}

struct FloatVisitor<T>(PhantomData<T>);

floats! {
    f32 u32 "10";
    f64 u64 "18";
}

/// Bytes of unknown meaning: Base64 in JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bytes(pub Vec<u8>);

impl Bytes {
    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Self {
        Self(bytes.to_vec())
    }
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use base64::Engine as _;
        serializer.serialize_str(&base64::engine::general_purpose::STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use base64::Engine as _;
        let text = String::deserialize(deserializer)?;
        let bytes = base64::engine::general_purpose::STANDARD.decode(text);
        bytes
            .map(Self)
            .map_err(|error| D::Error::custom(format!("not Base64: {error}")))
    }
}

json_by_serde!(Bytes);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn there_and_back<T: Json>(value: &T) -> T {
        let json = serde_json::to_string(&AsJson(value)).unwrap();
        serde_json::from_str::<FromJson<T>>(&json).unwrap().0
    }

    proptest! {
        #[test]
        fn every_float_keeps_its_bits(single in any::<u32>(), double in any::<u64>()) {
            prop_assert_eq!(there_and_back(&f32::from_bits(single)).to_bits(), single);
            prop_assert_eq!(there_and_back(&f64::from_bits(double)).to_bits(), double);
        }

        #[test]
        fn bytes_and_lists_come_back(bytes in prop::collection::vec(any::<u8>(), 0..50)) {
            let value = vec![Some(Bytes(bytes)), None];
            prop_assert_eq!(there_and_back(&value), value);
        }
    }

    /// A short decimal can lie so close to the midpoint of two `f32` values that rounding twice, by way of `f64`, goes
    /// wrong. That does not happen with the shortest decimals, which are written here.
    #[test]
    fn singles_survive_being_read_as_doubles() {
        for bits in (0..=u32::MAX).step_by(1021) {
            let value = f32::from_bits(bits);
            if value.is_finite() {
                let text = serde_json::to_string(&value).unwrap();
                assert_eq!(
                    (text.parse::<f64>().unwrap() as f32).to_bits(),
                    bits,
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn odd_floats_are_text() {
        let odd = [
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
            f32::from_bits(0xffc0_0001),
            -0.0,
        ];
        let json = serde_json::to_string(&AsJson(&odd)).unwrap();
        assert_eq!(json, r#"["inf","-inf","nan","0xffc00001",-0.0]"#);
        assert!(serde_json::from_str::<FromJson<f32>>("\"0xzz\"").is_err());
    }
}
