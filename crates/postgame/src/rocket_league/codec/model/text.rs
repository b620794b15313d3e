//! Text as Unreal stores it: a length, 8 or 16 bits a character, a NUL at the end.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::{Error, Result};
use crate::wire::bits::{BitReader, BitWriter};
use crate::wire::bytes::{ByteReader, ByteWriter, Little};
use crate::wire::json::{Bytes, json_by_serde};
use crate::wire::record::{Bits, LittleBytes, Wire};

/// A string as text, plus its stored form if the game would have stored that text differently.
///
/// The game stores Latin-1 if it has all characters, else UTF-16. A positive length counts bytes, a negative one 16-bit
/// units, both including the final NUL; an empty text has no NUL. In JSON it is a string, or `{"raw": "…"}` with the
/// length and the bytes as stored.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text {
    text: Box<str>,
    raw: Option<Box<[u8]>>,
}

/// Number of bytes that follow a length.
fn data_bytes(length: i32) -> usize {
    let length = i64::from(length);
    if length < 0 {
        (-length * 2) as usize
    } else {
        length as usize
    }
}

impl Text {
    /// The text.
    #[inline]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// True when the text is empty.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// True if the game would have stored the text differently.
    pub fn is_odd(&self) -> bool {
        self.raw.is_some()
    }

    fn from_stored(length: i32, data: &[u8]) -> Self {
        if length > 0
            && let Some((0, letters)) = data.split_last()
        {
            let text = if letters.is_ascii() {
                std::str::from_utf8(letters).unwrap_or_default().into()
            } else {
                letters.iter().map(|&letter| char::from(letter)).collect()
            };
            // A lone NUL is an empty text, which the game stores with a length of zero.
            if !letters.is_empty() {
                return Self { text, raw: None };
            }
        }
        if length == 0 {
            return Self::default();
        }
        Self::from_unusual(length, data)
    }

    fn from_unusual(length: i32, data: &[u8]) -> Self {
        let text: String = if length < 0 {
            let (units, _) = data.as_chunks::<2>();
            let units: Vec<u16> = units.iter().map(|unit| u16::from_le_bytes(*unit)).collect();
            String::from_utf16_lossy(units.strip_suffix(&[0]).unwrap_or(&units))
        } else {
            let letters = data.strip_suffix(&[0]).unwrap_or(data);
            letters.iter().map(|&letter| char::from(letter)).collect()
        };
        let mut stored = length.to_le_bytes().to_vec();
        stored.extend_from_slice(data);
        let usual = Self {
            text: text.into(),
            raw: None,
        };
        if usual.to_stored().is_ok_and(|usual| usual == stored) {
            return usual;
        }
        Self {
            raw: Some(stored.into()),
            ..usual
        }
    }

    /// Length and data, as stored.
    fn to_stored(&self) -> Result<Vec<u8>> {
        if let Some(raw) = &self.raw {
            return Ok(raw.to_vec());
        }
        if self.text.is_empty() {
            return Ok(vec![0; 4]);
        }
        let too_long = || Error::unwritable("a text is too long");
        let mut stored = vec![0; 4];
        let length = if self.text.chars().all(|letter| u32::from(letter) < 256) {
            stored.extend(self.text.chars().map(|letter| u32::from(letter) as u8));
            stored.push(0);
            i32::try_from(stored.len() - 4).map_err(|_| too_long())?
        } else {
            for unit in self.text.encode_utf16().chain([0]) {
                stored.extend_from_slice(&unit.to_le_bytes());
            }
            -i32::try_from((stored.len() - 4) / 2).map_err(|_| too_long())?
        };
        for (target, byte) in stored.iter_mut().zip(length.to_le_bytes()) {
            *target = byte;
        }
        Ok(stored)
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self {
            text: text.into(),
            raw: None,
        }
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.text, f)
    }
}

impl<C: ?Sized> Wire<LittleBytes, C> for Text {
    fn read(reader: &mut ByteReader<'_, Little>, _: &C) -> Result<Self> {
        let start = reader.position();
        let length = reader.i32()?;
        match reader.bytes(data_bytes(length)) {
            Ok(data) => Ok(Self::from_stored(length, data)),
            Err(error) => {
                reader.seek(start);
                Err(error)
            }
        }
    }

    fn write(&self, writer: &mut ByteWriter<Little>, _: &C) -> Result<()> {
        writer.bytes(&self.to_stored()?);
        Ok(())
    }
}

impl<C: ?Sized> Wire<Bits, C> for Text {
    fn read(reader: &mut BitReader<'_>, _: &C) -> Result<Self> {
        let length = reader.bits(32)? as u32 as i32;
        let data = reader.bytes(data_bytes(length))?;
        Ok(Self::from_stored(length, &data))
    }

    fn write(&self, writer: &mut BitWriter, _: &C) -> Result<()> {
        writer.bytes(&self.to_stored()?);
        Ok(())
    }
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum TextJson {
    Usual(String),
    Odd { raw: Bytes },
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.raw {
            None => serializer.serialize_str(&self.text),
            Some(raw) => TextJson::Odd {
                raw: Bytes(raw.to_vec()),
            }
            .serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match TextJson::deserialize(deserializer)? {
            TextJson::Usual(text) => Ok(Self {
                text: text.into(),
                raw: None,
            }),
            TextJson::Odd { raw } => {
                let mut reader = ByteReader::<Little>::new(&raw.0);
                let text = <Self as Wire<LittleBytes>>::read(&mut reader, &());
                text.ok()
                    .filter(|_| reader.is_empty())
                    .ok_or_else(|| serde::de::Error::custom("not a stored text"))
            }
        }
    }
}

json_by_serde!(Text);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(stored: &[u8]) -> Text {
        let mut reader = ByteReader::<Little>::new(stored);
        let text = <Text as Wire<LittleBytes>>::read(&mut reader, &()).unwrap();
        assert!(reader.is_empty());
        text
    }

    #[test]
    fn usual_texts_are_plain_and_odd_ones_are_kept() {
        let usual: [(&[u8], &str); 4] = [
            (&[0, 0, 0, 0], ""),
            (&[3, 0, 0, 0, b'h', b'i', 0], "hi"),
            (&[2, 0, 0, 0, 0xe9, 0], "é"),
            (&[0xfe, 0xff, 0xff, 0xff, 0x14, 0x20, 0, 0], "—"),
        ];
        for (stored, text) in usual {
            assert_eq!(read(stored), Text::from(text));
            assert_eq!(Text::from(text).to_stored().unwrap(), stored);
        }
        let odd: [(&[u8], &str); 4] = [
            (&[1, 0, 0, 0, 0], ""),
            (&[2, 0, 0, 0, b'h', b'i'], "hi"),
            (&[0xfe, 0xff, 0xff, 0xff, b'h', 0, 0, 0], "h"),
            (&[0xfe, 0xff, 0xff, 0xff, 0, 0xd8, 0, 0], "\u{fffd}"),
        ];
        for (stored, text) in odd {
            let odd = read(stored);
            assert!(odd.is_odd() && odd.as_str() == text, "{odd:?}");
            assert_eq!(odd.to_stored().unwrap(), stored);
        }
    }

    #[test]
    fn a_length_is_held_against_the_data() {
        for length in [i32::MIN, i32::MAX, -3, 5] {
            let mut stored = length.to_le_bytes().to_vec();
            stored.extend([0; 4]);
            let mut reader = ByteReader::<Little>::new(&stored);
            assert!(<Text as Wire<LittleBytes>>::read(&mut reader, &()).is_err());
            assert!(<Text as Wire<Bits>>::read(&mut BitReader::new(&stored), &()).is_err());
        }
    }

    proptest! {
        #[test]
        fn everything_stored_comes_back_from_both_forms_and_json(
            wide in any::<bool>(), data in prop::collection::vec(any::<u8>(), 0..20), text in ".{0,9}",
        ) {
            let length = if wide { -(data.len() as i32 / 2) } else { data.len() as i32 };
            let mut stored = length.to_le_bytes().to_vec();
            stored.extend_from_slice(&data[..data_bytes(length)]);
            for stored in [stored, Text::from(text.as_str()).to_stored().unwrap()] {
                let text = read(&stored);
                prop_assert_eq!(text.to_stored().unwrap(), stored.clone());
                let json = serde_json::to_string(&text).unwrap();
                prop_assert_eq!(serde_json::from_str::<Text>(&json).unwrap(), text.clone());
                let mut writer = BitWriter::new();
                writer.bits(1, 3);
                <Text as Wire<Bits>>::write(&text, &mut writer, &()).unwrap();
                let bits = writer.into_bytes();
                let mut reader = BitReader::new(&bits);
                reader.seek(3);
                prop_assert_eq!(<Text as Wire<Bits>>::read(&mut reader, &()).unwrap(), text);
            }
        }
    }
}
