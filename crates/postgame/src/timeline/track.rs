//! Columns of times and values, and sampling them.

use super::packed::PackedRotations;

/// How a value continues between two samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// Holds until the next sample: the recorder writes changes only.
    Held,
    /// Interpolates to the next sample: the recorder samples a moving object now and then.
    Linear,
    /// Interpolates to the next sample if that is near; otherwise holds, because the recorder writes nothing for a
    /// resting body. Before a sample more than [`FAR_S`] later, it holds and interpolates only during the last
    /// [`START_S`].
    Resting,
}

/// Longest interval between samples of a moving body, in seconds.
pub const FAR_S: f64 = 0.5;

/// Longest time by which a resting body starts to move before its next sample, in seconds.
pub const START_S: f64 = 0.1;

impl Hold {
    /// True when values interpolate between samples.
    pub fn is_moving(self) -> bool {
        self != Self::Held
    }

    /// [`FAR_S`] and [`START_S`] if they apply, for callers that do their own sampling.
    pub fn rest_s(self) -> Option<[f64; 2]> {
        (self == Self::Resting).then_some([FAR_S, START_S])
    }

    /// The time at which a value starts to move from one sample to the next.
    pub fn moves_from_s(self, sample_s: f64, next_s: f64) -> f64 {
        match self {
            Self::Resting if next_s - sample_s > FAR_S => next_s - START_S,
            _ => sample_s,
        }
    }
}

/// Columns that share one column of times.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Time of each sample, in seconds, ascending; of equal times the last one counts.
    pub times_s: Vec<f64>,
    /// How values continue between samples.
    pub hold: Hold,
    /// The values, each column as long as `times_s`.
    pub columns: Vec<Column>,
}

/// One kind of value over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The name, with its unit unless that is the timeline's own: `position`, `health`, `speed_m_s`.
    pub name: &'static str,
    /// The values.
    pub values: Values,
}

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Metres, right-handed, Y up.
    Position(Vec<[f32; 3]>),
    /// Unit quaternions, x y z w.
    Rotation(Vec<[f32; 4]>),
    /// Rotations in a game's packed form: see [`Self::rotations`].
    Packed(PackedRotations),
    /// Numbers.
    Scalar(Vec<f32>),
    /// Booleans; always held.
    Flag(Vec<bool>),
    /// One of a few names; always held.
    Name {
        /// The names.
        names: Vec<String>,
        /// Index into the names.
        indices: Vec<u32>,
    },
}

/// A sampled value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sample<'a> {
    /// Metres, right-handed, Y up.
    Position([f32; 3]),
    /// A unit quaternion, x y z w.
    Rotation([f32; 4]),
    /// A number.
    Scalar(f32),
    /// A boolean.
    Flag(bool),
    /// A name.
    Name(&'a str),
}

impl Track {
    /// An empty track with the given columns.
    pub fn new(hold: Hold, columns: Vec<Column>) -> Self {
        Self {
            times_s: Vec::new(),
            hold,
            columns,
        }
    }

    /// The value of the column with this index; `None` before the first sample.
    ///
    /// After the last sample the value stays; whether the entity still exists is decided by its presence.
    pub fn sample(&self, column: usize, time_s: f64) -> Option<Sample<'_>> {
        let after = self.times_s.partition_point(|&time| time <= time_s);
        self.sample_before(column, after, time_s)
    }

    /// The values of a column at ascending times, in one pass.
    pub fn resample(&self, column: usize, times_s: &[f64]) -> Vec<Option<Sample<'_>>> {
        let mut after = 0;
        let at = |&time_s: &f64| {
            while self.times_s.get(after).is_some_and(|&time| time <= time_s) {
                after += 1;
            }
            self.sample_before(column, after, time_s)
        };
        times_s.iter().map(at).collect()
    }

    /// The value at a time, given the index of the first sample after it.
    fn sample_before(&self, column: usize, after: usize, time_s: f64) -> Option<Sample<'_>> {
        let values = &self.columns.get(column)?.values;
        let value = values.get(after.checked_sub(1)?)?;
        let part = self.part(after, time_s);
        if part == 0.0 {
            // At its own time a sample is returned bit for bit.
            return Some(value);
        }
        Some(value.towards(values.get(after)?, part))
    }

    /// Fraction of the way to the next sample at a time, given that sample's index.
    #[inline]
    pub(super) fn part(&self, after: usize, time_s: f64) -> f32 {
        let before_s = after
            .checked_sub(1)
            .and_then(|before| self.times_s.get(before));
        let (true, Some(&before_s), Some(&next_s)) =
            (self.hold.is_moving(), before_s, self.times_s.get(after))
        else {
            return 0.0;
        };
        let start_s = self.hold.moves_from_s(before_s, next_s);
        if time_s <= start_s {
            return 0.0;
        }
        ((time_s - start_s) / (next_s - start_s)) as f32
    }

    /// The samples between two times, plus the last one before and the first one after them.
    #[must_use]
    pub fn slice(&self, from_s: f64, to_s: f64) -> Self {
        let start = self
            .times_s
            .partition_point(|&time| time <= from_s)
            .saturating_sub(1);
        let end = (self.times_s.partition_point(|&time| time < to_s) + 1).min(self.times_s.len());
        let range = start..end.max(start);
        let columns = self.columns.iter().map(|column| Column {
            name: column.name,
            values: column.values.slice(range.clone()),
        });
        Self {
            times_s: self.times_s.get(range.clone()).unwrap_or_default().to_vec(),
            hold: self.hold,
            columns: columns.collect(),
        }
    }
}

impl Column {
    /// An empty column of positions.
    pub fn positions(name: &'static str) -> Self {
        Self {
            name,
            values: Values::Position(Vec::new()),
        }
    }

    /// An empty column of rotations.
    pub fn rotations(name: &'static str) -> Self {
        Self {
            name,
            values: Values::Rotation(Vec::new()),
        }
    }

    /// An empty column of numbers.
    pub fn scalars(name: &'static str) -> Self {
        Self {
            name,
            values: Values::Scalar(Vec::new()),
        }
    }

    /// An empty column of booleans.
    pub fn flags(name: &'static str) -> Self {
        Self {
            name,
            values: Values::Flag(Vec::new()),
        }
    }
}

impl Values {
    /// Number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::Position(values) => values.len(),
            Self::Rotation(values) => values.len(),
            Self::Packed(values) => values.len(),
            Self::Scalar(values) => values.len(),
            Self::Flag(values) => values.len(),
            Self::Name { indices, .. } => indices.len(),
        }
    }

    /// True when the column is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value with this index.
    pub fn get(&self, index: usize) -> Option<Sample<'_>> {
        Some(match self {
            Self::Position(values) => Sample::Position(*values.get(index)?),
            Self::Rotation(values) => Sample::Rotation(*values.get(index)?),
            Self::Packed(values) => Sample::Rotation(values.get(index)?),
            Self::Scalar(values) => Sample::Scalar(*values.get(index)?),
            Self::Flag(values) => Sample::Flag(*values.get(index)?),
            Self::Name { names, indices } => {
                Sample::Name(names.get(usize::try_from(*indices.get(index)?).ok()?)?)
            }
        })
    }

    /// The values of a range of indices.
    fn slice(&self, range: std::ops::Range<usize>) -> Self {
        fn part<T: Clone>(values: &[T], range: std::ops::Range<usize>) -> Vec<T> {
            values.get(range).unwrap_or_default().to_vec()
        }
        match self {
            Self::Position(values) => Self::Position(part(values, range)),
            Self::Rotation(values) => Self::Rotation(part(values, range)),
            Self::Packed(values) => Self::Packed(values.slice(range)),
            Self::Scalar(values) => Self::Scalar(part(values, range)),
            Self::Flag(values) => Self::Flag(part(values, range)),
            Self::Name { names, indices } => Self::Name {
                names: names.clone(),
                indices: part(indices, range),
            },
        }
    }

    /// Appends a value of the column's own kind; returns `false` on a type mismatch.
    pub fn push(&mut self, sample: Sample<'_>) -> bool {
        if let (Self::Packed(values), Sample::Rotation(_)) = (&*self, sample) {
            *self = Self::Rotation(values.iter().collect());
        }
        match (self, sample) {
            (Self::Position(values), Sample::Position(value)) => values.push(value),
            (Self::Rotation(values), Sample::Rotation(value)) => values.push(value),
            (Self::Scalar(values), Sample::Scalar(value)) => values.push(value),
            (Self::Flag(values), Sample::Flag(value)) => values.push(value),
            (Self::Name { names, indices }, Sample::Name(value)) => {
                let index = names
                    .iter()
                    .position(|name| name == value)
                    .unwrap_or_else(|| {
                        names.push(value.to_owned());
                        names.len() - 1
                    });
                indices.push(index as u32);
            }
            _ => return false,
        }
        true
    }
}

impl Sample<'_> {
    /// Interpolates from this value by a fraction (0 to 1) towards the next one of the same column.
    fn towards(self, next: Self, part: f32) -> Self {
        match (self, next) {
            (Self::Position(a), Self::Position(b)) => Self::Position(mix(a, b, part)),
            (Self::Scalar(a), Self::Scalar(b)) => Self::Scalar(a + (b - a) * part),
            (Self::Rotation(a), Self::Rotation(b)) => Self::Rotation(turn(a, b, part)),
            _ => self,
        }
    }
}

pub(super) fn mix<const N: usize>(a: [f32; N], b: [f32; N], part: f32) -> [f32; N] {
    std::array::from_fn(|index| a[index] + (b[index] - a[index]) * part)
}

/// Spherical linear interpolation along the shorter arc.
pub fn turn(a: [f32; 4], b: [f32; 4], part: f32) -> [f32; 4] {
    let dot: f32 = (0..4).map(|index| a[index] * b[index]).sum();
    let (dot, b) = if dot < 0.0 {
        (-dot, b.map(|value| -value))
    } else {
        (dot, b)
    };
    let mixed = if dot > 0.9995 {
        // Nearly equal: the sine below would be almost 0.
        mix(a, b, part)
    } else {
        let angle = dot.acos();
        let (from, to) = (((1.0 - part) * angle).sin(), (part * angle).sin());
        std::array::from_fn(|index| (a[index] * from + b[index] * to) / angle.sin())
    };
    unit(mixed)
}

/// Scales a quaternion to length 1; one without a direction becomes the identity.
pub fn unit(quaternion: [f32; 4]) -> [f32; 4] {
    let norm = quaternion
        .iter()
        .map(|value| value * value)
        .sum::<f32>()
        .sqrt();
    if norm.is_finite() && norm > 1e-6 {
        quaternion.map(|value| value / norm)
    } else {
        [0.0, 0.0, 0.0, 1.0]
    }
}

/// Tests a game's conversion into the timeline's space: rotating a vector and then converting it must equal converting
/// it and then rotating it.
#[cfg(test)]
pub(crate) fn assert_turning_is_kept(
    position: impl Fn([f32; 3]) -> [f32; 3],
    rotation: impl Fn([f32; 4]) -> [f32; 4],
) {
    let cross = |a: [f32; 3], b: [f32; 3]| {
        [
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        ]
    };
    // The formula is the same in left-handed and right-handed spaces.
    let turn = |[x, y, z, w]: [f32; 4], v: [f32; 3]| -> [f32; 3] {
        let axis = [x, y, z];
        let once = cross(axis, v);
        let twice = cross(axis, once);
        std::array::from_fn(|index| v[index] + 2.0 * (w * once[index] + twice[index]))
    };
    let quaternion = unit([0.3, -0.5, 0.2, 0.8]);
    for vector in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.2, -3.0, 5.0]] {
        let one = position(turn(quaternion, vector));
        let other = turn(rotation(quaternion), position(vector));
        for (a, b) in one.iter().zip(other) {
            assert!((a - b).abs() < 1e-5, "{one:?} {other:?}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(hold: Hold) -> Track {
        let half = std::f32::consts::FRAC_1_SQRT_2;
        Track {
            times_s: vec![1.0, 2.0, 4.0],
            hold,
            columns: vec![
                Column {
                    name: "position",
                    values: Values::Position(vec![[0.0; 3], [1.0, 2.0, 3.0], [3.0, 2.0, 1.0]]),
                },
                Column {
                    name: "rotation",
                    values: Values::Rotation(vec![
                        [0.0, 0.0, 0.0, 1.0],
                        [0.0, half, 0.0, half],
                        // The same rotation with the opposite sign: sampling must still take the shorter arc.
                        [0.0, -half, 0.0, -half],
                    ]),
                },
            ],
        }
    }

    #[test]
    fn nothing_is_known_before_the_first_sample() {
        assert_eq!(track(Hold::Held).sample(0, 0.99), None);
        assert_eq!(track(Hold::Linear).sample(0, 0.99), None);
        assert_eq!(track(Hold::Linear).sample(7, 1.0), None);
    }

    #[test]
    fn held_values_stay_and_linear_ones_move() {
        let (held, linear) = (track(Hold::Held), track(Hold::Linear));
        assert_eq!(
            held.sample(0, 3.0).unwrap(),
            Sample::Position([1.0, 2.0, 3.0])
        );
        assert_eq!(
            linear.sample(0, 3.0).unwrap(),
            Sample::Position([2.0, 2.0, 2.0])
        );
        assert_eq!(
            linear.sample(0, 2.0).unwrap(),
            Sample::Position([1.0, 2.0, 3.0])
        );
        assert_eq!(
            linear.sample(0, 9.0).unwrap(),
            Sample::Position([3.0, 2.0, 1.0])
        );
    }

    #[test]
    fn what_rests_stays_until_shortly_before_it_moves() {
        let track = track(Hold::Resting);
        let at = |time_s| match track.sample(0, time_s) {
            Some(Sample::Position(position)) => position,
            other => panic!("{other:?}"),
        };
        // There is no sample from 2 s to 4 s: the body rested.
        assert_eq!([at(2.0), at(3.0), at(3.89)], [[1.0, 2.0, 3.0]; 3]);
        let half = at(3.95);
        assert!((half[0] - 2.0).abs() < 1e-4 && (half[2] - 2.0).abs() < 1e-4);
        assert_eq!(at(4.0), [3.0, 2.0, 1.0]);
    }

    #[test]
    fn rotations_stay_unit_and_take_the_short_way() {
        let track = track(Hold::Linear);
        let Some(Sample::Rotation(quarter)) = track.sample(1, 1.5) else {
            panic!()
        };
        let eighth = std::f32::consts::FRAC_PI_8;
        assert!(
            (quarter[1] - eighth.sin()).abs() < 1e-6 && (quarter[3] - eighth.cos()).abs() < 1e-6
        );
        let Some(Sample::Rotation(same)) = track.sample(1, 3.0) else {
            panic!()
        };
        assert!((same[1].abs() - std::f32::consts::FRAC_1_SQRT_2).abs() < 1e-6);
    }

    #[test]
    fn names_are_stored_once() {
        let mut values = Values::Name {
            names: Vec::new(),
            indices: Vec::new(),
        };
        for name in ["a", "b", "a"] {
            values.push(Sample::Name(name));
        }
        assert_eq!(
            values,
            Values::Name {
                names: vec!["a".into(), "b".into()],
                indices: vec![0, 1, 0]
            }
        );
        assert_eq!(values.get(2), Some(Sample::Name("a")));
    }
}
