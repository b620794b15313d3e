//! The first generation on the timeline.
//!
//! Every state has every value, so each has a place of its own here while the frames are walked: to look its track up by
//! name for each of them took longer than reading the file.

use super::{Cast, PARTS, ascending, structure_name};
use crate::rumble::codec::model::FirstReplay;
use crate::rumble::codec::model::first::{PlayerState, StructureState};
use crate::rumble::coords;
use crate::timeline::{Column, EntityId, Hold, Timeline, Track, Values};

/// What moves and happens in a replay of the first generation.
pub(super) fn timeline(FirstReplay { header, frames, .. }: &FirstReplay) -> Timeline {
    let names = header.players.iter().map(|player| player.name.to_string());
    let kinds = header
        .structures
        .iter()
        .map(|structure| structure_name(structure.structure_type));
    let mut cast = Cast::new(names, kinds);
    let Some(frames) = frames else {
        return cast.finish(&[]);
    };
    let times_s = ascending(frames.times_s.iter().copied());
    // Structures rest most of the time; players never do.
    let mut structures: Vec<_> = cast.structures.iter().map(|_| Structure::new()).collect();
    // As many states as each player has on average; a file can name thousands of players that never move.
    let room = frames.players.states.len() / cast.players.len().max(1);
    let mut players: Vec<_> = cast.players.iter().map(|_| Player::new(room)).collect();
    let (mut structure_frames, mut player_frames) =
        (frames.structures.frames(), frames.players.frames());
    for &time_s in &times_s {
        let changes = structure_frames.next_frame().into_iter().flatten();
        for ((_, state), structure) in changes.zip(&mut structures) {
            if let Some(state) = state {
                structure.set(time_s, state);
            }
        }
        let changes = player_frames.next_frame().into_iter().flatten();
        for ((_, state), player) in changes.zip(&mut players) {
            if let Some(state) = state {
                player.set(time_s, state);
            }
        }
    }
    for (index, structure) in structures.into_iter().enumerate() {
        structure.finish(&mut cast, index);
    }
    for (index, player) in players.into_iter().enumerate() {
        player.finish(&mut cast, index);
    }
    cast.finish(&times_s)
}

/// A value that is on record when it changes: states repeat what did not.
struct Changing<T> {
    times_s: Vec<f64>,
    values: Vec<T>,
}

impl<T: PartialEq> Changing<T> {
    fn with_capacity(room: usize) -> Self {
        Self {
            times_s: Vec::with_capacity(room),
            values: Vec::with_capacity(room),
        }
    }

    fn set(&mut self, time_s: f64, value: T) {
        if self.values.last() != Some(&value) {
            self.times_s.push(time_s);
            self.values.push(value);
        }
    }

    /// Adds the track to an entity, which is there from its first value on.
    fn finish(
        self,
        cast: &mut Cast,
        id: EntityId,
        name: &'static str,
        values: impl FnOnce(Vec<T>) -> Values,
    ) {
        let (Some(entity), Some(&first_s)) =
            (cast.timeline.entities.get_mut(id.0), self.times_s.first())
        else {
            return;
        };
        entity.presence.appear(first_s);
        entity.tracks.push(Track {
            times_s: self.times_s,
            hold: Hold::Held,
            columns: vec![Column {
                name,
                values: values(self.values),
            }],
        });
    }
}

/// Where something is and how it is turned.
struct Body {
    position: Changing<[f32; 3]>,
    rotation: Changing<[f32; 4]>,
}

impl Body {
    fn with_capacity(room: usize) -> Self {
        Self {
            position: Changing::with_capacity(room),
            rotation: Changing::with_capacity(room),
        }
    }

    fn set(&mut self, time_s: f64, position: [f32; 3], rotation: [f32; 4]) {
        self.position.set(time_s, coords::position(position));
        self.rotation.set(time_s, coords::rotation(rotation));
    }

    fn finish(self, cast: &mut Cast, id: EntityId) {
        self.position.finish(cast, id, "position", Values::Position);
        self.rotation.finish(cast, id, "rotation", Values::Rotation);
    }
}

struct Structure {
    body: Body,
    active: Changing<bool>,
    grounded: Changing<bool>,
}

impl Structure {
    fn new() -> Self {
        Self {
            body: Body::with_capacity(0),
            active: Changing::with_capacity(0),
            grounded: Changing::with_capacity(0),
        }
    }

    fn set(&mut self, time_s: f64, state: &StructureState) {
        self.body.set(time_s, state.position, state.rotation);
        self.active.set(time_s, state.active.is_set());
        self.grounded.set(time_s, state.grounded.is_set());
    }

    fn finish(self, cast: &mut Cast, index: usize) {
        let Some(&id) = cast.structures.get(index) else {
            return;
        };
        self.body.finish(cast, id);
        self.active.finish(cast, id, "active", Values::Flag);
        self.grounded.finish(cast, id, "grounded", Values::Flag);
    }
}

struct Player {
    health: Changing<f32>,
    active: Changing<bool>,
    /// In the order of [`PARTS`].
    parts: [Body; PARTS.len()],
}

impl Player {
    fn new(room: usize) -> Self {
        Self {
            health: Changing::with_capacity(0),
            active: Changing::with_capacity(0),
            parts: std::array::from_fn(|_| Body::with_capacity(room)),
        }
    }

    fn set(&mut self, time_s: f64, state: &PlayerState) {
        self.health.set(time_s, state.health.into());
        self.active.set(time_s, state.active.is_set());
        let [rig, head, left_hand, right_hand] = &mut self.parts;
        rig.set(time_s, state.rig_position, state.rig_rotation);
        head.set(time_s, state.head_position, state.head_rotation);
        left_hand.set(time_s, state.left_hand_position, state.left_hand_rotation);
        right_hand.set(time_s, state.right_hand_position, state.right_hand_rotation);
    }

    fn finish(self, cast: &mut Cast, index: usize) {
        let Some(&id) = cast.players.get(index) else {
            return;
        };
        self.health.finish(cast, id, "health", Values::Scalar);
        self.active.finish(cast, id, "active", Values::Flag);
        for (part, body) in self.parts.into_iter().enumerate() {
            body.finish(cast, Cast::part(id, part));
        }
    }
}
