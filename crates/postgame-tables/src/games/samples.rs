//! Values of the timeline at given times, as columns have them.

use std::cell::OnceCell;
use std::ops::Range;

use arrow::datatypes::Float32Type;
use postgame::timeline::{Entity, Moment, Sample, Track, Values};

use crate::builders::NumberBuilder;
use crate::kinds::Steady;

type Floats = NumberBuilder<Float32Type>;

/// The value of a column at each time; `None` if there is none.
fn values<T>(
    entity: Option<&Entity>,
    column: &str,
    times_s: &[f64],
    value: impl Fn(Sample<'_>) -> Option<T>,
) -> Vec<Option<T>> {
    let Some(entity) = entity else {
        return times_s.iter().map(|_| None).collect();
    };
    let samples = entity.resample(column, times_s).into_iter();
    samples.map(|sample| value(sample?)).collect()
}

/// Three numbers for each row; null if absent.
pub(crate) fn positions(
    entity: Option<&Entity>,
    column: &str,
    times_s: &[f64],
) -> Vec<[Option<f32>; 3]> {
    let positions = values(entity, column, times_s, |sample| match sample {
        Sample::Position(position) => Some(position),
        _ => None,
    });
    let nullable = |position: Option<[f32; 3]>| position.map_or([None; 3], |all| all.map(Some));
    positions.into_iter().map(nullable).collect()
}

/// A quaternion for each row; null if absent.
pub(crate) fn rotations(entity: Option<&Entity>, times_s: &[f64]) -> Vec<[Option<f32>; 4]> {
    let rotations = values(entity, "rotation", times_s, |sample| match sample {
        Sample::Rotation(rotation) => Some(rotation),
        _ => None,
    });
    let nullable = |rotation: Option<[f32; 4]>| rotation.map_or([None; 4], |all| all.map(Some));
    rotations.into_iter().map(nullable).collect()
}

/// A number a row.
pub(crate) fn scalars(entity: Option<&Entity>, column: &str, times_s: &[f64]) -> Vec<Option<f32>> {
    values(entity, column, times_s, |sample| match sample {
        Sample::Scalar(value) => Some(value),
        _ => None,
    })
}

/// A yes or no a row.
pub(crate) fn flags(entity: Option<&Entity>, column: &str, times_s: &[f64]) -> Vec<Option<bool>> {
    values(entity, column, times_s, |sample| match sample {
        Sample::Flag(value) => Some(value),
        _ => None,
    })
}

/// The stretches of ascending times during which an entity is present and its position is known.
pub(crate) fn stretches<'a>(
    entity: &'a Entity,
    times_s: &'a [f64],
) -> impl Iterator<Item = Range<usize>> + 'a {
    let positions = entity.column("position");
    let first_s = positions.and_then(|(track, _)| track.times_s.first().copied());
    let known = first_s.map(|first_s| times_s.partition_point(|&time_s| time_s < first_s));
    known.into_iter().flat_map(move |known| {
        let there = entity.presence.stretches(times_s);
        there
            .map(move |stretch| stretch.start.max(known)..stretch.end)
            .filter(|stretch| !stretch.is_empty())
    })
}

/// A column of an entity whose values stay until the next one, at ascending times. It is read on demand.
pub(crate) struct Held<'a, T> {
    entity: Option<&'a Entity>,
    column: &'static str,
    times_s: &'a [f64],
    value: fn(Sample<'_>) -> Option<T>,
    /// Up to which row, and the value or nothing.
    runs: OnceCell<Vec<(usize, Option<T>)>>,
}

impl<'a, T: Copy> Held<'a, T> {
    /// Empty if the entity or the column is absent.
    pub fn new(
        entity: Option<&'a Entity>,
        column: &'static str,
        times_s: &'a [f64],
        value: fn(Sample<'_>) -> Option<T>,
    ) -> Self {
        Self {
            entity,
            column,
            times_s,
            value,
            runs: OnceCell::new(),
        }
    }

    fn runs(&self) -> Vec<(usize, Option<T>)> {
        let mut runs = Vec::new();
        let mut at = 0;
        let found = self
            .entity
            .and_then(|entity| Some((entity, entity.column(self.column)?)));
        if let Some((entity, (track, values))) = found {
            for stretch in entity.presence.stretches(self.times_s) {
                if stretch.start > at {
                    runs.push((stretch.start, None));
                }
                at = stretch.end;
                let present_s = self.times_s.get(stretch.clone()).unwrap_or_default();
                for (sample, run) in track.runs(present_s) {
                    let value = sample.and_then(|sample| (self.value)(values.get(sample)?));
                    runs.push((stretch.start + run.end, value));
                }
            }
        }
        runs.push((self.times_s.len(), None));
        runs
    }

    /// Adds the values of some rows to a column, if it is wanted.
    pub fn add<K: Steady<One = T>>(&self, builder: &mut Option<K::Builder>, rows: &Range<usize>) {
        let Some(builder) = builder else { return };
        let runs = self.runs.get_or_init(|| self.runs());
        let first = runs.partition_point(|&(end, _)| end <= rows.start);
        let mut at = rows.start;
        for &(end, value) in runs.get(first..).unwrap_or_default() {
            let end = end.min(rows.end);
            K::append_many(builder, value, end - at);
            at = end;
            if at == rows.end {
                return;
            }
        }
    }
}

/// A number that stays.
pub(crate) fn number(sample: Sample<'_>) -> Option<f32> {
    match sample {
        Sample::Scalar(value) => Some(value),
        _ => None,
    }
}

/// A yes or no that stays.
pub(crate) fn flag(sample: Sample<'_>) -> Option<bool> {
    match sample {
        Sample::Flag(value) => Some(value),
        _ => None,
    }
}

/// The motion of an entity's body, at times at which it is present.
pub(crate) struct Motion<'a> {
    entity: &'a Entity,
    track: Option<&'a Track>,
    times_s: &'a [f64],
    /// Computed on demand.
    moments: OnceCell<Vec<Moment>>,
}

impl<'a> Motion<'a> {
    pub fn new(entity: &'a Entity, times_s: &'a [f64]) -> Self {
        let track = entity.column("position").map(|(track, _)| track);
        Self {
            entity,
            track,
            times_s,
            moments: OnceCell::new(),
        }
    }

    fn moments(&self) -> &[Moment] {
        self.moments.get_or_init(|| {
            let moments = self.track.map(|track| track.moments(self.times_s));
            moments.unwrap_or_default()
        })
    }

    fn values(&self, column: &str) -> Option<&'a Values> {
        let (track, values) = self.entity.column(column)?;
        // A game keeps all of a body in one track; another one's moments would not be these.
        std::ptr::eq(track, self.track?).then_some(values)
    }

    /// Adds vectors to three columns, as the game has them.
    pub fn add_vectors(
        &self,
        column: &str,
        builders: [&mut Option<Floats>; 3],
        own: impl Fn([f32; 3]) -> [f32; 3],
    ) {
        let vectors = self.values(column).into_iter();
        let vectors = vectors.flat_map(|values| values.positions_at(self.moments()));
        self.add_parts(builders, vectors.map(own));
    }

    /// Adds rotations to four columns, as the game has them.
    pub fn add_rotations(
        &self,
        builders: [&mut Option<Floats>; 4],
        own: impl Fn([f32; 4]) -> [f32; 4],
    ) {
        let rotations = self.values("rotation").into_iter();
        let rotations = rotations.flat_map(|values| values.rotations_at(self.moments()));
        self.add_parts(builders, rotations.map(own));
    }

    fn add_parts<const N: usize>(
        &self,
        builders: [&mut Option<Floats>; N],
        values: impl Iterator<Item = [f32; N]>,
    ) {
        if builders.iter().all(|builder| builder.is_none()) {
            return;
        }
        let rows = self.times_s.len();
        let mut columns: [Vec<f32>; N] = std::array::from_fn(|_| Vec::with_capacity(rows));
        for value in values {
            for (column, part) in columns.iter_mut().zip(value) {
                column.push(part);
            }
        }
        for (builder, column) in builders.into_iter().zip(&columns) {
            if let Some(builder) = builder {
                // What is not known yet comes first.
                builder.append_nulls(rows - column.len());
                builder.append_slice(column);
            }
        }
    }
}

/// Adds numbers that move to a column, if it is wanted; at times at which the entity is there.
pub(crate) fn add_scalars(
    builder: &mut Option<Floats>,
    entity: &Entity,
    column: &str,
    times_s: &[f64],
) {
    let Some(builder) = builder else { return };
    let mut values: Vec<f32> = Vec::new();
    if let Some((track, all)) = entity.column(column) {
        values = all.scalars_at(&track.moments(times_s)).collect();
    }
    builder.append_nulls(times_s.len() - values.len());
    builder.append_slice(&values);
}
