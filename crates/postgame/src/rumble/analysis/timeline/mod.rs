//! A RUMBLE replay on the timeline: players with rig, head and hands, structures, and what happened.
//!
//! Values are held between changes: the recorder writes one only when something moved by more than a few millimetres.
//!
//! - `first`, `second`: the two generations
//! - `rr`: the `.rr` files of another recorder

mod first;
mod rr;
mod second;

use super::events::add_events;
use crate::rumble::codec::model::Replay;
use crate::rumble::tables;
use crate::timeline::{Column, Entity, EntityId, Hold, Presence, Sample, Timeline, Track, Values};

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
        Replay::Second(replay) => second::timeline(replay),
        Replay::Rr(replay) => rr::timeline(replay),
    }
}

/// Room is made in advance for this many values at most: 16 tracks of a match of half an hour.
const MAX_SPARE_ROOM: usize = 1 << 20;

/// A timeline with an entity for every player, their parts, and every structure; nothing is there yet.
struct Cast {
    timeline: Timeline,
    players: Vec<EntityId>,
    structures: Vec<EntityId>,
    /// How many frames the file has.
    frames: usize,
    /// How many values room may still be made for in advance: a file can name thousands of players.
    spare_room: usize,
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
            spare_room: MAX_SPARE_ROOM,
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

    /// True while nothing is known of an entity.
    fn is_absent(&self, id: EntityId) -> bool {
        let entity = self.timeline.entity(id);
        entity.is_some_and(|entity| entity.presence.intervals().is_empty())
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
                self.frames.min(self.spare_room)
            } else {
                0
            };
            self.spare_room -= room;
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
