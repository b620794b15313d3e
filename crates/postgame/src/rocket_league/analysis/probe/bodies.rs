//! The samples that are measured, and the arithmetic.

use std::borrow::Cow;

use crate::timeline::{Entity, Timeline, Track, Values};

/// Samples further apart than this are not compared.
const MOST_APART_S: f64 = 0.2;

/// A body's samples.
pub(super) struct Samples<'a> {
    pub times_s: &'a [f64],
    pub positions: &'a [[f32; 3]],
    pub rotations: Cow<'a, [[f32; 4]]>,
    pub velocities: &'a [[f32; 3]],
    pub turns: &'a [[f32; 3]],
}

impl Samples<'_> {
    /// Samples and their next ones that are not too far apart to compare: the index of the first, and the seconds between.
    pub fn near_pairs(&self) -> impl Iterator<Item = (usize, f64)> {
        let pairs = self.times_s.iter().zip(self.times_s.iter().skip(1));
        let passed = pairs.map(|(from_s, to_s)| to_s - from_s).enumerate();
        passed.filter(|(_, passed_s)| *passed_s > 0.0 && *passed_s <= MOST_APART_S)
    }
}

fn vectors<'a>(track: &'a Track, name: &str) -> &'a [[f32; 3]] {
    match track
        .columns
        .iter()
        .find(|column| column.name == name)
        .map(|column| &column.values)
    {
        Some(Values::Position(values)) => values,
        _ => &[],
    }
}

pub(super) fn samples(entity: &Entity) -> Option<Samples<'_>> {
    let track = entity.tracks.first()?;
    let rotations = track
        .columns
        .iter()
        .find_map(|column| column.values.rotations());
    Some(Samples {
        times_s: &track.times_s,
        positions: vectors(track, "position"),
        rotations: rotations?,
        velocities: vectors(track, "velocity_m_s"),
        turns: vectors(track, "angular_velocity_rad_s"),
    })
}

pub(super) fn bodies<'a>(
    timeline: &'a Timeline,
    kind: &'static str,
) -> impl Iterator<Item = Samples<'a>> {
    timeline
        .entities
        .iter()
        .filter(move |entity| entity.kind == kind)
        .filter_map(samples)
}

pub(super) fn length([x, y, z]: [f32; 3]) -> f64 {
    let [x, y, z] = [x, y, z].map(f64::from);
    (x * x + y * y + z * z).sqrt()
}

pub(super) fn dot(a: [f32; 3], b: [f32; 3]) -> f64 {
    a.iter()
        .zip(b)
        .map(|(a, b)| f64::from(*a) * f64::from(b))
        .sum()
}

pub(super) fn minus(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// The middle one of some numbers.
pub(super) fn median(mut numbers: Vec<f64>) -> f64 {
    let middle = numbers.len() / 2;
    if numbers.is_empty() {
        return 0.0;
    }
    let (_, median, _) = numbers.select_nth_unstable_by(middle, f64::total_cmp);
    *median
}

pub(super) fn share(numbers: &[f64], holds: impl Fn(f64) -> bool) -> f64 {
    let count = numbers.iter().filter(|number| holds(**number)).count();
    if numbers.is_empty() {
        0.0
    } else {
        count as f64 / numbers.len() as f64
    }
}
