//! Text as games store it, kept exactly.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::bytes::{ByteReader, ByteWriter, Little};
use super::json::{Bytes, json_by_serde};
use super::record::{Fixed, LittleBytes, Wire};
use crate::error::{Error, Result};

/// Text that should be UTF-8. Other bytes are kept, and shown with replacement characters.
///
/// In JSON it is a string, or `{"base64": "…"}` if the bytes are not UTF-8.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text(Vec<u8>);

impl Text {
    /// The text, with replacement characters for invalid UTF-8.
    pub fn to_str(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }

    /// The bytes as stored.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// True when the text is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().to_vec())
    }
}

impl From<Vec<u8>> for Text {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.to_str())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_str(), f)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum TextJson<'a> {
    Text(Cow<'a, str>),
    Raw { base64: Bytes },
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(&self.0) {
            Ok(text) => TextJson::Text(Cow::Borrowed(text)),
            Err(_) => TextJson::Raw {
                base64: Bytes(self.0.clone()),
            },
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match TextJson::deserialize(deserializer)? {
            TextJson::Text(text) => Self(text.into_owned().into_bytes()),
            TextJson::Raw { base64 } => Self(base64.0),
        })
    }
}

json_by_serde!(Text);

/// A string as .NET's `BinaryWriter` stores it: its length in bytes, seven bits at a time, then UTF-8.
///
/// In JSON it is the text, or an object with `length_bytes` if the length took more bytes than it needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DotNetString {
    /// The text.
    pub text: Text,
    /// Number of bytes by which the stored length exceeds its minimum; 0 in every file a game wrote.
    pub spare_length_bytes: u8,
}

impl DotNetString {
    /// .NET rejects lengths of more than five bytes.
    const MAX_LENGTH_BYTES: usize = 5;

    /// Number of bytes a length needs.
    fn length_bytes(length: usize) -> usize {
        (usize::BITS - length.leading_zeros()).div_ceil(7).max(1) as usize
    }
}

impl From<&str> for DotNetString {
    fn from(text: &str) -> Self {
        Self {
            text: text.into(),
            spare_length_bytes: 0,
        }
    }
}

impl fmt::Display for DotNetString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.text, f)
    }
}

impl<C: ?Sized> Wire<LittleBytes, C> for DotNetString {
    fn read(reader: &mut ByteReader<'_, Little>, _: &C) -> Result<Self> {
        let place = reader.place();
        let (mut length, mut used) = (0usize, 0);
        loop {
            let byte = reader.u8()?;
            length |= usize::from(byte & 0x7f) << (7 * used);
            used += 1;
            if byte & 0x80 == 0 {
                break;
            }
            if used == Self::MAX_LENGTH_BYTES {
                return Err(
                    Error::invalid("a string's length takes more than five bytes").at(place),
                );
            }
        }
        let text = Text(reader.bytes(length)?.to_vec());
        Ok(Self {
            text,
            spare_length_bytes: (used - Self::length_bytes(length)) as u8,
        })
    }

    fn write(&self, writer: &mut ByteWriter<Little>, _: &C) -> Result<()> {
        let Self {
            text,
            spare_length_bytes,
        } = self;
        let length = text.as_bytes().len();
        let bytes = Self::length_bytes(length) + usize::from(*spare_length_bytes);
        if bytes > Self::MAX_LENGTH_BYTES {
            return Err(Error::unwritable(
                "a string's length takes more than five bytes",
            ));
        }
        for index in 0..bytes {
            let more = if index + 1 < bytes { 0x80 } else { 0 };
            writer.u8((length >> (7 * index)) as u8 & 0x7f | more);
        }
        writer.bytes(text.as_bytes());
        Ok(())
    }
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum DotNetJson {
    Plain(Text),
    #[serde(rename_all = "snake_case")]
    Odd {
        text: Text,
        spare_length_bytes: u8,
    },
}

impl Serialize for DotNetString {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self {
            text,
            spare_length_bytes,
        } = self.clone();
        match spare_length_bytes {
            0 => DotNetJson::Plain(text),
            _ => DotNetJson::Odd {
                text,
                spare_length_bytes,
            },
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for DotNetString {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match DotNetJson::deserialize(deserializer)? {
            DotNetJson::Plain(text) => Self {
                text,
                spare_length_bytes: 0,
            },
            DotNetJson::Odd {
                text,
                spare_length_bytes,
            } => Self {
                text,
                spare_length_bytes,
            },
        })
    }
}

json_by_serde!(DotNetString);

/// A .NET boolean: one byte, 0 or 1 in every file a game wrote. Any other value counts as true and is kept.
///
/// In JSON it is `true` or `false`, or a number for any other value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bool8(pub u8);

impl Bool8 {
    /// True for anything but 0, as .NET reads it.
    pub fn is_set(self) -> bool {
        self.0 != 0
    }
}

impl From<bool> for Bool8 {
    fn from(value: bool) -> Self {
        Self(u8::from(value))
    }
}

impl Fixed for Bool8 {
    const BYTES: usize = 1;

    #[inline(always)]
    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        u8::from_bytes(bytes).map(Self)
    }
}

impl<C: ?Sized> Wire<LittleBytes, C> for Bool8 {
    #[inline]
    fn read(reader: &mut ByteReader<'_, Little>, _: &C) -> Result<Self> {
        reader.u8().map(Self)
    }

    #[inline]
    fn write(&self, writer: &mut ByteWriter<Little>, _: &C) -> Result<()> {
        writer.u8(self.0);
        Ok(())
    }
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Bool8Json {
    Usual(bool),
    Odd(u8),
}

impl Serialize for Bool8 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            0 | 1 => Bool8Json::Usual(self.is_set()),
            other => Bool8Json::Odd(other),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Bool8 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Bool8Json::deserialize(deserializer)? {
            Bool8Json::Usual(value) => value.into(),
            Bool8Json::Odd(value) => Self(value),
        })
    }
}

json_by_serde!(Bool8);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_string_comes_back_from_bytes_and_json(
            bytes in prop::collection::vec(any::<u8>(), 0..300), spare in 0u8..3,
        ) {
            let string = DotNetString { text: bytes.into(), spare_length_bytes: spare };
            let mut writer = ByteWriter::new();
            string.write(&mut writer, &()).unwrap();
            let data = writer.into_bytes();
            let mut reader = ByteReader::new(&data);
            prop_assert_eq!(&DotNetString::read(&mut reader, &()).unwrap(), &string);
            prop_assert!(reader.is_empty());
            let json = serde_json::to_string(&string).unwrap();
            prop_assert_eq!(serde_json::from_str::<DotNetString>(&json).unwrap(), string);
        }
    }

    #[test]
    fn lengths_are_held_against_the_data_and_against_dot_net() {
        let read = |data: &[u8]| {
            DotNetString::read(&mut ByteReader::new(data), &())
                .unwrap_err()
                .to_string()
        };
        assert_eq!(
            read(&[0x80]),
            "data ends early (wanted 1 bytes, 0 left) at 0x1"
        );
        assert_eq!(
            read(&[0xff; 9]),
            "a string's length takes more than five bytes at 0x0"
        );
        assert!(read(&[0xff, 0xff, 0xff, 0xff, 0x7f]).contains("wanted 34359738367 bytes"));
    }

    #[test]
    fn a_boolean_keeps_its_byte() {
        let json = serde_json::to_string(&[Bool8(0), Bool8(1), Bool8(7)]).unwrap();
        assert_eq!(json, "[false,true,7]");
        assert_eq!(
            serde_json::from_str::<Vec<Bool8>>(&json).unwrap(),
            [Bool8(0), Bool8(1), Bool8(7)]
        );
    }
}
