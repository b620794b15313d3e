//! Unreal's strings, kept in their stored form and, if possible, in the body they were read from.
//!
//! Three quarters of a save are strings. A [`Str`] refers to a string in the inflated body in its stored form (length,
//! characters, NUL). So every unusual form is preserved, reading copies nothing, and writing is a copy. The body lives
//! as long as any string in it.

use std::borrow::{Borrow, Cow};
use std::cell::RefCell;
use std::fmt;
use std::hash::{Hash, Hasher};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::stored::Stored;
use crate::error::Result;
use crate::satisfactory::codec::decode::names::Names;
use crate::satisfactory::codec::decode::scope::Scope;
use crate::wire::bytes::{ByteReader, ByteWriter};
use crate::wire::json::{Bytes, json_by_serde};
use crate::wire::record::{LittleBytes, Wire};

/// A string as Unreal stores it: `i32` length, then that many bytes or, for a negative length, UTF-16 units; with NUL.
///
/// In JSON it is the text. A form that Unreal would not choose for the text becomes `{"wide": …}` (UTF-16 although
/// ASCII is sufficient), `{"terminated": ""}` (empty, but with its NUL) or `{"base64": …}` (the stored bytes).
#[derive(Clone)]
pub struct Str(Stored);

/// The empty string as stored.
static EMPTY: [u8; 4] = [0; 4];

impl Str {
    /// The empty text, stored as a length only. Every fourth string of a save is empty; this variant needs no reference
    /// to counted bytes.
    pub(in crate::satisfactory::codec) const EMPTY: Self = Self(Stored::NOTHING);

    pub(in crate::satisfactory::codec) fn from_encoded(encoded: &[u8]) -> Self {
        if *encoded == EMPTY {
            return Self::EMPTY;
        }
        Self(encoded.into())
    }

    /// A string that stays where it is stored, if `find` finds it there.
    #[inline(always)]
    pub(in crate::satisfactory::codec) fn stored(
        encoded: &[u8],
        find: impl FnOnce(&[u8]) -> Option<Stored>,
    ) -> Option<Self> {
        if *encoded == EMPTY {
            return Some(Self::EMPTY);
        }
        find(encoded).map(Self)
    }

    /// The string as stored, including its length.
    #[inline]
    pub fn encoded(&self) -> &[u8] {
        match &*self.0 {
            [] => &EMPTY,
            encoded => encoded,
        }
    }

    /// The address of the bytes, which is the same for all uses of a string from one interner.
    #[inline]
    pub(in crate::satisfactory::codec) fn address(&self) -> usize {
        self.encoded().as_ptr().addr()
    }

    /// True when the text is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.encoded().len() <= 4 || self.to_str().is_empty()
    }

    /// True when the text equals this ASCII text.
    #[inline]
    pub fn is(&self, text: &str) -> bool {
        if text.is_empty() {
            return self.ascii() == Some("");
        }
        // Most texts differ in their length, which is known without reading the bytes.
        self.0.length() == 4 + text.len() + 1
            && matches!(self.encoded().get(4..), Some([stored @ .., 0]) if *stored == *text.as_bytes())
            && text.is_ascii()
            && !self.is_wide()
    }

    /// The text in place, if it is stored as ASCII with a final NUL, which is nearly always the case.
    #[inline]
    pub fn ascii(&self) -> Option<&str> {
        match self.encoded().get(4..)? {
            [] => Some(""),
            [text @ .., 0] if !self.is_wide() && text.is_ascii() => std::str::from_utf8(text).ok(),
            _ => None,
        }
    }

    fn is_wide(&self) -> bool {
        self.encoded().get(3).is_some_and(|&high| high & 0x80 != 0)
    }

    /// The text, with replacement characters for invalid characters.
    pub fn to_str(&self) -> Cow<'_, str> {
        if let Some(text) = self.ascii() {
            return Cow::Borrowed(text);
        }
        let stored = self.encoded().get(4..).unwrap_or_default();
        if self.is_wide() {
            let (units, _) = stored.as_chunks::<2>();
            let units = units.iter().map(|&unit| u16::from_le_bytes(unit));
            let text =
                char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER));
            let mut text: String = text.collect();
            if text.ends_with('\0') {
                text.pop();
            }
            Cow::Owned(text)
        } else {
            let stored = stored.strip_suffix(&[0]).unwrap_or(stored);
            Cow::Owned(stored.iter().map(|&byte| char::from(byte)).collect())
        }
    }

    /// Skips a string and returns its bytes including the length, without copying.
    #[inline]
    pub fn skip<'a>(reader: &mut ByteReader<'a>) -> Result<&'a [u8]> {
        match reader.rest().first_chunk() {
            Some(length) => reader.bytes(Self::stored_bytes(*length)),
            None => reader.bytes(4),
        }
    }

    /// Number of bytes of a string with this length field.
    #[inline]
    fn stored_bytes(length: [u8; 4]) -> usize {
        let length = i32::from_le_bytes(length);
        let bytes = if length >= 0 {
            length as usize
        } else {
            length.unsigned_abs() as usize * 2
        };
        4 + bytes
    }

    /// A string at the start of some bytes, and the rest; `None` if the bytes end too early.
    #[inline(always)]
    pub(in crate::satisfactory::codec) fn split(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
        let length = bytes.first_chunk()?;
        bytes.split_at_checked(Self::stored_bytes(*length))
    }

    /// The string that consists of exactly these bytes.
    #[inline]
    pub(in crate::satisfactory::codec) fn whole(bytes: &[u8], scope: &Scope) -> Option<Self> {
        let (string, after) = Self::split(bytes)?;
        after.is_empty().then(|| scope.string(string))
    }

    /// The UTF-16 form of a text.
    fn wide(text: &str) -> Self {
        let units: Vec<u16> = text.encode_utf16().chain([0]).collect();
        let mut encoded = (-(units.len() as i32)).to_le_bytes().to_vec();
        encoded.extend(units.iter().flat_map(|unit| unit.to_le_bytes()));
        Self::from_encoded(&encoded)
    }
}

/// The form that Unreal chooses: only a length for an empty text, bytes for ASCII, else UTF-16.
impl From<&str> for Str {
    fn from(text: &str) -> Self {
        if text.is_empty() {
            Self::EMPTY
        } else if text.is_ascii() {
            let mut encoded = (text.len() as i32 + 1).to_le_bytes().to_vec();
            encoded.extend_from_slice(text.as_bytes());
            encoded.push(0);
            Self::from_encoded(&encoded)
        } else {
            Self::wide(text)
        }
    }
}

impl Default for Str {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl PartialEq for Str {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Str {}

/// Serializes the stored form, which is also used for comparison.
impl Borrow<[u8]> for Str {
    fn borrow(&self) -> &[u8] {
        self.encoded()
    }
}

impl Hash for Str {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.encoded().hash(state);
    }
}

impl fmt::Display for Str {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.to_str())
    }
}

impl fmt::Debug for Str {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_str(), f)
    }
}

impl Wire<LittleBytes, Scope> for Str {
    #[inline]
    fn read(reader: &mut ByteReader<'_>, scope: &Scope) -> Result<Self> {
        let encoded = Self::skip(reader)?;
        Ok(scope.string(encoded))
    }

    #[inline]
    fn write(&self, writer: &mut ByteWriter, _: &Scope) -> Result<()> {
        writer.bytes(self.encoded());
        Ok(())
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum OddJson<'a> {
    Wide(Cow<'a, str>),
    Terminated(Cow<'a, str>),
    Base64(Bytes),
}

impl Serialize for Str {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Some(text) = self.ascii()
            && (self.encoded().len() != 5)
        {
            return serializer.serialize_str(text);
        }
        let text = self.to_str();
        if Str::from(&*text) == *self {
            serializer.serialize_str(&text)
        } else if *self.encoded() == [1, 0, 0, 0, 0] {
            OddJson::Terminated(text).serialize(serializer)
        } else if Self::wide(&text) == *self {
            OddJson::Wide(text).serialize(serializer)
        } else {
            OddJson::Base64(self.encoded().into()).serialize(serializer)
        }
    }
}

struct StrVisitor;

impl<'de> serde::de::Visitor<'de> for StrVisitor {
    type Value = Str;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string, or an object with \"wide\", \"terminated\" or \"base64\"")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Str, E> {
        Ok(shared(text))
    }

    fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<Str, A::Error> {
        use serde::de::Error as _;
        let odd = OddJson::deserialize(serde::de::value::MapAccessDeserializer::new(map))?;
        Ok(match odd {
            OddJson::Wide(text) => Str::wide(&text),
            OddJson::Terminated(_) => Str::from_encoded(&[1, 0, 0, 0, 0]),
            OddJson::Base64(bytes) => {
                let mut reader = ByteReader::new(&bytes.0);
                match Str::skip(&mut reader) {
                    Ok(_) if reader.is_empty() => Str::from_encoded(&bytes.0),
                    _ => return Err(A::Error::custom("these bytes are not one string")),
                }
            }
        })
    }
}

impl<'de> Deserialize<'de> for Str {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrVisitor)
    }
}

json_by_serde!(Str);

thread_local! {
    /// The interner for the JSON being read by this thread; serde cannot pass a context.
    static SHARED: RefCell<Option<Names>> = const { RefCell::new(None) };
}

fn shared(text: &str) -> Str {
    SHARED.with_borrow_mut(|names| match names {
        Some(names) => {
            let string = Str::from(text);
            names.intern(string.encoded(), |_| string.clone())
        }
        None => text.into(),
    })
}

/// While this guard lives, strings that this thread reads from JSON are interned.
pub(in crate::satisfactory::codec) struct SharedNames(());

impl SharedNames {
    pub(in crate::satisfactory::codec) fn begin() -> Self {
        SHARED.set(Some(Names::default()));
        Self(())
    }
}

impl Drop for SharedNames {
    fn drop(&mut self) {
        SHARED.set(None);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn there_and_back(string: &Str) -> Str {
        let json = serde_json::to_string(string).unwrap();
        serde_json::from_str(&json).unwrap()
    }

    #[test]
    fn text_takes_the_form_unreal_chooses() {
        assert_eq!(Str::from("").encoded(), [0; 4]);
        assert_eq!(Str::from("ab").encoded(), b"\x03\0\0\0ab\0");
        assert_eq!(Str::from("é").encoded(), b"\xfe\xff\xff\xff\xe9\0\0\0");
        assert_eq!(Str::from("é").to_str(), "é");
        assert!(Str::from("None").is("None") && !Str::from("None").is("Non"));
    }

    #[test]
    fn odd_forms_are_kept_and_shown() {
        let forms: [(&[u8], &str, &str); 5] = [
            (&[1, 0, 0, 0, 0], "", r#"{"terminated":""}"#),
            (b"\xfe\xff\xff\xffa\0\0\0", "a", r#"{"wide":"a"}"#),
            (b"\x02\0\0\0\xe9\0", "é", r#"{"base64":"AgAAAOkA"}"#),
            (b"\x02\0\0\0ab", "ab", r#"{"base64":"AgAAAGFi"}"#),
            (
                b"\xfe\xff\xff\xff\0\xd8\0\0",
                "\u{fffd}",
                r#"{"base64":"/v///wDYAAA="}"#,
            ),
        ];
        for (encoded, text, json) in forms {
            let string = Str::from_encoded(encoded);
            assert_eq!(string.to_str(), text);
            assert_eq!(serde_json::to_string(&string).unwrap(), json);
            assert_eq!(there_and_back(&string), string);
        }
        assert!(serde_json::from_str::<Str>(r#"{"base64":"AgAAAGFiYw=="}"#).is_err());
    }

    proptest! {
        #[test]
        fn any_stored_string_comes_back(bytes in prop::collection::vec(any::<u8>(), 0..20), wide: bool) {
            let mut encoded = if wide { -(bytes.len() as i32) } else { bytes.len() as i32 }.to_le_bytes().to_vec();
            encoded.extend(bytes.iter().copied().chain(wide.then_some(bytes.iter().copied()).into_iter().flatten()));
            let scope = Scope::default();
            let string = Str::read(&mut ByteReader::new(&encoded), &scope).unwrap();
            prop_assert_eq!(string.encoded(), &encoded[..]);
            prop_assert_eq!(there_and_back(&string), string);
        }
    }
}
