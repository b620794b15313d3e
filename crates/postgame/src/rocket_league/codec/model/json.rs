//! The network stream in JSON: streamed frame by frame in both directions.

use std::fmt;

use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::kinds::{Attribute, Kind, Value};
use super::names::Names;
use super::network::{Action, Block, FrameView, Gap, Network, Spawn, Updates, What};
use crate::wire::json::AsJson;

/// A part of the stream, with the names its ids stand for.
pub(super) struct Named<'a, T>(pub T, pub &'a Names<'a>);

impl Serialize for Named<'_, &Network> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(
            Network {
                blocks,
                rest,
                stated_size,
            },
            names,
        ) = self;
        let mut network = serializer.serialize_struct("Network", 3)?;
        network.serialize_field("blocks", &Named(&blocks[..], names))?;
        if let Some(rest) = rest {
            network.serialize_field("rest", rest)?;
        }
        if let Some(size) = stated_size {
            network.serialize_field("stated_size", size)?;
        }
        network.end()
    }
}

impl Serialize for Named<'_, &[Block]> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|block| Named(block, self.1)))
    }
}

impl Serialize for Named<'_, &Block> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = 1 + usize::from(self.0.gap.is_some());
        let mut block = serializer.serialize_struct("Block", fields)?;
        block.serialize_field("frames", &Named(Frames(self.0), self.1))?;
        if let Some(gap) = &self.0.gap {
            block.serialize_field("gap", gap)?;
            self.1.0.borrow_mut().forget();
        }
        block.end()
    }
}

struct Frames<'a>(&'a Block);

impl Serialize for Named<'_, Frames<'_>> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let frames = self.0.0.frames(0);
        serializer.collect_seq(frames.map(|frame| Named(frame, self.1)))
    }
}

impl Serialize for Named<'_, FrameView<'_>> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut frame = serializer.serialize_struct("Frame", 3)?;
        frame.serialize_field("time_s", &AsJson(&self.0.time_s))?;
        frame.serialize_field("delta_s", &AsJson(&self.0.delta_s))?;
        frame.serialize_field("actors", &Named(Actions(&self.0), self.1))?;
        frame.end()
    }
}

struct Actions<'a>(&'a FrameView<'a>);

impl Serialize for Named<'_, Actions<'_>> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let actions = self.0.0.actions();
        serializer.collect_seq(actions.map(|action| Named(action, self.1)))
    }
}

impl Serialize for Named<'_, Action<'_>> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(Action { actor, what }, names) = self;
        names.0.borrow_mut().apply(&self.0);
        let mut action = serializer.serialize_map(None)?;
        action.serialize_entry("actor", actor)?;
        match what {
            What::Deleted => action.serialize_entry("deleted", &true)?,
            What::Spawned(spawn) => {
                if let Some(name) = names.0.borrow().object_name(*actor) {
                    action.serialize_entry("object", name)?;
                }
                action.serialize_entry("spawned", spawn)?;
            }
            What::Updated(updates) => {
                let updates = UpdatesOf {
                    actor: *actor,
                    updates,
                };
                action.serialize_entry("updated", &Named(updates, names))?;
            }
        }
        action.end()
    }
}

/// The updates of an actor.
struct UpdatesOf<'a> {
    actor: u32,
    updates: &'a Updates<'a>,
}

impl Serialize for Named<'_, UpdatesOf<'_>> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(UpdatesOf { actor, updates }, names) = self;
        let actors = names.0.borrow();
        serializer.collect_seq((*updates).clone().map(|(id, value)| UpdateRef {
            id,
            name: actors.attribute_name(*actor, id),
            value,
        }))
    }
}

/// `{"id": 34, "name": "TAGame.VehiclePickup_TA:…", "byte": 128}`. The name is for human readers and ignored when
/// reading.
struct UpdateRef<'a> {
    id: u16,
    name: Option<&'a str>,
    value: Value<&'a Attribute>,
}

impl Serialize for UpdateRef<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut update = serializer.serialize_map(None)?;
        update.serialize_entry("id", &self.id)?;
        if let Some(name) = self.name {
            update.serialize_entry("name", name)?;
        }
        update.serialize_entry(self.value.kind().name(), &AsJson(&self.value))?;
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

/// Reads frames into the block one by one.
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
    /// The name of the archetype, for human readers.
    #[serde(default, rename = "object")]
    _object: IgnoredAny,
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
                                _object: _,
                                deleted: true,
                                spawned: None,
                                updated: None,
                            } => block.delete(actor),
                            ActionJson {
                                actor,
                                _object: _,
                                deleted: false,
                                spawned: Some(spawn),
                                updated: None,
                            } => block.spawn(actor, spawn),
                            ActionJson {
                                actor,
                                _object: _,
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
                    if key == "name" {
                        map.next_value::<IgnoredAny>()?;
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
