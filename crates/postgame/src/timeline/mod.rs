//! What happened, in one unit system for all games.
//!
//! Seconds, metres, right-handed with Y up, quaternions as x, y, z, w. A [`Timeline`] holds entities (a car, a hand,
//! a structure) with tracks of values over time, and events. It knows no game; each game's `timeline` module fills it.
//!
//! - [`entity`]: what there is, and when it is there
//! - [`track`]: columns of times and values, and sampling them
//! - [`moments`]: sampling whole columns at many times
//! - [`event`]: things that happen at one moment

pub mod entity;
pub mod event;
pub mod moments;
pub mod packed;
pub mod track;

pub use entity::{Entity, EntityId, Presence};
pub use event::{Detail, Event, NamedEvent};
pub use moments::Moment;
pub use packed::PackedRotations;
pub use track::{Column, Hold, Sample, Track, Values};

/// All that moves and happens in a recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timeline {
    /// When the recording begins, in seconds.
    pub start_s: f64,
    /// When it ends, in seconds.
    pub end_s: f64,
    /// Everything that has a state; an [`EntityId`] is an index into this list.
    pub entities: Vec<Entity>,
    /// Everything that happens, in order of time.
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

    /// How long the recording is, in seconds.
    pub fn duration_s(&self) -> f64 {
        self.end_s - self.start_s
    }

    /// The entities that are there at a time, in order.
    pub fn present_at(&self, time_s: f64) -> impl Iterator<Item = (EntityId, &Entity)> {
        self.entities
            .iter()
            .enumerate()
            .filter(move |(_, entity)| entity.presence.contains(time_s))
            .map(|(index, entity)| (EntityId(index), entity))
    }

    /// The events from `from_s` (included) to `to_s` (not included).
    pub fn events_between(&self, from_s: f64, to_s: f64) -> &[Event] {
        let start = self.events.partition_point(|event| event.time_s < from_s);
        let end = self.events.partition_point(|event| event.time_s < to_s);
        self.events.get(start..end.max(start)).unwrap_or_default()
    }

    /// The part of the timeline from `from_s` to `to_s`: the samples in it, the last one before it (which still holds
    /// there) and the first one after it (towards which values may move), and the events in it.
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

    /// The times of a fixed rate over the whole timeline, the first at its start.
    pub fn times_at(&self, rate_hz: f64) -> Vec<f64> {
        let count = (self.duration_s() * rate_hz).floor();
        if !(count.is_finite() && count >= 0.0 && rate_hz > 0.0) {
            return Vec::new();
        }
        // By multiplication, not by adding up: the last time is as exact as the first.
        (0..=count as usize)
            .map(|index| self.start_s + index as f64 / rate_hz)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moving() -> Timeline {
        let times_s: Vec<f64> = (0..=10).map(f64::from).collect();
        let positions = times_s
            .iter()
            .map(|&time_s| [time_s as f32, 0.0, 0.0])
            .collect();
        let column = Column {
            name: "position",
            values: Values::Position(positions),
        };
        let track = Track {
            times_s,
            hold: Hold::Linear,
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
