//! The small values that all others are built from.

use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::strings::Str;
use crate::error::{Context as _, Result};
use crate::limits::Charge as _;
use crate::satisfactory::codec::decode::scope::Scope;
use crate::wire::bytes::{ByteReader, ByteWriter};
use crate::wire::json::{Bytes, json_by_serde};
use crate::wire::record::{Fixed, LittleBytes, Wire, record};

/// A reference to an object, or to a class or another asset.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ref {
    /// The level the object is in; empty for an asset.
    pub level: LevelName,
    /// The object's path; empty for a null reference.
    pub path: Str,
}

json_by_serde!(Ref);

/// The name of a level in a reference. Many references share a few of them, so it takes only one word; a reference
/// without a level has no name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct LevelName(Option<Arc<Str>>);

impl From<Str> for LevelName {
    fn from(name: Str) -> Self {
        Self((name != Str::EMPTY).then(|| Arc::new(name)))
    }
}

impl Deref for LevelName {
    type Target = Str;

    #[inline]
    fn deref(&self) -> &Str {
        static NONE: Str = Str::EMPTY;
        self.0.as_deref().unwrap_or(&NONE)
    }
}

impl Serialize for LevelName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for LevelName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Str::deserialize(deserializer).map(Self::from)
    }
}

impl Wire<LittleBytes, Scope> for Ref {
    #[inline]
    fn read(reader: &mut ByteReader<'_>, scope: &Scope) -> Result<Self> {
        let (level, path) = Self::skip(reader)?;
        Ok(Self {
            level: scope.level(level),
            path: scope.string(path),
        })
    }

    #[inline]
    fn write(&self, writer: &mut ByteWriter, scope: &Scope) -> Result<()> {
        self.level.write(writer, scope)?;
        self.path.write(writer, scope)
    }
}

impl Ref {
    /// Skips a reference: its level and its path as stored.
    #[inline]
    pub(in crate::satisfactory::codec) fn skip<'a>(
        reader: &mut ByteReader<'a>,
    ) -> Result<(&'a [u8], &'a [u8])> {
        // An object of a large factory has seven references, so the reader is advanced once for both strings.
        match Self::split(reader.rest()) {
            Some((level, path, after)) => {
                reader.leave(after.len());
                Ok((level, path))
            }
            None => Self::skip_in_turn(reader),
        }
    }

    /// The level and the path at the start of some bytes, and the rest; `None` if the bytes end too early.
    #[inline(always)]
    fn split(bytes: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
        let (level, after) = Str::split(bytes)?;
        let (path, after) = Str::split(after)?;
        Some((level, path, after))
    }

    /// The reference that consists of exactly these bytes.
    #[inline]
    pub(in crate::satisfactory::codec) fn whole(bytes: &[u8], scope: &Scope) -> Option<Self> {
        let (level, path, after) = Self::split(bytes)?;
        after.is_empty().then(|| Self {
            level: scope.level(level),
            path: scope.string(path),
        })
    }

    /// Skips a reference in data that ends too early, to find the place of the error.
    #[cold]
    fn skip_in_turn<'a>(reader: &mut ByteReader<'a>) -> Result<(&'a [u8], &'a [u8])> {
        let level = Str::skip(reader).field("level")?;
        let path = Str::skip(reader).field("path")?;
        Ok((level, path))
    }

    /// A null reference.
    pub fn is_none(&self) -> bool {
        self.path.is_empty()
    }

    /// A reference to an object in a level.
    pub fn new(level: &str, path: &str) -> Self {
        Self {
            level: Str::from(level).into(),
            path: path.into(),
        }
    }

    /// A reference to an asset, such as an item's class.
    pub fn asset(path: &str) -> Self {
        Self::new("", path)
    }
}

record! {
    /// A soft reference: a path to an object that need not be loaded.
    #[derive(Default)]
    pub struct SoftPath: LittleBytes(scope: Scope) {
        /// The package.
        pub package: Str,
        /// The asset in it.
        pub asset: Str,
        /// The object in the asset.
        pub sub_path: Str,
    }
}

/// Unreal's boolean: four bytes, 0 or 1 in every file seen. Another value counts as true and is kept.
///
/// In JSON it is `true` or `false`, or a number for any other value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bool32(pub u32);

impl Bool32 {
    /// True for anything but 0.
    pub fn is_set(self) -> bool {
        self.0 != 0
    }
}

impl From<bool> for Bool32 {
    fn from(value: bool) -> Self {
        Self(u32::from(value))
    }
}

impl Fixed for Bool32 {
    const BYTES: usize = u32::BYTES;

    #[inline(always)]
    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        u32::from_bytes(bytes).map(Self)
    }
}

impl<C: ?Sized> Wire<LittleBytes, C> for Bool32 {
    #[inline]
    fn read(reader: &mut ByteReader<'_>, _: &C) -> Result<Self> {
        reader.u32().map(Self)
    }

    #[inline]
    fn write(&self, writer: &mut ByteWriter, _: &C) -> Result<()> {
        writer.u32(self.0);
        Ok(())
    }
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Bool32Json {
    Usual(bool),
    Odd(u32),
}

impl Serialize for Bool32 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            0 | 1 => Bool32Json::Usual(self.is_set()),
            other => Bool32Json::Odd(other),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Bool32 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Bool32Json::deserialize(deserializer)? {
            Bool32Json::Usual(value) => value.into(),
            Bool32Json::Odd(value) => Self(value),
        })
    }
}

json_by_serde!(Bool32);

/// Sixteen bytes: a GUID or a digest. Hexadecimal in JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Id16(pub [u8; 16]);

impl<C: ?Sized> Wire<LittleBytes, C> for Id16 {
    #[inline]
    fn read(reader: &mut ByteReader<'_>, _: &C) -> Result<Self> {
        reader.array().map(Self)
    }

    #[inline]
    fn write(&self, writer: &mut ByteWriter, _: &C) -> Result<()> {
        writer.bytes(&self.0);
        Ok(())
    }
}

impl Serialize for Id16 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let digits: String = self.0.iter().map(|byte| format!("{byte:02x}")).collect();
        serializer.serialize_str(&digits)
    }
}

impl<'de> Deserialize<'de> for Id16 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error as _;
        let digits = String::deserialize(deserializer)?;
        let number = u128::from_str_radix(&digits, 16)
            .ok()
            .filter(|_| digits.len() == 32);
        let number = number.ok_or_else(|| D::Error::custom("not 32 hexadecimal digits"))?;
        Ok(Self(number.to_be_bytes()))
    }
}

json_by_serde!(Id16);

/// Vector components: double precision from save version 41 on, single before.
///
/// In JSON it is `{"f64": […]}` or `{"f32": […]}`, because the precision is part of the stored form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reals<const N: usize> {
    /// Single precision.
    F32(#[serde(with = "crate::wire::json")] [f32; N]),
    /// Double precision.
    F64(#[serde(with = "crate::wire::json")] [f64; N]),
}

impl<const N: usize> Reals<N> {
    /// The components in double precision.
    pub fn to_f64(&self) -> [f64; N] {
        match self {
            Self::F32(values) => values.map(f64::from),
            Self::F64(values) => *values,
        }
    }
}

impl<const N: usize> Wire<LittleBytes, Scope> for Reals<N> {
    #[inline]
    fn read(reader: &mut ByteReader<'_>, scope: &Scope) -> Result<Self> {
        if scope.versions().has_doubles() {
            Wire::<LittleBytes, Scope>::read(reader, scope).map(Self::F64)
        } else {
            Wire::<LittleBytes, Scope>::read(reader, scope).map(Self::F32)
        }
    }

    fn write(&self, writer: &mut ByteWriter, scope: &Scope) -> Result<()> {
        match self {
            Self::F32(values) => Wire::<LittleBytes, Scope>::write(values, writer, scope),
            Self::F64(values) => Wire::<LittleBytes, Scope>::write(values, writer, scope),
        }
    }
}

json_by_serde!(Reals<2>, Reals<3>, Reals<4>);

/// A list of bytes preceded by its length.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ByteList(pub Bytes);

impl Wire<LittleBytes, Scope> for ByteList {
    fn read(reader: &mut ByteReader<'_>, _: &Scope) -> Result<Self> {
        let count = reader.count("a list of bytes", 1)?;
        Ok(Self(reader.bytes(count)?.into()))
    }

    fn write(&self, writer: &mut ByteWriter, _: &Scope) -> Result<()> {
        writer.count("a list of bytes", self.0.0.len())?;
        writer.bytes(&self.0.0);
        Ok(())
    }
}

json_by_serde!(ByteList);

/// A count-prefixed list of pairs, in file order.
#[derive(Clone, Debug, PartialEq)]
pub struct Pairs<K, V>(pub Vec<(K, V)>);

impl<K, V> Default for Pairs<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K: Wire<LittleBytes, Scope>, V: Wire<LittleBytes, Scope>> Wire<LittleBytes, Scope>
    for Pairs<K, V>
{
    fn read(reader: &mut ByteReader<'_>, scope: &Scope) -> Result<Self> {
        let count = reader.count("a number of pairs", 2)?;
        let mut pairs = Vec::with_capacity(count.min(1024));
        for index in 0..count {
            let charged = scope.charge(size_of::<(K, V)>());
            charged.map_err(|error| error.at(reader.place()))?;
            let key = K::read(reader, scope).field("key").index(index)?;
            pairs.push((key, V::read(reader, scope).field("value").index(index)?));
        }
        Ok(Self(pairs))
    }

    fn write(&self, writer: &mut ByteWriter, scope: &Scope) -> Result<()> {
        writer.count("a number of pairs", self.0.len())?;
        for (index, (key, value)) in self.0.iter().enumerate() {
            key.write(writer, scope).field("key").index(index)?;
            value.write(writer, scope).field("value").index(index)?;
        }
        Ok(())
    }
}

impl<K: crate::wire::json::Json, V: crate::wire::json::Json> crate::wire::json::Json
    for Pairs<K, V>
{
    fn to_json<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.to_json(serializer)
    }

    fn from_json<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::from_json(deserializer).map(Self)
    }
}
