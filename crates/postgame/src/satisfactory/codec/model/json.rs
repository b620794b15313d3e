//! Whole files as JSON.
//!
//! Objects are decoded and written one by one, and read one by one; strings are shared. Compressed data is included
//! only if compressing again would give other bytes.

use std::sync::Arc;

use serde::ser::{Error as _, SerializeSeq as _, SerializeStruct as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::basic::Ref;
use super::body::{BlueprintScope, Body, BodyOddities, Grids, LazyGrids};
use super::header::{BlueprintHeader, Header};
use super::level::{Destroyed, Entry, Level, Oddities};
use super::object::{Object, OptionalVersions};
use super::strings::{SharedNames, Str};
use super::version::VersionData;
use super::{Blueprint, Save};
use crate::satisfactory::codec::compression::chunks::{Chunks, Piece};
use crate::satisfactory::codec::decode::Decoder;
use crate::wire::json::{AsJson, Bytes, FromJson};

/// A level and the context needed to decode its objects.
struct LevelOut<'a> {
    body: &'a Body,
    decoder: &'a Decoder<'a>,
    level: &'a Level,
}

struct ObjectsOut<'a>(&'a LevelOut<'a>);

impl Serialize for ObjectsOut<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let LevelOut {
            body,
            decoder,
            level,
        } = self.0;
        let form = body.form(level);
        let mut list = serializer.serialize_seq(Some(level.objects.len()))?;
        for entry in &level.objects {
            let (object, _) = decoder.object(form, entry).map_err(S::Error::custom)?;
            list.serialize_element(&*object)?;
        }
        list.end()
    }
}

impl Serialize for LevelOut<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Level {
            name,
            objects: _,
            destroyed_in_contents,
            save_version,
            destroyed,
            versions,
            oddities,
        } = self.level;
        let mut map = serializer.serialize_struct("Level", 7)?;
        map.serialize_field("name", name)?;
        map.serialize_field("save_version", save_version)?;
        map.serialize_field("versions", versions)?;
        map.serialize_field("destroyed_in_contents", destroyed_in_contents)?;
        map.serialize_field("destroyed", destroyed)?;
        map.serialize_field("oddities", oddities)?;
        map.serialize_field("objects", &ObjectsOut(self))?;
        map.end()
    }
}

struct LevelsOut<'a>(&'a Body, &'a Decoder<'a>);

impl Serialize for LevelsOut<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(body, decoder) = *self;
        serializer.collect_seq(body.levels.iter().map(|level| LevelOut {
            body,
            decoder,
            level,
        }))
    }
}

impl Serialize for Body {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self {
            bytes: _,
            skipped: _,
            likely_length: _,
            save_version,
            blueprint: _,
            versions,
            grids: _,
            levels: _,
            persistent,
            unresolved,
            budget: _,
            oddities,
        } = self;
        let decoder = self.decoder();
        let mut map = serializer.serialize_struct("Body", 7)?;
        map.serialize_field("save_version", save_version)?;
        map.serialize_field("versions", versions)?;
        let grids = self.decode_grids().map_err(S::Error::custom)?;
        map.serialize_field("grids", &grids.as_ref().map(AsJson))?;
        map.serialize_field("levels", &LevelsOut(self, &decoder))?;
        let persistent = persistent.as_ref().map(|level| LevelOut {
            body: self,
            decoder: &decoder,
            level,
        });
        map.serialize_field("persistent", &persistent)?;
        map.serialize_field("unresolved", unresolved)?;
        map.serialize_field("oddities", oddities)?;
        map.end()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LevelIn {
    #[serde(default)]
    name: Option<Str>,
    #[serde(default)]
    save_version: Option<i32>,
    #[serde(default)]
    versions: Option<OptionalVersions>,
    #[serde(default)]
    destroyed_in_contents: Option<Destroyed>,
    #[serde(default)]
    destroyed: Option<Destroyed>,
    #[serde(default)]
    oddities: Oddities,
    objects: Vec<Entry>,
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Object::deserialize(deserializer)
            .map(Box::new)
            .map(Self::Loaded)
    }
}

impl From<LevelIn> for Level {
    fn from(level: LevelIn) -> Self {
        let LevelIn {
            name,
            save_version,
            versions,
            destroyed_in_contents,
            destroyed,
            oddities,
            objects,
        } = level;
        Self {
            name,
            objects,
            destroyed_in_contents,
            save_version,
            destroyed,
            versions,
            oddities,
        }
    }
}

impl<'de> Deserialize<'de> for Level {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        LevelIn::deserialize(deserializer).map(Level::from)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BodyIn {
    save_version: i32,
    #[serde(default)]
    versions: Option<Arc<VersionData>>,
    #[serde(default)]
    grids: Option<FromJson<Grids>>,
    #[serde(default)]
    levels: Vec<Level>,
    #[serde(default)]
    persistent: Option<Level>,
    #[serde(default)]
    unresolved: Option<Vec<Ref>>,
    #[serde(default)]
    oddities: BodyOddities,
}

impl<'de> Deserialize<'de> for Body {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let BodyIn {
            save_version,
            versions,
            grids,
            levels,
            persistent,
            unresolved,
            oddities,
        } = BodyIn::deserialize(deserializer)?;
        Ok(Self {
            budget: Arc::default(),
            bytes: Arc::default(),
            skipped: None,
            likely_length: 0,
            save_version,
            blueprint: None,
            versions,
            grids: grids.map(|grids| LazyGrids::Loaded(Box::new(grids.0))),
            levels,
            persistent,
            unresolved,
            oddities,
        })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChunksJson {
    names_compressor: bool,
    /// The chunks that compressing again would not reproduce.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    odd: Vec<OddPiece>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OddPiece {
    offset: u64,
    inflated: u32,
    header: u8,
    bytes: Bytes,
}

impl ChunksJson {
    fn new<E: serde::ser::Error>(chunks: &Chunks, body: &Body) -> Result<Self, E> {
        if chunks.stream().is_empty() {
            return Ok(Self {
                names_compressor: chunks.names_compressor,
                odd: Vec::new(),
            });
        }
        let inflated = body.write().map_err(E::custom)?;
        let odd = chunks.for_json(&inflated).map_err(E::custom)?;
        let piece = |piece: &Piece| {
            let start = piece.start as usize;
            let bytes = odd
                .stream()
                .get(start..start + piece.length as usize)
                .unwrap_or_default();
            OddPiece {
                offset: piece.offset,
                inflated: piece.inflated,
                header: piece.header,
                bytes: bytes.into(),
            }
        };
        Ok(Self {
            names_compressor: odd.names_compressor,
            odd: odd.pieces.iter().map(piece).collect(),
        })
    }
}

impl From<ChunksJson> for Chunks {
    fn from(json: ChunksJson) -> Self {
        let mut chunks = Self::new(json.names_compressor);
        let mut stream = Vec::new();
        for OddPiece {
            offset,
            inflated,
            header,
            bytes,
        } in json.odd
        {
            let (start, length) = (stream.len() as u64, bytes.0.len() as u32);
            stream.extend_from_slice(&bytes.0);
            chunks.pieces.push(Piece {
                offset,
                inflated,
                start,
                header,
                length,
            });
        }
        chunks.stream = Arc::new(stream.into());
        chunks
    }
}

impl Serialize for Save {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self {
            header,
            header_rest,
            keeps_hash,
            chunks,
            body,
        } = self;
        let Some(body) = body else {
            return Err(S::Error::custom("only the header was read"));
        };
        let is_wrong = !chunks.stream().is_empty()
            && header
                .data_hash
                .as_ref()
                .and_then(|hash| hash.md5)
                .is_some_and(|md5| md5 != crate::satisfactory::codec::md5(chunks.stream()));
        let mut map = serializer.serialize_struct("Save", 5)?;
        map.serialize_field("header", header)?;
        map.serialize_field("header_rest", header_rest)?;
        map.serialize_field("keeps_hash", &(*keeps_hash || is_wrong))?;
        map.serialize_field("chunks", &ChunksJson::new::<S::Error>(chunks, body)?)?;
        map.serialize_field("body", body)?;
        map.end()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SaveIn {
    header: Header,
    #[serde(default)]
    header_rest: Bytes,
    #[serde(default)]
    keeps_hash: bool,
    chunks: ChunksJson,
    body: Body,
}

impl<'de> Deserialize<'de> for Save {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let _names = SharedNames::begin();
        let SaveIn {
            header,
            header_rest,
            keeps_hash,
            chunks,
            body,
        } = SaveIn::deserialize(deserializer)?;
        Ok(Self {
            header,
            header_rest,
            keeps_hash,
            chunks: chunks.into(),
            body: Some(body),
        })
    }
}

impl Serialize for Blueprint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self {
            header,
            chunks,
            body,
        } = self;
        let Some(body) = body else {
            return Err(S::Error::custom("only the header was read"));
        };
        let mut map = serializer.serialize_struct("Blueprint", 3)?;
        map.serialize_field("header", header)?;
        map.serialize_field("chunks", &ChunksJson::new::<S::Error>(chunks, body)?)?;
        map.serialize_field("body", body)?;
        map.end()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BlueprintIn {
    header: BlueprintHeader,
    chunks: ChunksJson,
    body: Body,
}

impl<'de> Deserialize<'de> for Blueprint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let _names = SharedNames::begin();
        let BlueprintIn {
            header,
            chunks,
            mut body,
        } = BlueprintIn::deserialize(deserializer)?;
        let unreal = header.versions.as_ref().map(|versions| versions.unreal5);
        body.blueprint = Some(BlueprintScope { unreal });
        Ok(Self {
            header,
            chunks: chunks.into(),
            body: Some(body),
        })
    }
}
