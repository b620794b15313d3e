//! One walk over the samples of a player's cars: there are hundreds of thousands of them, and three kinds of statistics
//! that need each.

use std::ops::Range;

use super::data::{Data, Player};
use super::ranks::distance;
use super::{movement, positioning};
use crate::rocket_league::coords::METRES;
use crate::rocket_league::tables::SUPERSONIC_UU_S;

/// A sample of a life, in the game's units, and what is new since the one before.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub time_s: f64,
    /// How long it counts.
    pub passed_s: f64,
    pub position_uu: [f32; 3],
    pub speed_uu_s: f32,
    pub moved_uu: f32,
}

/// What the walk finds.
pub(super) struct Lives<'a> {
    pub movement: movement::Sums,
    pub positioning: positioning::Sums<'a>,
    pub fast: Fast,
}

impl<'a> Lives<'a> {
    pub fn new(data: &'a Data<'_>, player: &Player<'_>) -> Self {
        let mut movement = movement::Sums::default();
        let mut positioning = positioning::Sums::new(data, player.team);
        let mut fast = Fast::default();
        let mut slides = movement::Slides::new(player.handbrake);
        for (life, next_s) in &player.lives {
            slides.start(*next_s);
            let (times_s, positions, velocities) = player.body.part(life.clone());
            let (Some(&first_s), Some(&first)) = (times_s.first(), positions.first()) else {
                slides.end();
                continue;
            };
            // The first one of a life has gone nowhere.
            let (mut before_s, mut before) = (first_s, first);
            let samples = times_s.iter().zip(positions).zip(velocities);
            for (index, ((&time_s, &position_uu), &[vx, vy, vz])) in (life.start..).zip(samples) {
                let speed_uu_s = (vx * vx + vy * vy + vz * vz).sqrt() / METRES;
                let step = Step {
                    time_s,
                    // A car that sleeps is not played.
                    passed_s: (time_s - before_s) * f64::from(u8::from(speed_uu_s > 0.0)),
                    position_uu,
                    speed_uu_s,
                    moved_uu: distance(position_uu, before),
                };
                (before_s, before) = (time_s, position_uu);
                movement.add(&step);
                positioning.add(&step);
                slides.add(&step);
                fast.add(index, speed_uu_s);
            }
            slides.end();
        }
        movement.slides = slides.sum;
        Self {
            movement,
            positioning,
            fast,
        }
    }
}

/// The runs of samples in which a car is supersonic.
#[derive(Default)]
pub(super) struct Fast(Vec<Range<usize>>);

impl Fast {
    #[inline]
    fn add(&mut self, index: usize, speed_uu_s: f32) {
        if speed_uu_s > SUPERSONIC_UU_S {
            match self.0.last_mut() {
                Some(run) if run.end == index => run.end = index + 1,
                _ => self.0.push(index..index + 1),
            }
        }
    }

    /// How many samples of a range are supersonic.
    pub fn count(&self, range: Range<usize>) -> usize {
        let first = self.0.partition_point(|run| run.end <= range.start);
        let runs = self.0.iter().skip(first);
        let inside = runs.take_while(|run| run.start < range.end);
        inside
            .map(|run| run.end.min(range.end) - run.start.max(range.start))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fast_samples_of_a_range_are_counted() {
        let mut fast = Fast::default();
        let speeds = [0.0, 2300.0, 2300.0, 100.0, 2201.0, 2199.0, 2250.0];
        for (index, speed_uu_s) in speeds.into_iter().enumerate() {
            fast.add(index, speed_uu_s);
        }
        for start in 0..8 {
            for end in start..8 {
                let slow = speeds.iter().take(end).skip(start);
                let one_by_one = slow.filter(|&&speed| speed > SUPERSONIC_UU_S).count();
                assert_eq!(fast.count(start..end), one_by_one, "{start} to {end}");
            }
        }
    }
}
