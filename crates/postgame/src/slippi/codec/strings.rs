//! Names as the game stores them: fixed-size fields, Windows' Shift JIS (code page 932), mostly full-width letters.

use std::fmt;

use encoding_rs::SHIFT_JIS;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::Result;
use crate::wire::bytes::{Big, ByteReader, ByteWriter};
use crate::wire::json::{Bytes, json_by_serde};
use crate::wire::record::{BigBytes, Wire};

/// Text in a field of `N` bytes, kept together with the bytes after its end.
///
/// In JSON it is the text, or `{"base64": "…"}` if encoding that text would give other bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct FixedText<const N: usize>(pub [u8; N]);

impl<const N: usize> FixedText<N> {
    /// The text up to the first zero byte, as stored: full-width letters stay. Bytes that are not Shift JIS are
    /// replaced.
    pub fn decoded(&self) -> String {
        let end = self.0.iter().position(|&byte| byte == 0).unwrap_or(N);
        let text = self.0.get(..end).unwrap_or_default();
        SHIFT_JIS.decode_without_bom_handling(text).0.into_owned()
    }

    /// The text as players type it: full-width letters and signs folded to half width.
    pub fn folded(&self) -> String {
        fold(&self.decoded())
    }

    /// True when the text is empty.
    pub fn is_empty(&self) -> bool {
        self.0.first().is_none_or(|&byte| byte == 0)
    }

    /// The field filled with a text and zeros; `None` if the text does not fit or is not representable in Shift JIS.
    pub fn of(text: &str) -> Option<Self> {
        let (bytes, _, has_errors) = SHIFT_JIS.encode(text);
        let mut room = [0; N];
        room.get_mut(..bytes.len())?.copy_from_slice(&bytes);
        (!has_errors).then_some(Self(room))
    }
}

/// Folds full-width letters and signs to half width, as players read them.
pub fn fold(text: &str) -> String {
    text.chars()
        .map(|letter| match letter {
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(letter as u32 - 0xfee0).unwrap_or(letter),
            '\u{3000}' => ' ',
            '\u{2019}' => '\'',
            '\u{201d}' => '"',
            _ => letter,
        })
        .collect()
}

impl<const N: usize> Default for FixedText<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

impl<const N: usize> fmt::Debug for FixedText<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.decoded(), f)
    }
}

impl<C: ?Sized, const N: usize> Wire<BigBytes, C> for FixedText<N> {
    fn read(reader: &mut ByteReader<'_, Big>, _: &C) -> Result<Self> {
        reader.array().map(Self)
    }

    fn write(&self, writer: &mut ByteWriter<Big>, _: &C) -> Result<()> {
        writer.bytes(&self.0);
        Ok(())
    }
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum FixedJson {
    Text(String),
    Raw { base64: Bytes },
}

impl<const N: usize> Serialize for FixedText<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.decoded();
        match Self::of(&text) {
            Some(same) if same == *self => FixedJson::Text(text),
            _ => FixedJson::Raw {
                base64: self.0.as_slice().into(),
            },
        }
        .serialize(serializer)
    }
}

impl<'de, const N: usize> Deserialize<'de> for FixedText<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error as _;
        match FixedJson::deserialize(deserializer)? {
            FixedJson::Text(text) => Self::of(&text)
                .ok_or_else(|| D::Error::custom(format!("{text:?} does not fit into {N} bytes"))),
            FixedJson::Raw { base64 } => {
                let bytes = base64
                    .0
                    .try_into()
                    .map_err(|_| D::Error::custom(format!("not {N} bytes")))?;
                Ok(Self(bytes))
            }
        }
    }
}

json_by_serde!(
    FixedText<10>,
    FixedText<16>,
    FixedText<29>,
    FixedText<31>,
    FixedText<51>
);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_bytes_come_back_from_json(bytes in any::<[u8; 16]>()) {
            let text = FixedText(bytes);
            let json = serde_json::to_string(&text).unwrap();
            prop_assert_eq!(serde_json::from_str::<FixedText<16>>(&json).unwrap(), text);
        }
    }

    #[test]
    fn names_are_code_page_932_folded() {
        // Strict JIS and code page 932 differ in the wave dash and the minus sign.
        let text = FixedText(*b"\x81\x60\x81\x7c\x82\x60\x81\x40\x81\x66\x81\x94\x31\0\0\0");
        assert_eq!(text.decoded(), "～－Ａ　’＃1");
        assert_eq!(text.folded(), "~-A '#1");
        let full = FixedText(*b"\x81\x49\x81\x49\x81\x49\x81\x49\x81\x49\x81\x49\x81\x49\x81\x49");
        assert_eq!(full.folded(), "!!!!!!!!");
        assert_eq!(FixedText::<4>::of("abcde"), None);
        let junk = FixedText(*b"ab\0cd\0\0\0\0\0");
        assert!(serde_json::to_string(&junk).unwrap().contains("base64"));
    }
}
