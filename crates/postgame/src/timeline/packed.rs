//! Rotations in a game's packed form, unpacked on demand: most callers that sample positions do not sample rotations,
//! and the packed form takes half the memory.

use std::borrow::Cow;
use std::ops::Range;

use super::track::Values;

/// Packed rotations and the function that unpacks them.
#[derive(Clone, Debug)]
pub struct PackedRotations {
    bits: Vec<u64>,
    unpack: fn(u64) -> [f32; 4],
}

impl PackedRotations {
    /// Rotations that `unpack` turns into unit quaternions in the timeline's space.
    pub fn new(bits: Vec<u64>, unpack: fn(u64) -> [f32; 4]) -> Self {
        Self { bits, unpack }
    }

    /// Number of rotations.
    pub fn len(&self) -> usize {
        self.bits.len()
    }

    /// True when the list is empty.
    pub fn is_empty(&self) -> bool {
        self.bits.is_empty()
    }

    /// The rotation with this index.
    pub fn get(&self, index: usize) -> Option<[f32; 4]> {
        self.bits.get(index).map(|&bits| (self.unpack)(bits))
    }

    /// All rotations.
    pub fn iter(&self) -> impl Iterator<Item = [f32; 4]> {
        self.bits.iter().map(|&bits| (self.unpack)(bits))
    }

    /// The rotations of a range of indices; none if it is out of range.
    pub(super) fn slice(&self, range: Range<usize>) -> Self {
        Self {
            bits: self.bits.get(range).unwrap_or_default().to_vec(),
            unpack: self.unpack,
        }
    }
}

/// Compares the rotations, not their packed form.
impl PartialEq for PackedRotations {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Values {
    /// The values as rotations, packed or not; `None` if the column holds something else.
    pub fn rotations(&self) -> Option<Cow<'_, [[f32; 4]]>> {
        self.rotations_within(0..self.len())
    }

    /// The rotations of a range of indices; `None` also if it is out of range.
    pub(super) fn rotations_within(&self, range: Range<usize>) -> Option<Cow<'_, [[f32; 4]]>> {
        match self {
            Self::Rotation(values) => values.get(range).map(Cow::Borrowed),
            Self::Packed(PackedRotations { bits, unpack }) => {
                Some(bits.get(range)?.iter().map(|&bits| unpack(bits)).collect())
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::moments::Moment;
    use super::super::track::Sample;
    use super::*;

    fn unpack(bits: u64) -> [f32; 4] {
        [bits as f32, 0.0, 0.0, 1.0]
    }

    #[test]
    fn packed_or_not_they_are_the_same_rotations() {
        let mut values = Values::Packed(PackedRotations::new(vec![1, 2, 3], unpack));
        assert_eq!(values.len(), 3);
        assert_eq!(values.get(2), Some(Sample::Rotation(unpack(3))));
        assert_eq!(values.get(3), None);
        let unpacked: Vec<[f32; 4]> = [1, 2, 3].into_iter().map(unpack).collect();
        assert_eq!(values.rotations().as_deref(), Some(unpacked.as_slice()));
        let within = values.rotations_within(1..3);
        assert_eq!(within.as_deref(), unpacked.get(1..3));
        assert_eq!(values.rotations_within(2..4), None);
        let moments = [1, 2].map(|sample| Moment { sample, part: 0.0 });
        let at: Vec<[f32; 4]> = values.rotations_at(&moments).collect();
        assert_eq!(Some(at.as_slice()), unpacked.get(1..3));
        // Appended values cannot be packed.
        assert!(!values.push(Sample::Scalar(1.0)));
        assert!(values.push(Sample::Rotation(unpack(4))));
        assert_eq!(values.rotations().map_or(0, |values| values.len()), 4);
        assert_eq!(Values::Scalar(Vec::new()).rotations(), None);
    }
}
