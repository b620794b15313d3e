//! One walk over the samples of a player's cars: there are hundreds of thousands of them, and three kinds of statistics
//! that need each.

use std::ops::Range;

use super::super::tables::SUPERSONIC_UU_S;
use super::data::{Data, Player};
use super::{movement, positioning};

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
            let mut before = None;
            slides.start(*next_s);
            for (sample, index) in player.body.samples(life.clone()).zip(life.clone()) {
                movement.add(before.as_ref(), &sample);
                positioning.add(before.as_ref(), &sample);
                slides.add(&sample);
                fast.add(index, sample.speed_uu_s);
                before = Some(sample);
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
