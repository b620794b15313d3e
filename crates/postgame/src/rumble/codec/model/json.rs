//! Whole replays as JSON.
//!
//! Frames are read and written one by one. Compressed data is included only if compressing again would give other
//! bytes.

use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::{Error as _, SerializeStruct as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::first::{FramesSeed, Header};
use super::{FirstReplay, SecondReplay};
use crate::rumble::codec::archive::Archive;
use crate::rumble::codec::container::{self, STREAM, Wrapper};
use crate::rumble::codec::model::manifest::Manifest;
use crate::rumble::codec::model::stream::Stream;
use crate::wire::json::Bytes;
use crate::wire::packed::Packed;

impl Serialize for FirstReplay {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self {
            wrapper,
            header,
            frames,
            trailing,
        } = self;
        let mut wrapper = wrapper.clone();
        if let Some(packed) = wrapper.packed.take() {
            let payload = container::write_payload(self).map_err(S::Error::custom)?;
            wrapper.packed = packed.for_json(&payload).map_err(S::Error::custom)?;
        }
        let mut map = serializer.serialize_struct("FirstReplay", 4)?;
        map.serialize_field("wrapper", &wrapper)?;
        map.serialize_field("header", header)?;
        map.serialize_field("frames", frames)?;
        map.serialize_field("trailing", &Bytes(trailing.clone()))?;
        map.end()
    }
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
enum FirstKey {
    Wrapper,
    Header,
    Frames,
    Trailing,
}

struct FirstVisitor;

impl<'de> Visitor<'de> for FirstVisitor {
    type Value = FirstReplay;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a first-generation replay")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<FirstReplay, A::Error> {
        let (mut wrapper, mut header, mut frames, mut trailing) = (None, None, None, None);
        while let Some(key) = map.next_key()? {
            match key {
                FirstKey::Wrapper => wrapper = Some(map.next_value::<Wrapper>()?),
                FirstKey::Header => header = Some(map.next_value::<Header>()?),
                FirstKey::Frames => {
                    // Without the header the number of flags in a frame is unknown.
                    let header = header
                        .as_ref()
                        .ok_or_else(|| A::Error::custom("`frames` before `header`"))?;
                    let seed = FramesSeed {
                        structures: header.structures_per_frame(),
                        players: header.players.len(),
                    };
                    frames = Some(map.next_value_seed(seed)?);
                }
                FirstKey::Trailing => trailing = Some(map.next_value::<Bytes>()?),
            }
        }
        Ok(FirstReplay {
            wrapper: wrapper.unwrap_or_default(),
            header: header.ok_or_else(|| A::Error::missing_field("header"))?,
            frames: Some(frames.ok_or_else(|| A::Error::missing_field("frames"))?),
            trailing: trailing.unwrap_or_default().0,
        })
    }
}

impl<'de> Deserialize<'de> for FirstReplay {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct(
            "FirstReplay",
            &["wrapper", "header", "frames", "trailing"],
            FirstVisitor,
        )
    }
}

impl Serialize for SecondReplay {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self {
            archive,
            manifest,
            stream,
            packed_stream,
        } = self;
        let Some(stream) = stream else {
            return Err(S::Error::custom("only the header was read"));
        };
        let contents = stream.write().map_err(S::Error::custom)?;
        // Without its bytes the entry would be rebuilt, which would correct a wrong size or checksum.
        let is_wrong = |packed: &Packed| {
            let entry = archive.find(STREAM);
            entry.is_some_and(|entry| entry.is_stored() && !entry.describes(&packed.bytes.0))
        };
        let packed = match packed_stream {
            Some(packed) if is_wrong(packed) => Ok(Some(packed.with_digest(&contents))),
            Some(packed) => packed.for_json(&contents),
            None => Ok(None),
        };
        let mut map = serializer.serialize_struct("SecondReplay", 4)?;
        map.serialize_field("archive", archive)?;
        map.serialize_field("manifest", manifest)?;
        map.serialize_field("packed_stream", &packed.map_err(S::Error::custom)?)?;
        map.serialize_field("stream", stream)?;
        map.end()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SecondJson {
    archive: Archive,
    manifest: Manifest,
    #[serde(default)]
    packed_stream: Option<Packed>,
    stream: Stream,
}

impl<'de> Deserialize<'de> for SecondReplay {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let SecondJson {
            archive,
            manifest,
            packed_stream,
            stream,
        } = SecondJson::deserialize(deserializer)?;
        Ok(Self {
            archive,
            manifest,
            packed_stream,
            stream: Some(stream),
        })
    }
}
