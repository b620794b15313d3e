//! One walk over the samples of a player's cars: there are hundreds of thousands of them, and three kinds of statistics
//! that need each.

use std::ops::Range;

use super::super::tables::SUPERSONIC_UU_S;
use super::data::{Data, Player, Sample};
use super::{movement, positioning};

/// So many samples are converted at once.
const BLOCK: usize = 64;

/// From one sample of a life to the next.
pub(super) struct Step {
    pub before: Sample,
    pub now: Sample,
    /// How long it counts.
    pub passed_s: f64,
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
        let mut samples: Vec<Sample> = Vec::with_capacity(BLOCK);
        for (life, next_s) in &player.lives {
            let mut before: Option<Sample> = None;
            slides.start(*next_s);
            for first in life.clone().step_by(BLOCK) {
                // Converted before they are looked at: roots and quotients take long, but not one after the other.
                let block = first..life.end.min(first + BLOCK);
                samples.clear();
                samples.extend(player.body.samples(block));
                for (index, sample) in (first..).zip(&samples) {
                    // The first one of a life has gone nowhere.
                    let before = before.replace(*sample).unwrap_or(*sample);
                    let step = Step {
                        before,
                        passed_s: match sample.speed_uu_s > 0.0 {
                            true => sample.time_s - before.time_s,
                            // A car that sleeps is not played.
                            false => 0.0,
                        },
                        now: *sample,
                    };
                    movement.add(&step);
                    positioning.add(&step);
                    slides.add(sample);
                    fast.add(index, sample.speed_uu_s);
                }
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
