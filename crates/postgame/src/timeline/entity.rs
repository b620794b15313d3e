//! Entities, and the times at which they are present.

use super::track::{Sample, Track, Values};

/// Identifies an entity of a timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntityId(pub usize);

/// An object or player with a state that changes over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Entity {
    /// The display name, unique in most recordings.
    pub name: String,
    /// The kind, in the game's terms: `player`, `head`, `ball`, `structure`.
    pub kind: &'static str,
    /// The parent: a hand belongs to a player. Positions are in world space, never relative to the parent.
    pub parent: Option<EntityId>,
    /// When it is present. Outside these times it has no state, rather than one at the origin.
    pub presence: Presence,
    /// Its values over time.
    pub tracks: Vec<Track>,
}

impl Entity {
    /// The value of a column at a time; `None` if the entity is absent or has no value yet.
    pub fn sample(&self, column: &str, time_s: f64) -> Option<Sample<'_>> {
        if !self.presence.contains(time_s) {
            return None;
        }
        self.tracks.iter().find_map(|track| {
            let index = track
                .columns
                .iter()
                .position(|candidate| candidate.name == column)?;
            track.sample(index, time_s)
        })
    }

    /// The values of a column at ascending times, in one pass; `None` for each time without a value.
    pub fn resample(&self, column: &str, times_s: &[f64]) -> Vec<Option<Sample<'_>>> {
        let found = self.tracks.iter().find_map(|track| {
            let index = track
                .columns
                .iter()
                .position(|candidate| candidate.name == column)?;
            Some(track.resample(index, times_s))
        });
        let mut values = found.unwrap_or_else(|| vec![None; times_s.len()]);
        for (value, time_s) in values.iter_mut().zip(times_s) {
            *value = value.filter(|_| self.presence.contains(*time_s));
        }
        values
    }

    /// The position at a time, in metres.
    pub fn position(&self, time_s: f64) -> Option<[f32; 3]> {
        match self.sample("position", time_s)? {
            Sample::Position(position) => Some(position),
            _ => None,
        }
    }

    /// The positions as they were recorded, in metres, with their times in seconds; only while the entity is there.
    pub fn positions(&self) -> impl Iterator<Item = (f64, [f32; 3])> {
        let mut columns = self.tracks.iter().flat_map(|track| {
            let columns = track.columns.iter();
            columns.map(move |column| (track, column))
        });
        let position = columns.find_map(|(track, column)| match &column.values {
            Values::Position(positions) if column.name == "position" => {
                Some(track.times_s.iter().copied().zip(positions.iter().copied()))
            }
            _ => None,
        });
        let recorded = position.into_iter().flatten();
        recorded.filter(|(time_s, _)| self.presence.contains(*time_s))
    }

    /// The rotation at a time, a unit quaternion.
    pub fn rotation(&self, time_s: f64) -> Option<[f32; 4]> {
        match self.sample("rotation", time_s)? {
            Sample::Rotation(rotation) => Some(rotation),
            _ => None,
        }
    }

    /// A number at a time, in the unit stated by its column's name.
    pub fn scalar(&self, column: &str, time_s: f64) -> Option<f32> {
        match self.sample(column, time_s)? {
            Sample::Scalar(value) => Some(value),
            _ => None,
        }
    }

    /// A boolean at a time.
    pub fn flag(&self, column: &str, time_s: f64) -> Option<bool> {
        match self.sample(column, time_s)? {
            Sample::Flag(value) => Some(value),
            _ => None,
        }
    }
}

/// The times at which an entity is present: half-open intervals, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Presence(Vec<(f64, f64)>);

impl Presence {
    /// Present from `from_s` on.
    pub fn from(from_s: f64) -> Self {
        Self(vec![(from_s, f64::INFINITY)])
    }

    /// The intervals as pairs of start and end, in order.
    pub fn intervals(&self) -> &[(f64, f64)] {
        &self.0
    }

    /// Marks the entity as present; no effect if it already is.
    pub fn appear(&mut self, time_s: f64) {
        match self.0.last_mut() {
            Some((_, end)) if *end >= time_s => *end = f64::INFINITY,
            _ => self.0.push((time_s, f64::INFINITY)),
        }
    }

    /// Marks the entity as absent; no effect if it already is.
    pub fn vanish(&mut self, time_s: f64) {
        if let Some((start, end)) = self.0.last_mut()
            && *end > time_s
        {
            *end = time_s.max(*start);
        }
    }

    /// True if it is present at this time.
    pub fn contains(&self, time_s: f64) -> bool {
        let after = self.0.partition_point(|&(start, _)| start <= time_s);
        after
            .checked_sub(1)
            .and_then(|index| self.0.get(index))
            .is_some_and(|&(_, end)| time_s < end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presence_comes_and_goes() {
        let mut presence = Presence::default();
        assert!(!presence.contains(0.0));
        presence.appear(1.0);
        presence.appear(1.5);
        presence.vanish(2.0);
        presence.vanish(2.5);
        presence.appear(4.0);
        assert_eq!(presence.intervals(), [(1.0, 2.0), (4.0, f64::INFINITY)]);
        let there = [0.9, 1.0, 1.99, 2.0, 3.0, 4.0, 1e9].map(|time| presence.contains(time));
        assert_eq!(there, [false, true, true, false, false, true, true]);
    }
}
