//! Where a column changes. Most columns rest most of the time, so several values are looked at in one go.

use std::ops::Range;

/// How many values are looked at in one go.
const BLOCK: usize = 16;

/// A column, or two that are looked at together.
pub(super) trait Cells: Copy {
    /// What is in it.
    type Value: Copy + PartialEq;

    /// The values of some events.
    fn part(self, events: Range<usize>) -> Option<Self>;

    /// The value with this index.
    fn at(self, index: usize) -> Option<Self::Value>;

    /// The [`BLOCK`] values from an index on; `None` where there are fewer.
    fn block(self, start: usize) -> Option<[Self::Value; BLOCK]>;

    /// True when the [`BLOCK`] values from an index on are all this one; false where there are fewer.
    fn is_block(self, start: usize, value: Self::Value) -> bool;
}

impl<T: Copy + PartialEq> Cells for &[T] {
    type Value = T;

    fn part(self, events: Range<usize>) -> Option<Self> {
        self.get(events)
    }

    #[inline]
    fn at(self, index: usize) -> Option<T> {
        self.get(index).copied()
    }

    #[inline]
    fn block(self, start: usize) -> Option<[T; BLOCK]> {
        self.get(start..)?.first_chunk().copied()
    }

    #[inline]
    fn is_block(self, start: usize, value: T) -> bool {
        let block = self.get(start..).and_then(|rest| rest.first_chunk());
        // Without stopping at the first other one: so it is a few instructions for all.
        block.is_some_and(|block: &[T; BLOCK]| {
            block.iter().fold(true, |same, &one| same & (one == value))
        })
    }
}

impl<A: Cells, B: Cells> Cells for (A, B) {
    type Value = (A::Value, B::Value);

    fn part(self, events: Range<usize>) -> Option<Self> {
        Some((self.0.part(events.clone())?, self.1.part(events)?))
    }

    #[inline]
    fn at(self, index: usize) -> Option<Self::Value> {
        Some((self.0.at(index)?, self.1.at(index)?))
    }

    #[inline]
    fn block(self, start: usize) -> Option<[Self::Value; BLOCK]> {
        let (a, b) = (self.0.block(start)?, self.1.block(start)?);
        Some(std::array::from_fn(|index| (a[index], b[index])))
    }

    #[inline]
    fn is_block(self, start: usize, value: Self::Value) -> bool {
        self.0.is_block(start, value.0) && self.1.is_block(start, value.1)
    }
}

/// Goes through what changes, some values at a time with the time of each; `last` is the value before and becomes the
/// last one.
#[inline]
pub(super) fn each_change<C: Cells>(
    cells: C,
    times_s: &[f64],
    last: &mut Option<C::Value>,
    mut see: impl FnMut(&[f64], &[C::Value]),
) {
    let (blocks, rest) = times_s.as_chunks::<BLOCK>();
    let mut start = 0;
    for block_s in blocks {
        match *last {
            Some(value) if cells.is_block(start, value) => {}
            Some(value) => {
                let Some(values) = cells.block(start) else {
                    return;
                };
                let (changed_s, changed, count) = compact(value, block_s, &values);
                see(&changed_s[..count], &changed[..count]);
                *last = values.last().copied();
            }
            None => one_by_one(cells, start, block_s, last, &mut see),
        }
        start += BLOCK;
    }
    one_by_one(cells, start, rest, last, &mut see);
}

/// At most so many of some values change.
pub(super) fn most_changes<C: Cells>(cells: C, count: usize) -> usize {
    let most_in = |start: usize| match cells.at(start) {
        Some(first) if cells.is_block(start, first) => 1,
        _ => BLOCK,
    };
    (0..count).step_by(BLOCK).map(most_in).sum()
}

/// Moves what differs from the value before it to the front, and counts it. Nothing is decided on the way: a stick moves
/// or rests as it likes, and a processor that guesses wrong loses more than the copying takes.
#[inline]
fn compact<T: Copy + PartialEq>(
    mut last: T,
    times_s: &[f64; BLOCK],
    values: &[T; BLOCK],
) -> ([f64; BLOCK], [T; BLOCK], usize) {
    let (mut changed_s, mut changed) = (*times_s, *values);
    let mut count = 0;
    for (time_s, value) in times_s.iter().zip(values) {
        changed_s[count % BLOCK] = *time_s;
        changed[count % BLOCK] = *value;
        count += usize::from(*value != last);
        last = *value;
    }
    (changed_s, changed, count)
}

fn one_by_one<C: Cells>(
    cells: C,
    start: usize,
    times_s: &[f64],
    last: &mut Option<C::Value>,
    see: &mut impl FnMut(&[f64], &[C::Value]),
) {
    for (index, time_s) in (start..).zip(times_s) {
        let Some(value) = cells.at(index) else {
            return;
        };
        if *last != Some(value) {
            see(&[*time_s], &[value]);
            *last = Some(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The changes of a column as a plain loop finds them.
    fn plainly<T: Copy + PartialEq>(values: &[T]) -> Vec<(f64, T)> {
        let mut changes: Vec<(f64, T)> = Vec::new();
        for (index, &value) in values.iter().enumerate() {
            if changes.last().is_none_or(|(_, last)| *last != value) {
                changes.push((index as f64, value));
            }
        }
        changes
    }

    #[test]
    fn blocks_lose_no_change() {
        for count in [0, 1, 15, 16, 17, 100] {
            let times_s: Vec<f64> = (0..count).map(f64::from).collect();
            for period in [1, 2, 15, 16, 17, 40, 1000] {
                let column: Vec<u8> = (0..count).map(|index| (index / period) as u8).collect();
                let other: Vec<f32> = (0..count).map(|index| (index / 33) as f32).collect();
                let (mut last, mut found) = (None, Vec::new());
                each_change(column.as_slice(), &times_s, &mut last, |times_s, values| {
                    found.extend(times_s.iter().copied().zip(values.iter().copied()));
                });
                assert_eq!(found, plainly(&column));
                assert!(found.len() <= most_changes(column.as_slice(), times_s.len()));
                assert_eq!(last, column.last().copied());
                let (mut last, mut found) = (None, Vec::new());
                let both = (column.as_slice(), other.as_slice());
                each_change(both, &times_s, &mut last, |times_s, values| {
                    found.extend(times_s.iter().copied().zip(values.iter().copied()));
                });
                let pairs: Vec<(u8, f32)> = column.into_iter().zip(other).collect();
                assert_eq!(found, plainly(&pairs));
            }
        }
    }

    #[test]
    fn what_is_no_number_changes_every_time() {
        let (mut last, mut seen) = (None, 0);
        each_change(
            [f32::NAN; 20].as_slice(),
            &[0.0; 20],
            &mut last,
            |_, values| seen += values.len(),
        );
        assert_eq!(seen, 20);
    }
}
