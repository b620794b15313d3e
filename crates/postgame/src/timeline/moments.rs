//! Sampling at many times at once: their positions among a track's samples are found once for all of its columns.

use std::ops::Range;

use super::entity::{Entity, Presence};
use super::track::{Track, Values, mix, turn};

/// The position of a sample time among the samples of a track.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// The sample at or before it.
    pub sample: usize,
    /// Fraction of the way to the next sample: from 0 to 1, and 0 for values that do not interpolate.
    pub part: f32,
}

impl Moment {
    /// An interpolated value at this position.
    #[inline]
    fn among<T: Copy>(self, values: &[T], towards: impl Fn(T, T, f32) -> T) -> Option<T> {
        let value = *values.get(self.sample)?;
        if self.part == 0.0 {
            return Some(value);
        }
        Some(towards(value, *values.get(self.sample + 1)?, self.part))
    }
}

impl Track {
    /// Locates ascending times among the samples. Times before the first sample are left out, so the result belongs to
    /// the last times.
    pub fn moments(&self, times_s: &[f64]) -> Vec<Moment> {
        let Some(&first_s) = self.times_s.first() else {
            return Vec::new();
        };
        let known = times_s.partition_point(|&time_s| time_s < first_s);
        let times_s = times_s.get(known..).unwrap_or_default();
        let mut after = self.first_after(times_s);
        let at = |&time_s: &f64| {
            while self.times_s.get(after).is_some_and(|&time| time <= time_s) {
                after += 1;
            }
            Moment {
                sample: after.saturating_sub(1),
                part: self.part(after, time_s),
            }
        };
        times_s.iter().map(at).collect()
    }

    /// Index of the first sample after the first of these times.
    fn first_after(&self, times_s: &[f64]) -> usize {
        times_s.first().map_or(0, |&time_s| {
            self.times_s.partition_point(|&sample_s| sample_s <= time_s)
        })
    }

    /// For ascending times: which sample is in effect during which of them, without interpolation. `None` means before
    /// the first sample.
    pub fn runs(&self, times_s: &[f64]) -> impl Iterator<Item = (Option<usize>, Range<usize>)> {
        let mut at = 0;
        let mut after = self.first_after(times_s);
        std::iter::from_fn(move || {
            let start = at;
            let &time_s = times_s.get(start)?;
            while self
                .times_s
                .get(after)
                .is_some_and(|&sample_s| sample_s <= time_s)
            {
                after += 1;
            }
            let rest = times_s.get(start..)?;
            at += match self.times_s.get(after) {
                Some(next_s) => rest
                    .iter()
                    .take_while(|time_s| *time_s < next_s)
                    .count()
                    .max(1),
                None => rest.len(),
            };
            Some((after.checked_sub(1), start..at))
        })
    }
}

impl Values {
    /// Positions at these times; none if the column holds something else.
    pub fn positions_at<'a>(&'a self, moments: &'a [Moment]) -> impl Iterator<Item = [f32; 3]> {
        let values = match self {
            Self::Position(values) => values.as_slice(),
            _ => &[],
        };
        moments
            .iter()
            .filter_map(|moment| moment.among(values, mix))
    }

    /// Rotations at these times; none if the column holds something else.
    pub fn rotations_at<'a>(&'a self, moments: &'a [Moment]) -> impl Iterator<Item = [f32; 4]> {
        // A table asks for one stretch of samples at a time, so only those are unpacked.
        let samples = moments.iter().map(|moment| moment.sample);
        let first = samples.clone().min().unwrap_or(0);
        let end = samples.max().map_or(0, |last| last.saturating_add(2));
        let values = self.rotations_within(first..end.min(self.len()));
        let values = values.unwrap_or_default();
        moments.iter().filter_map(move |moment| {
            let sample = moment.sample - first;
            Moment { sample, ..*moment }.among(&values, turn)
        })
    }

    /// Numbers at these times; none if the column holds something else.
    pub fn scalars_at<'a>(&'a self, moments: &'a [Moment]) -> impl Iterator<Item = f32> {
        let values = match self {
            Self::Scalar(values) => values.as_slice(),
            _ => &[],
        };
        let towards = |a: f32, b: f32, part: f32| a + (b - a) * part;
        moments
            .iter()
            .filter_map(move |moment| moment.among(values, towards))
    }
}

impl Entity {
    /// The values of a column, and its track.
    pub fn column(&self, name: &str) -> Option<(&Track, &Values)> {
        self.tracks.iter().find_map(|track| {
            let column = track.columns.iter().find(|column| column.name == name)?;
            Some((track, &column.values))
        })
    }
}

impl Presence {
    /// The ranges of ascending times during which the entity is present.
    pub fn stretches(&self, times_s: &[f64]) -> impl Iterator<Item = Range<usize>> {
        let place = |limit_s: f64| times_s.partition_point(|&time_s| time_s < limit_s);
        self.intervals()
            .iter()
            .map(move |&(start_s, end_s)| place(start_s)..place(end_s))
            .filter(|stretch| !stretch.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::super::track::{Column, Hold, Sample};
    use super::*;

    const TIMES_S: [f64; 9] = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 3.95, 4.0, 9.0];

    fn track(hold: Hold) -> Track {
        Track {
            times_s: vec![1.0, 2.0, 2.0, 4.0],
            hold,
            columns: vec![Column {
                name: "height_m",
                values: Values::Scalar(vec![1.0, 2.0, 5.0, 8.0]),
            }],
        }
    }

    #[test]
    fn moments_agree_with_samples() {
        for hold in [Hold::Held, Hold::Linear, Hold::Resting] {
            let track = track(hold);
            let moments = track.moments(&TIMES_S);
            let values: Vec<f32> = track.columns[0].values.scalars_at(&moments).collect();
            let one_by_one =
                TIMES_S
                    .iter()
                    .filter_map(|&time_s| match track.sample(0, time_s)? {
                        Sample::Scalar(value) => Some(value),
                        _ => None,
                    });
            assert_eq!(values, one_by_one.collect::<Vec<_>>());
        }
    }

    #[test]
    fn runs_agree_with_samples() {
        let track = track(Hold::Held);
        for times_s in [&TIMES_S[..], &TIMES_S[4..], &[]] {
            let runs: Vec<_> = track.runs(times_s).collect();
            assert_eq!(
                runs.iter().map(|(_, run)| run.len()).sum::<usize>(),
                times_s.len()
            );
            for (sample, run) in runs {
                for &time_s in &times_s[run] {
                    let expected = track.sample(0, time_s);
                    let value = sample.and_then(|sample| track.columns[0].values.get(sample));
                    assert_eq!(value, expected);
                }
            }
        }
    }

    #[test]
    fn stretches_are_where_it_is() {
        let mut presence = Presence::default();
        for (from_s, to_s) in [(0.5, 1.5), (1.6, 1.9), (3.95, 4.0)] {
            presence.appear(from_s);
            presence.vanish(to_s);
        }
        let there = presence.stretches(&TIMES_S).flatten();
        let expected = (0..TIMES_S.len()).filter(|&index| presence.contains(TIMES_S[index]));
        assert!(there.eq(expected));
    }
}
