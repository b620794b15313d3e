//! What happened, in one unit system for all games.
//!
//! Seconds, metres, right-handed with Y up, quaternions as x, y, z, w. A [`Timeline`] holds entities (a car, a hand, a
//! structure) with tracks of values over time, and events. It is independent of any game; each game's `timeline` module
//! fills it.
//!
//! - [`entity`]: entities, and the times at which they are present
//! - [`track`]: columns of times and values, and sampling them
//! - [`moments`]: sampling whole columns at many times
//! - [`event`]: events at one point in time

pub mod entity;
pub mod event;
pub mod moments;
pub mod packed;
pub mod track;

use crate::limits::{MAX_MOMENTS, MAX_NAME_BYTES};
pub use entity::{Entity, EntityId, Presence};
pub use event::{Detail, Event, NamedEvent};
pub use moments::Moment;
pub use packed::PackedRotations;
pub use track::{Column, Hold, Sample, Track, Values};

/// Everything that moves and happens in a recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timeline {
    /// Start of the recording, in seconds.
    pub start_s: f64,
    /// End of the recording, in seconds.
    pub end_s: f64,
    /// All entities; an [`EntityId`] is an index into this list.
    pub entities: Vec<Entity>,
    /// All events, in order of time.
    pub events: Vec<Event>,
}

impl Timeline {
    /// Adds an entity and returns its id.
    pub fn add(&mut self, entity: Entity) -> EntityId {
        self.entities.push(entity);
        EntityId(self.entities.len() - 1)
    }

    /// The entity with an id of this timeline.
    pub fn entity(&self, id: EntityId) -> Option<&Entity> {
        self.entities.get(id.0)
    }

    /// The first entity with a name.
    pub fn find(&self, name: &str) -> Option<EntityId> {
        self.entities
            .iter()
            .position(|entity| entity.name == name)
            .map(EntityId)
    }

    /// The entities of a kind, for example `ball` or `player`, in order.
    pub fn of_kind<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Entity> {
        self.entities
            .iter()
            .filter(move |entity| entity.kind == kind)
    }

    /// The events of a kind, for example `goal`, in order of time.
    pub fn events_of_kind<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Event> {
        self.events.iter().filter(move |event| event.kind == kind)
    }

    /// Duration of the recording, in seconds.
    pub fn duration_s(&self) -> f64 {
        self.end_s - self.start_s
    }

    /// The entities present at a time, in order.
    pub fn present_at(&self, time_s: f64) -> impl Iterator<Item = (EntityId, &Entity)> {
        self.entities
            .iter()
            .enumerate()
            .filter(move |(_, entity)| entity.presence.contains(time_s))
            .map(|(index, entity)| (EntityId(index), entity))
    }

    /// The events from `from_s` (inclusive) to `to_s` (exclusive).
    pub fn events_between(&self, from_s: f64, to_s: f64) -> &[Event] {
        let start = self.events.partition_point(|event| event.time_s < from_s);
        let end = self.events.partition_point(|event| event.time_s < to_s);
        self.events.get(start..end.max(start)).unwrap_or_default()
    }

    /// The part of the timeline from `from_s` to `to_s`: its events, its samples, the last sample before it (which may
    /// still hold) and the first one after it (for interpolation).
    #[must_use]
    pub fn slice(&self, from_s: f64, to_s: f64) -> Self {
        Self {
            start_s: from_s.max(self.start_s),
            end_s: to_s.min(self.end_s),
            entities: self
                .entities
                .iter()
                .map(|entity| Entity {
                    tracks: entity
                        .tracks
                        .iter()
                        .map(|track| track.slice(from_s, to_s))
                        .collect(),
                    ..entity.clone()
                })
                .collect(),
            events: self.events_between(from_s, to_s).to_vec(),
        }
    }

    /// Truncates names longer than [`MAX_NAME_BYTES`]: every event and row that refers to an entity repeats its name.
    pub(crate) fn shorten_names(&mut self) {
        for entity in &mut self.entities {
            if entity.name.len() > MAX_NAME_BYTES {
                let mut end = MAX_NAME_BYTES;
                while !entity.name.is_char_boundary(end) {
                    end -= 1;
                }
                entity.name.truncate(end);
            }
        }
    }

    /// Sample times at a fixed rate over the whole timeline, the first at its start. Returns none if there would be
    /// more than [`MAX_MOMENTS`], which only a damaged clock causes.
    pub fn times_at(&self, rate_hz: f64) -> Vec<f64> {
        let count = (self.duration_s() * rate_hz).floor();
        if !((0.0..=MAX_MOMENTS).contains(&count) && rate_hz > 0.0) {
            return Vec::new();
        }
        // Multiplied rather than summed, so the last time is as exact as the first.
        (0..=count as usize)
            .map(|index| self.start_s + index as f64 / rate_hz)
            .collect()
    }
}

/// A ball on a timeline of ten seconds, for tests.
#[cfg(test)]
pub(crate) fn ball(hold: Hold, times_s: Vec<f64>, positions: Vec<[f32; 3]>) -> Timeline {
    let column = Column {
        name: "position",
        values: Values::Position(positions),
    };
    let track = Track {
        times_s,
        hold,
        columns: vec![column],
    };
    let entity = Entity {
        name: "ball".into(),
        kind: "ball",
        parent: None,
        presence: Presence::from(0.0),
        tracks: vec![track],
    };
    Timeline {
        start_s: 0.0,
        end_s: 10.0,
        entities: vec![entity],
        events: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moving() -> Timeline {
        let times_s: Vec<f64> = (0..=10).map(f64::from).collect();
        let positions = times_s.iter().map(|&time_s| [time_s as f32, 0.0, 0.0]);
        ball(Hold::Linear, times_s.clone(), positions.collect())
    }

    #[test]
    fn a_slice_samples_as_the_whole_does() {
        let (whole, slice) = (moving(), moving().slice(3.5, 5.25));
        assert_eq!(slice.entities[0].tracks[0].times_s, [3.0, 4.0, 5.0, 6.0]);
        for time_s in [3.5, 4.0, 4.9, 5.25] {
            assert_eq!(
                slice.entities[0].position(time_s),
                whole.entities[0].position(time_s)
            );
        }
        assert_eq!((slice.start_s, slice.end_s), (3.5, 5.25));
    }

    #[test]
    fn entities_and_their_positions_are_found_by_kind() {
        let timeline = moving();
        assert_eq!(timeline.of_kind("car").count(), 0);
        let mut positions = timeline.of_kind("ball").flat_map(Entity::positions);
        assert_eq!(positions.next(), Some((0.0, [0.0, 0.0, 0.0])));
        assert_eq!(positions.last(), Some((10.0, [10.0, 0.0, 0.0])));
        assert_eq!(timeline.events_of_kind("goal").count(), 0);
    }

    #[test]
    fn resampling_is_sampling_at_every_time() {
        let timeline = moving();
        let times_s = timeline.times_at(4.0);
        assert_eq!((times_s.len(), times_s[1]), (41, 0.25));
        let entity = &timeline.entities[0];
        let resampled = entity.resample("position", &times_s);
        for (time_s, sample) in times_s.iter().zip(resampled) {
            assert_eq!(sample, entity.sample("position", *time_s));
        }
        assert!(timeline.times_at(0.0).is_empty() && timeline.times_at(f64::NAN).is_empty());
    }
}
