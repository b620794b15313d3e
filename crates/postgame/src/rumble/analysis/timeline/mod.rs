//! A RUMBLE replay on the timeline: players with rig, head and hands, structures, and what happened.
//!
//! Values are held between changes: the recorder writes one only when something moved by more than a few millimetres.
//!
//! - `first`: the first generation; the second is here

mod first;

use std::collections::BTreeMap;

use super::events::add_events;
use crate::rumble::codec::model::fields::Value;
use crate::rumble::codec::model::manifest::StructureType;
use crate::rumble::codec::model::stream::{Chunk, Frame, chunk};
use crate::rumble::codec::model::{Replay, SecondReplay};
use crate::rumble::coords;
use crate::rumble::tables;
use crate::timeline::{
    Column, Entity, EntityId, Event, Hold, Presence, Sample, Timeline, Track, Values,
};

/// The parts of a player, as entities of their own: name, kind and the prefix of their fields.
const PARTS: [(&str, &str); 4] = [
    ("rig", "rig"),
    ("head", "head"),
    ("left hand", "left_hand"),
    ("right hand", "right_hand"),
];

/// What moves and happens in a replay.
pub fn timeline(replay: &Replay) -> Timeline {
    match replay {
        Replay::First(replay) => first::timeline(replay),
        Replay::Second(replay) => second(replay),
    }
}

/// A timeline with an entity for every player, their parts, and every structure; nothing is there yet.
struct Cast {
    timeline: Timeline,
    players: Vec<EntityId>,
    structures: Vec<EntityId>,
    /// How many frames the file has.
    frames: usize,
}

impl Cast {
    fn new(
        players: impl Iterator<Item = String>,
        structures: impl Iterator<Item = String>,
    ) -> Self {
        let mut cast = Self {
            timeline: Timeline::default(),
            players: Vec::new(),
            structures: Vec::new(),
            frames: 0,
        };
        for name in players {
            let player = cast.add(name.clone(), "player", None);
            cast.players.push(player);
            for (part, kind) in PARTS {
                cast.add(format!("{name} {part}"), kind, Some(player));
            }
        }
        for (index, name) in structures.enumerate() {
            let structure = cast.add(format!("{name} {index}"), "structure", None);
            cast.structures.push(structure);
        }
        cast
    }

    fn add(&mut self, name: String, kind: &'static str, parent: Option<EntityId>) -> EntityId {
        self.timeline.add(Entity {
            name,
            kind,
            parent,
            presence: Presence::default(),
            tracks: Vec::new(),
        })
    }

    /// The entity of a player's part: the parts follow their player.
    fn part(player: EntityId, part: usize) -> EntityId {
        EntityId(player.0 + 1 + part)
    }

    /// Records a value of one entity; the entity is there from its first value on.
    fn set(&mut self, id: EntityId, time_s: f64, column: &'static str, sample: Sample<'_>) {
        let Some(entity) = self.timeline.entities.get_mut(id.0) else {
            return;
        };
        entity.presence.appear(time_s);
        // Names are the same constants from call to call: the address tells first.
        let is_column = |track: &Track| {
            track
                .columns
                .first()
                .is_some_and(|first| std::ptr::eq(first.name, column) || first.name == column)
        };
        let position = entity.tracks.iter().position(is_column).unwrap_or_else(|| {
            // Players never rest: their parts get room for every frame at once.
            let room = if entity.parent.is_some() {
                self.frames
            } else {
                0
            };
            let values = match sample {
                Sample::Position(_) => Values::Position(Vec::with_capacity(room)),
                Sample::Rotation(_) => Values::Rotation(Vec::with_capacity(room)),
                Sample::Scalar(_) => Values::Scalar(Vec::new()),
                Sample::Flag(_) => Values::Flag(Vec::new()),
                Sample::Name(_) => Values::Name {
                    names: Vec::new(),
                    indices: Vec::new(),
                },
            };
            let column = Column {
                name: column,
                values,
            };
            let mut track = Track::new(Hold::Held, vec![column]);
            track.times_s.reserve(room);
            entity.tracks.push(track);
            entity.tracks.len() - 1
        });
        let Some(track) = entity.tracks.get_mut(position) else {
            return;
        };
        let Some(values) = track.columns.first_mut().map(|column| &mut column.values) else {
            return;
        };
        // A state repeats what did not change; only changes go on record. In a model that somebody wrote a field may be of
        // another kind than it was before: that has no place on its track.
        let last = values.len().checked_sub(1);
        let is_new = last.and_then(|last| values.get(last)) != Some(sample);
        if is_new && values.push(sample) {
            track.times_s.push(time_s);
        }
    }

    /// Ends the timeline at the last frame and adds the events that the states tell.
    fn finish(mut self, times_s: &[f64]) -> Timeline {
        self.timeline.start_s = times_s.first().copied().unwrap_or(0.0);
        self.timeline.end_s = times_s.last().copied().unwrap_or(0.0);
        add_events(&mut self.timeline, times_s);
        self.timeline
    }
}

fn structure_name(number: u8) -> String {
    tables::STRUCTURES
        .get(usize::from(number))
        .map_or_else(|| format!("Structure type {number}"), |name| (*name).into())
}

/// Times that never go backwards: a track must ascend, whatever the file says. `check` reports the file.
fn ascending(times_s: impl Iterator<Item = f32>) -> Vec<f64> {
    times_s
        .scan(f64::NEG_INFINITY, |latest_s, time_s| {
            if f64::from(time_s) > *latest_s {
                *latest_s = time_s.into();
            }
            Some(*latest_s)
        })
        .map(|time_s| if time_s.is_finite() { time_s } else { 0.0 })
        .collect()
}

fn second(replay: &SecondReplay) -> Timeline {
    let SecondReplay {
        manifest, stream, ..
    } = replay;
    let players = manifest.players().into_iter().map(|player| player.name);
    let structures = manifest
        .structure_types()
        .into_iter()
        .map(|kind| match kind {
            StructureType::Number(Some(number)) => structure_name(number),
            StructureType::Number(None) => "Structure".to_owned(),
            StructureType::Name(name) => name,
        });
    let mut cast = Cast::new(players, structures);
    let Some(stream) = stream else {
        return cast.finish(&[]);
    };
    // Pedestals and scene props are in no list: they join when they are first mentioned.
    let mut others = BTreeMap::new();
    let times_s = ascending(stream.frames.iter().map(|frame| frame.time_s));
    cast.frames = times_s.len();
    for (index, (frame, time_s)) in stream.frames.iter().zip(&times_s).enumerate() {
        second_frame(&mut cast, &mut others, *time_s, index, frame);
    }
    cast.finish(&times_s)
}

fn second_frame(
    cast: &mut Cast,
    others: &mut BTreeMap<(u8, i32), EntityId>,
    time_s: f64,
    frame_index: usize,
    frame: &Frame,
) {
    for update in &frame.chunks {
        let listed = |list: &[EntityId]| {
            usize::try_from(update.index)
                .ok()
                .and_then(|index| list.get(index).copied())
        };
        let id = match update.chunk_type {
            chunk::PLAYER => listed(&cast.players),
            chunk::STRUCTURE => listed(&cast.structures),
            chunk::PEDESTAL | chunk::SCENE_PROP => {
                let key = (update.chunk_type, update.index);
                Some(
                    *others
                        .entry(key)
                        .or_insert_with(|| match update.chunk_type {
                            chunk::PEDESTAL => {
                                cast.add(format!("Pedestal {}", update.index), "pedestal", None)
                            }
                            _ => {
                                cast.add(format!("Scene prop {}", update.index), "scene-prop", None)
                            }
                        }),
                )
            }
            chunk::EVENT => {
                let event = event(cast, time_s, frame_index, update);
                cast.timeline.events.push(event);
                None
            }
            _ => None,
        };
        let Some(id) = id else { continue };
        for field in &update.fields {
            let name = tables::field_name(update.chunk_type, field.id);
            set_field(cast, id, time_s, name, &field.value);
        }
    }
}

/// Puts one field on its track: of the player's part it speaks of, or of the entity itself.
fn set_field(cast: &mut Cast, id: EntityId, time_s: f64, name: &'static str, value: &Value) {
    let part = PARTS.iter().position(|(_, kind)| {
        name.strip_prefix(kind)
            .is_some_and(|rest| rest == "_position" || rest == "_rotation")
    });
    let id = part.map_or(id, |part| Cast::part(id, part));
    // What belongs to a part is its position or rotation; a rock cam's stays by its own name.
    match (value, part) {
        (Value::Vector(position), Some(_)) => {
            cast.set(
                id,
                time_s,
                "position",
                Sample::Position(coords::position(*position)),
            );
        }
        (Value::Vector(position), None) => cast.set(
            id,
            time_s,
            name,
            Sample::Position(coords::position(*position)),
        ),
        (Value::Rotation(rotation), Some(_)) => {
            cast.set(
                id,
                time_s,
                "rotation",
                Sample::Rotation(coords::rotation(rotation.to_quaternion())),
            );
        }
        (Value::Rotation(rotation), None) => {
            cast.set(
                id,
                time_s,
                name,
                Sample::Rotation(coords::rotation(rotation.to_quaternion())),
            );
        }
        (Value::Flag(flag), _) => cast.set(id, time_s, name, Sample::Flag(flag.is_set())),
        (Value::U8(number), _) if name == "state" => {
            let state = tables::STATES
                .get(usize::from(*number))
                .copied()
                .unwrap_or("Unknown");
            cast.set(id, time_s, name, Sample::Name(state));
        }
        (Value::U8(number), _) => cast.set(id, time_s, name, Sample::Scalar((*number).into())),
        (Value::I16(number), _) => cast.set(id, time_s, name, Sample::Scalar((*number).into())),
        (Value::I32(number), _) => cast.set(id, time_s, name, Sample::Scalar(*number as f32)),
        (Value::F32(number), _) => cast.set(id, time_s, name, Sample::Scalar(*number)),
        (Value::Text(_) | Value::Raw(_), _) => {}
    }
}

fn event(cast: &Cast, time_s: f64, frame: usize, chunk: &Chunk) -> Event {
    let mut event = Event {
        time_s,
        frame,
        kind: "event".into(),
        who: None,
        whom: None,
        position: None,
        details: Default::default(),
    };
    let listed = |list: &[EntityId], index: i32| {
        usize::try_from(index)
            .ok()
            .and_then(|index| list.get(index).copied())
    };
    for field in &chunk.fields {
        let name = tables::field_name(chunk.chunk_type, field.id);
        match (name, &field.value) {
            ("position", Value::Vector(position)) => {
                event.position = Some(coords::position(*position))
            }
            ("player_index", Value::I32(index)) => event.who = listed(&cast.players, *index),
            ("structure_id", Value::I32(index)) => event.whom = listed(&cast.structures, *index),
            ("effect", Value::U8(effect)) => {
                let name = tables::EFFECTS
                    .get(usize::from(*effect))
                    .copied()
                    .unwrap_or("Unknown");
                event.kind = kebab(name).into();
            }
            ("damage", Value::I32(damage)) => event
                .details
                .to_mut()
                .push(("damage", damage.to_string().into())),
            ("master_id", Value::Text(master_id)) => event
                .details
                .to_mut()
                .push(("master_id", master_id.to_string().into())),
            _ => {}
        }
    }
    event
}

/// `ImpactHeavy` as `impact-heavy`.
fn kebab(name: &str) -> String {
    let mut kebab = String::new();
    let mut before_was_small = false;
    for letter in name.chars() {
        if letter.is_uppercase() && before_was_small {
            kebab.push('-');
        }
        before_was_small = letter.is_lowercase();
        kebab.extend(letter.to_lowercase());
    }
    kebab
}
