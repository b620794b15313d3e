//! Values of the timeline at given times, as columns have them.

use postgame::timeline::{Entity, Sample};

/// The values of a column at times, one for each; `None` where there is none.
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

/// Three numbers a row, each of them null where there is none.
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

/// A quaternion a row, null where there is none.
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
