//! A block of frames in JSON: streamed frame by frame in both directions.

use std::fmt;

use serde::de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::kinds::{Attribute, Kind, Value};
use super::network::{Action, Block, FrameView, Gap, Spawn, Updates, What};
use crate::wire::json::AsJson;

impl Serialize for Block {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = 1 + usize::from(self.gap.is_some());
        let mut block = serializer.serialize_struct("Block", fields)?;
        block.serialize_field("frames", &Frames(self))?;
        if let Some(gap) = &self.gap {
            block.serialize_field("gap", gap)?;
        }
        block.end()
    }
}

struct Frames<'a>(&'a Block);

impl Serialize for Frames<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.frames(0))
    }
}

impl Serialize for FrameView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut frame = serializer.serialize_struct("Frame", 3)?;
        frame.serialize_field("time_s", &AsJson(&self.time_s))?;
        frame.serialize_field("delta_s", &AsJson(&self.delta_s))?;
        frame.serialize_field("actors", &Actions(self))?;
        frame.end()
    }
}

struct Actions<'a>(&'a FrameView<'a>);

impl Serialize for Actions<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.actions())
    }
}

impl Serialize for Action<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut action = serializer.serialize_struct("Action", 2)?;
        action.serialize_field("actor", &self.actor)?;
        match &self.what {
            What::Deleted => action.serialize_field("deleted", &true)?,
            What::Spawned(spawn) => action.serialize_field("spawned", spawn)?,
            What::Updated(updates) => action.serialize_field("updated", updates)?,
        }
        action.end()
    }
}

impl Serialize for Updates<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.clone().map(|(id, value)| UpdateRef(id, value)))
    }
}

/// `{"id": 34, "byte": 128}`.
struct UpdateRef<'a>(u16, Value<&'a Attribute>);

impl Serialize for UpdateRef<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut update = serializer.serialize_map(Some(2))?;
        update.serialize_entry("id", &self.0)?;
        update.serialize_entry(self.1.kind().name(), &AsJson(&self.1))?;
        update.end()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BlockJson {
    frames: FramesJson,
    #[serde(default)]
    gap: Option<Gap>,
}

impl<'de> Deserialize<'de> for Block {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let BlockJson { frames, gap } = BlockJson::deserialize(deserializer)?;
        let mut block = frames.0;
        block.gap = gap;
        Ok(block)
    }
}

/// Frames that go into the block one by one.
struct FramesJson(Block);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FrameJson {
    #[serde(with = "crate::wire::json")]
    time_s: f32,
    #[serde(with = "crate::wire::json")]
    delta_s: f32,
    actors: Vec<ActionJson>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ActionJson {
    actor: u32,
    #[serde(default)]
    deleted: bool,
    #[serde(default)]
    spawned: Option<Spawn>,
    #[serde(default)]
    updated: Option<Vec<UpdateJson>>,
}

impl<'de> Deserialize<'de> for FramesJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FramesVisitor;
        impl<'de> Visitor<'de> for FramesVisitor {
            type Value = Block;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of frames")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut frames: A) -> Result<Block, A::Error> {
                let mut block = Block::default();
                while let Some(frame) = frames.next_element::<FrameJson>()? {
                    block.begin_frame(frame.time_s, frame.delta_s);
                    for action in frame.actors {
                        match action {
                            ActionJson {
                                actor,
                                deleted: true,
                                spawned: None,
                                updated: None,
                            } => block.delete(actor),
                            ActionJson {
                                actor,
                                deleted: false,
                                spawned: Some(spawn),
                                updated: None,
                            } => block.spawn(actor, spawn),
                            ActionJson {
                                actor,
                                deleted: false,
                                spawned: None,
                                updated: Some(updates),
                            } => block.update(
                                actor,
                                updates.into_iter().map(|UpdateJson(id, value)| (id, value)),
                            ),
                            _ => {
                                return Err(A::Error::custom(
                                    "an actor is either deleted, spawned or updated",
                                ));
                            }
                        }
                    }
                    block.end_frame();
                }
                Ok(block)
            }
        }
        deserializer.deserialize_seq(FramesVisitor).map(Self)
    }
}

struct UpdateJson(u16, Value);

impl<'de> Deserialize<'de> for UpdateJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct UpdateVisitor;
        impl<'de> Visitor<'de> for UpdateVisitor {
            type Value = UpdateJson;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an update: its id and its value by kind")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<UpdateJson, A::Error> {
                let (mut id, mut value) = (None, None);
                while let Some(key) = map.next_key::<std::borrow::Cow<'_, str>>()? {
                    if key == "id" {
                        id = Some(map.next_value()?);
                        continue;
                    }
                    let kind = Kind::from_name(&key)
                        .ok_or_else(|| A::Error::custom(format!("{key} is no kind of value")))?;
                    value = Some(map.next_value_seed(OfKind(kind))?);
                }
                let id = id.ok_or_else(|| A::Error::missing_field("id"))?;
                let value = value.ok_or_else(|| A::Error::custom("an update has no value"))?;
                Ok(UpdateJson(id, value))
            }
        }
        deserializer.deserialize_map(UpdateVisitor)
    }
}

struct OfKind(Kind);

impl<'de> DeserializeSeed<'de> for OfKind {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Value::from_json(self.0, deserializer)
    }
}
