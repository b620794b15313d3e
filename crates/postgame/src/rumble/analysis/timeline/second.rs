//! The second generation on the timeline: changed fields, the recorder's own events, markers, voices.

use std::collections::BTreeMap;

use super::{Cast, PARTS, ascending, structure_name};
use crate::rumble::codec::model::SecondReplay;
use crate::rumble::codec::model::fields::Value;
use crate::rumble::codec::model::manifest::{Manifest, StructureType};
use crate::rumble::codec::model::stream::{Chunk, Frame, Stream, chunk};
use crate::rumble::coords;
use crate::rumble::tables;
use crate::timeline::{EntityId, Event, Sample, Timeline};

/// What moves and happens in a replay of the second generation.
pub(super) fn timeline(replay: &SecondReplay) -> Timeline {
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
    let times_s = ascending(stream.frames.iter().map(|frame| frame.time_s));
    cast.frames = times_s.len();
    let mut reader = FrameReader {
        facts: Facts::new(manifest, stream),
        others: BTreeMap::new(),
        cast,
    };
    for (index, (frame, time_s)) in stream.frames.iter().zip(&times_s).enumerate() {
        reader.read(*time_s, index, frame);
    }
    let FrameReader { mut cast, .. } = reader;
    add_target_damages(&mut cast, manifest);
    add_markers(&mut cast, manifest, &times_s);
    add_voices(&mut cast, replay, &times_s);
    cast.finish(&times_s)
}

/// What has to be known about the whole file before a frame can be understood.
struct Facts {
    /// The indices of structures by the ids that events use; empty where events use the indices themselves.
    structure_ids: BTreeMap<i64, usize>,
    /// The names of scene props whose kind is known.
    scene_props: Vec<Option<&'static str>>,
    /// Whether an event's player index says who did it. The recorder writes 0 where it does not know.
    has_player_indices: bool,
    /// Whether a structure's state tells whether it stands in the ground: no file since March 2026 has a field for it.
    state_tells_grounded: bool,
}

impl Facts {
    fn new(manifest: &Manifest, stream: &Stream) -> Self {
        let ids = manifest.structure_ids().into_iter().enumerate();
        let props = manifest.scene_prop_types().into_iter();
        let chunks = || stream.frames.iter().flat_map(|frame| &frame.chunks);
        let has_field = |wanted: &'static str, kind: u8, holds: fn(&Value) -> bool| {
            let of_kind = chunks().filter(move |chunk| chunk.chunk_type == kind);
            let mut fields = of_kind.flat_map(|chunk| &chunk.fields);
            fields.any(|field| tables::field_name(kind, field.id) == wanted && holds(&field.value))
        };
        Self {
            structure_ids: ids.filter_map(|(index, id)| Some((id?, index))).collect(),
            scene_props: props
                .map(|kind| {
                    let index = usize::try_from(kind?).ok()?;
                    tables::SCENE_PROPS.get(index).copied()
                })
                .collect(),
            has_player_indices: has_field(
                "player_index",
                chunk::EVENT,
                |value| matches!(value, Value::I32(index) if *index > 0),
            ),
            state_tells_grounded: !has_field("grounded", chunk::STRUCTURE, |_| true),
        }
    }

    fn scene_prop_name(&self, index: i32) -> String {
        let known = usize::try_from(index)
            .ok()
            .and_then(|index| self.scene_props.get(index).copied().flatten());
        format!("{} {index}", known.unwrap_or("Scene prop"))
    }
}

struct FrameReader {
    facts: Facts,
    cast: Cast,
    /// Pedestals and scene props: they join when they are first mentioned.
    others: BTreeMap<(u8, i32), EntityId>,
}

impl FrameReader {
    fn read(&mut self, time_s: f64, frame_index: usize, frame: &Frame) {
        for update in &frame.chunks {
            if update.chunk_type == chunk::EVENT {
                let event = event(&self.cast, &self.facts, time_s, frame_index, update);
                self.cast.timeline.events.push(event);
                continue;
            }
            let Some(id) = self.entity(update) else {
                continue;
            };
            let is_new = self.cast.is_absent(id);
            for field in &update.fields {
                let name = tables::field_name(update.chunk_type, field.id);
                set_field(&mut self.cast, id, time_s, name, &field.value);
                if name == "state" && self.facts.state_tells_grounded {
                    set_grounded(&mut self.cast, id, time_s, &field.value);
                }
            }
            // The first mention is a difference from zeros: what is not active there is not mentioned.
            let is_active = |field: &crate::rumble::codec::model::fields::Field| {
                tables::field_name(update.chunk_type, field.id) == "active"
            };
            let has_active = update.chunk_type <= chunk::PEDESTAL;
            if is_new && has_active && !update.fields.iter().any(is_active) {
                self.cast.set(id, time_s, "active", Sample::Flag(false));
            }
        }
    }

    fn entity(&mut self, update: &Chunk) -> Option<EntityId> {
        let listed = |list: &[EntityId]| {
            usize::try_from(update.index)
                .ok()
                .and_then(|index| list.get(index).copied())
        };
        match update.chunk_type {
            chunk::PLAYER => listed(&self.cast.players),
            chunk::STRUCTURE => listed(&self.cast.structures),
            chunk::PEDESTAL | chunk::SCENE_PROP => {
                let (cast, facts) = (&mut self.cast, &self.facts);
                let key = (update.chunk_type, update.index);
                let id = self
                    .others
                    .entry(key)
                    .or_insert_with(|| match update.chunk_type {
                        chunk::PEDESTAL => {
                            cast.add(format!("Pedestal {}", update.index), "pedestal", None)
                        }
                        _ => cast.add(facts.scene_prop_name(update.index), "scene-prop", None),
                    });
                Some(*id)
            }
            _ => None,
        }
    }
}

/// Whether a structure stands in the ground, from its state.
fn set_grounded(cast: &mut Cast, id: EntityId, time_s: f64, state: &Value) {
    if let Value::U8(state) = state {
        let name = tables::STATES.get(usize::from(*state)).copied();
        let is_grounded = name.is_some_and(|name| name.ends_with("Grounded"));
        cast.set(id, time_s, "grounded", Sample::Flag(is_grounded));
    }
}

/// Puts one field on its track: of the player's part it speaks of, or of the entity itself.
fn set_field(cast: &mut Cast, id: EntityId, time_s: f64, name: &'static str, value: &Value) {
    let part = PARTS.iter().position(|(_, kind)| {
        name.strip_prefix(kind)
            .is_some_and(|rest| rest == "_position" || rest == "_rotation")
    });
    let id = part.map_or(id, |part| Cast::part(id, part));
    let sample = match value {
        Value::Vector(position) => Sample::Position(coords::position(*position)),
        Value::Rotation(rotation) => Sample::Rotation(coords::rotation(rotation.to_quaternion())),
        Value::Flag(flag) => Sample::Flag(flag.is_set()),
        Value::U8(number) if name == "state" => {
            let state = tables::STATES.get(usize::from(*number));
            Sample::Name(state.copied().unwrap_or("Unknown"))
        }
        Value::U8(number) => Sample::Scalar((*number).into()),
        Value::I16(number) => Sample::Scalar((*number).into()),
        Value::I32(number) => Sample::Scalar(*number as f32),
        Value::F32(number) => Sample::Scalar(*number),
        Value::Text(_) | Value::Raw(_) => return,
    };
    // What belongs to a part is its position or rotation; a rock cam's stays by its own name.
    let column = match (part, &sample) {
        (Some(_), Sample::Position(_)) => "position",
        (Some(_), Sample::Rotation(_)) => "rotation",
        _ => name,
    };
    cast.set(id, time_s, column, sample);
}

fn event(cast: &Cast, facts: &Facts, time_s: f64, frame: usize, chunk: &Chunk) -> Event {
    let mut event = Event {
        time_s,
        frame,
        kind: "event".into(),
        who: None,
        whom: None,
        position: None,
        details: Default::default(),
    };
    let listed = |list: &[EntityId], index: Option<usize>| list.get(index?).copied();
    for field in &chunk.fields {
        let name = tables::field_name(chunk.chunk_type, field.id);
        match (name, &field.value) {
            ("position", Value::Vector(position)) => {
                event.position = Some(coords::position(*position))
            }
            ("player_index", Value::I32(index)) if facts.has_player_indices => {
                event.who = listed(&cast.players, usize::try_from(*index).ok());
            }
            ("structure_id", Value::I32(id)) => {
                let index = match facts.structure_ids.is_empty() {
                    true => usize::try_from(*id).ok(),
                    false => facts.structure_ids.get(&i64::from(*id)).copied(),
                };
                event.whom = listed(&cast.structures, index);
            }
            ("effect", Value::U8(effect)) => {
                let name = tables::EFFECTS
                    .get(usize::from(*effect))
                    .copied()
                    .unwrap_or("Unknown");
                event.kind = kebab(name).into();
            }
            ("damage", Value::I32(_) | Value::U8(_)) => {
                let damage = match field.value {
                    Value::U8(damage) => i32::from(damage),
                    Value::I32(damage) => damage,
                    _ => continue,
                };
                let detail = ("damage", damage.to_string().into());
                event.details.to_mut().push(detail);
            }
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

/// The tier of each target, on its own track.
fn add_target_damages(cast: &mut Cast, manifest: &Manifest) {
    let damages = manifest.target_damages();
    for (id, damage) in cast.structures.clone().into_iter().zip(damages) {
        let structure = cast.timeline.entity(id);
        let since_s = structure.and_then(|structure| structure.presence.intervals().first());
        if let (Some(damage), Some(&(since_s, _))) = (damage, since_s) {
            cast.set(id, since_s, "target_damage", Sample::Scalar(damage as f32));
        }
    }
}

/// The frame at or after a time.
fn frame_at(times_s: &[f64], time_s: f64) -> usize {
    let frame = times_s.partition_point(|&frame_s| frame_s < time_s);
    frame.min(times_s.len().saturating_sub(1))
}

/// What was marked, as events.
fn add_markers(cast: &mut Cast, manifest: &Manifest, times_s: &[f64]) {
    let start_s = times_s.first().copied().unwrap_or(0.0);
    for marker in manifest.markers() {
        let time_s = start_s + marker.time_s;
        let mut details = vec![("name", marker.name.into())];
        if let Some(colour) = marker.colour {
            let [red, green, blue] =
                colour.map(|part| (part.clamp(0.0, 1.0) * 255.0).round() as u8);
            details.push(("colour", format!("#{red:02x}{green:02x}{blue:02x}").into()));
        }
        let who = marker.player_index;
        cast.timeline.events.push(Event {
            time_s,
            frame: frame_at(times_s, time_s),
            kind: "marker".into(),
            who: who.and_then(|index| cast.players.get(index).copied()),
            whom: None,
            position: marker.position.map(coords::position),
            details: details.into(),
        });
    }
}

/// Where each recorded voice begins, as events.
fn add_voices(cast: &mut Cast, replay: &SecondReplay, times_s: &[f64]) {
    let start_s = times_s.first().copied().unwrap_or(0.0);
    let infos = replay.manifest.players();
    for voice in replay.voices() {
        let speaker = infos
            .iter()
            .position(|player| !voice.master_id.is_empty() && player.master_id == voice.master_id);
        let Some(voice_s) = voice.start_s else {
            continue;
        };
        let time_s = start_s + voice_s;
        let mut details = vec![("file", voice.file_name.into())];
        if speaker.is_none() {
            details.push(("master_id", voice.master_id.into()));
        }
        cast.timeline.events.push(Event {
            time_s,
            frame: frame_at(times_s, time_s),
            kind: "voice".into(),
            who: speaker.and_then(|index| cast.players.get(index).copied()),
            whom: None,
            position: None,
            details: details.into(),
        });
    }
}
