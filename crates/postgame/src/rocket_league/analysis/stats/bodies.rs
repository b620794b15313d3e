//! Where bodies were, in the game's units, and looking along their samples as time goes on.

use std::ops::Range;

use crate::rocket_league::coords::position_uu;
use crate::timeline::{Entity, Values};

/// A body's samples.
#[derive(Default)]
pub(super) struct Body<'a> {
    pub times_s: &'a [f64],
    /// Calculated once: each player is compared with the ball and with every mate.
    pub positions_uu: Vec<[f32; 3]>,
    velocities_m_s: &'a [[f32; 3]],
}

impl<'a> Body<'a> {
    /// The ball's or a car's.
    pub fn new(entity: &'a Entity) -> Self {
        let Some(track) = super::data::track(entity, "position") else {
            return Self::default();
        };
        let vectors = |name: &str| {
            let column = track.columns.iter().find(|column| column.name == name);
            match column.map(|column| &column.values) {
                Some(Values::Position(values)) => values.as_slice(),
                _ => &[],
            }
        };
        let positions_m = vectors("position").iter();
        Self {
            times_s: &track.times_s,
            positions_uu: positions_m.copied().map(position_uu).collect(),
            velocities_m_s: vectors("velocity_m_s"),
        }
    }

    /// The times, positions and velocities (in metres a second) of some samples.
    pub fn part(&self, range: Range<usize>) -> (&[f64], &[[f32; 3]], &[[f32; 3]]) {
        (
            self.times_s.get(range.clone()).unwrap_or_default(),
            self.positions_uu.get(range.clone()).unwrap_or_default(),
            self.velocities_m_s.get(range).unwrap_or_default(),
        )
    }

    /// Where it is at a time, by its last sample.
    pub fn position_at(&self, time_s: f64) -> Option<[f32; 3]> {
        let after = self.times_s.partition_point(|&time| time <= time_s);
        self.positions_uu.get(after.checked_sub(1)?).copied()
    }
}

/// How many of some ascending times have been, given how many had been before.
///
/// Four are looked at together: from one look to the next there are none to three new ones in most cases, and the
/// processor cannot guess how many.
#[inline]
pub(super) fn go_on(times_s: &[f64], mut count: usize, has_been: impl Fn(f64) -> bool) -> usize {
    let next = |count: usize| times_s.get(count..)?.first_chunk::<4>();
    while let Some(next) = next(count) {
        let new: usize = next
            .iter()
            .map(|&time_s| usize::from(has_been(time_s)))
            .sum();
        count += new;
        if new < next.len() {
            return count;
        }
    }
    while times_s.get(count).is_some_and(|&time_s| has_been(time_s)) {
        count += 1;
    }
    count
}

/// Where a body is at times that ascend.
#[derive(Clone)]
pub(super) struct Places<'a> {
    times_s: &'a [f64],
    positions_uu: &'a [[f32; 3]],
    /// When it is there.
    intervals: &'a [(f64, f64)],
    /// How many samples and intervals have been.
    samples: usize,
    interval: usize,
}

impl<'a> Places<'a> {
    pub fn new(body: &'a Body<'_>, entity: Option<&'a Entity>) -> Self {
        let intervals = entity.map(|entity| entity.presence.intervals());
        Self {
            times_s: body.times_s,
            positions_uu: &body.positions_uu,
            intervals: intervals.unwrap_or_default(),
            samples: 0,
            interval: 0,
        }
    }

    /// Where it is; `None` where it is not there.
    #[inline]
    pub fn at(&mut self, time_s: f64) -> Option<[f32; 3]> {
        self.samples = go_on(self.times_s, self.samples, |sample_s| sample_s <= time_s);
        let (mut from_s, mut to_s) = *self.intervals.get(self.interval)?;
        while to_s <= time_s {
            self.interval += 1;
            (from_s, to_s) = *self.intervals.get(self.interval)?;
        }
        let last = self.samples.checked_sub(1).filter(|_| from_s <= time_s)?;
        self.positions_uu.get(last).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::go_on;

    #[test]
    fn going_on_is_looking_from_the_start() {
        let times_s = [0.0, 0.0, 1.0, 1.5, 1.5, 1.5, 1.5, 1.5, 2.0, 7.0, 7.0];
        let mut count = 0;
        for time_s in [-1.0, 0.0, 0.5, 1.5, 1.75, 2.0, 6.0, 7.0, 8.0] {
            let from_start = times_s.partition_point(|&other_s| other_s <= time_s);
            count = go_on(&times_s, count, |other_s| other_s <= time_s);
            assert_eq!(count, from_start, "at {time_s}");
        }
        assert_eq!(go_on(&times_s, 11, |_| true), 11);
        assert_eq!(go_on(&[], 0, |_| true), 0);
    }
}
