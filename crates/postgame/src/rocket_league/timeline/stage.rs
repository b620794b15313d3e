//! The entities of a timeline and their tracks, while they are filled.

use crate::timeline::{Column, Entity, EntityId, Hold, Presence, Sample, Timeline, Track, Values};

/// A body that was not heard of for longer than this stayed where it was; it did not drift to where it is next.
const LONGEST_STEP_S: f64 = 0.25;

/// A timeline that is being filled.
#[derive(Default)]
pub struct Stage {
    /// What there is so far.
    pub timeline: Timeline,
}

impl Stage {
    /// Adds an entity that is not there yet.
    pub fn add(&mut self, name: String, kind: &'static str, parent: Option<EntityId>) -> EntityId {
        self.timeline.add(Entity {
            name,
            kind,
            parent,
            presence: Presence::default(),
            tracks: Vec::new(),
        })
    }

    pub fn appear(&mut self, id: EntityId, time_s: f64) {
        if let Some(entity) = self.timeline.entities.get_mut(id.0) {
            entity.presence.appear(time_s);
        }
    }

    pub fn vanish(&mut self, id: EntityId, time_s: f64) {
        if let Some(entity) = self.timeline.entities.get_mut(id.0) {
            entity.presence.vanish(time_s);
        }
    }

    /// Records a value that stays until it changes.
    pub fn set(&mut self, id: EntityId, time_s: f64, column: &'static str, sample: Sample<'_>) {
        let Some(entity) = self.timeline.entities.get_mut(id.0) else {
            return;
        };
        let is_column = |track: &&mut Track| {
            let first = track.columns.first();
            track.hold == Hold::Held && first.is_some_and(|first| first.name == column)
        };
        let position = match entity.tracks.iter_mut().find(is_column) {
            Some(track) => track,
            None => {
                let values = match sample {
                    Sample::Position(_) => Values::Position(Vec::new()),
                    Sample::Rotation(_) => Values::Rotation(Vec::new()),
                    Sample::Scalar(_) => Values::Scalar(Vec::new()),
                    Sample::Flag(_) => Values::Flag(Vec::new()),
                    Sample::Name(_) => Values::Name {
                        names: Vec::new(),
                        indices: Vec::new(),
                    },
                };
                entity.tracks.push(Track::new(
                    Hold::Held,
                    vec![Column {
                        name: column,
                        values,
                    }],
                ));
                match entity.tracks.last_mut() {
                    Some(track) => track,
                    None => return,
                }
            }
        };
        let Some(values) = position
            .columns
            .first_mut()
            .map(|column| &mut column.values)
        else {
            return;
        };
        // Keyframes repeat what did not change.
        let last = values
            .len()
            .checked_sub(1)
            .and_then(|last| values.get(last));
        if last != Some(sample) {
            position.times_s.push(time_s);
            values.push(sample);
        }
    }

    /// Records where a body is.
    pub fn place(
        &mut self,
        id: EntityId,
        time_s: f64,
        before_s: f64,
        position: [f32; 3],
        rotation: [f32; 4],
        speed_m_s: f32,
    ) {
        let Some(entity) = self.timeline.entities.get_mut(id.0) else {
            return;
        };
        if !entity.tracks.iter().any(|track| track.hold == Hold::Linear) {
            entity.tracks.push(Track::new(
                Hold::Linear,
                vec![
                    Column::positions("position"),
                    Column::rotations("rotation"),
                    Column::scalars("speed_m_s"),
                ],
            ));
        }
        let track = entity
            .tracks
            .iter_mut()
            .find(|track| track.hold == Hold::Linear);
        let Some(Track {
            times_s, columns, ..
        }) = track
        else {
            return;
        };
        if let Some(&last_s) = times_s.last()
            && time_s - last_s > LONGEST_STEP_S
            && before_s > last_s
            && before_s < time_s
        {
            times_s.push(before_s);
            for column in columns.iter_mut() {
                let again = match &column.values {
                    Values::Position(values) => values.last().map(|value| Sample::Position(*value)),
                    Values::Rotation(values) => values.last().map(|value| Sample::Rotation(*value)),
                    Values::Scalar(values) => values.last().map(|value| Sample::Scalar(*value)),
                    Values::Flag(_) | Values::Name { .. } => None,
                };
                if let Some(again) = again {
                    column.values.push(again);
                }
            }
        }
        times_s.push(time_s);
        let samples = [
            Sample::Position(position),
            Sample::Rotation(rotation),
            Sample::Scalar(speed_m_s),
        ];
        for (column, sample) in columns.iter_mut().zip(samples) {
            column.values.push(sample);
        }
    }
}
