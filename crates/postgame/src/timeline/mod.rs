//! What happened, in one unit system for all games.
//!
//! Seconds, metres, right-handed with Y up, quaternions as x, y, z, w. A [`Timeline`] holds entities (a car, a hand,
//! a structure) with tracks of values over time, and events. It knows no game; each game's `timeline` module fills it.
//!
//! - [`entity`]: what there is, and when it is there
//! - [`track`]: columns of times and values, and sampling them
//! - [`event`]: things that happen at one moment

pub mod entity;
pub mod event;
pub mod track;

pub use entity::{Entity, EntityId, Presence};
pub use event::Event;
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
}
