//! The Parquet encodings of our columns.

use arrow::buffer::BooleanBuffer;

/// Number of values in a block, and in each of its miniblocks.
const BLOCK: usize = 128;
const SMALL: usize = 32;

/// A variable-length integer: seven bits per byte, the lowest first.
fn varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// The same for signed numbers.
fn zigzag(out: &mut Vec<u8>, number: i64) {
    varint(out, ((number << 1) ^ (number >> 63)) as u64);
}

/// This many numbers of any width fill whole bytes, and are packed together.
const GROUP: usize = 8;

/// Packs numbers of up to `width` bits, least significant bit first.
fn pack(out: &mut Vec<u8>, width: u32, group: [u64; GROUP]) {
    let end = out.len() + width as usize;
    match width {
        0 => {}
        1..=16 => {
            let places = (0..).step_by(width as usize);
            let placed = group.into_iter().zip(places);
            let bits = placed.fold(0, |bits, (number, at)| bits | u128::from(number) << at);
            out.extend_from_slice(&bits.to_le_bytes());
        }
        _ => {
            let (mut bits, mut used) = (0_u128, 0);
            for number in group {
                bits |= u128::from(number) << used;
                used += width;
                if used >= 64 {
                    out.extend_from_slice(&(bits as u64).to_le_bytes());
                    bits >>= 64;
                    used -= 64;
                }
            }
            out.extend_from_slice(&(bits as u64).to_le_bytes());
        }
    }
    // Writing whole words is faster than writing only the bytes needed.
    out.truncate(end);
}

/// Number of bits needed for numbers up to this one.
fn width_of(most: u64) -> u32 {
    u64::BITS - most.leading_zeros()
}

/// The validity of the rows, preceded by its length as in data pages of version 1.
pub(super) fn levels(out: &mut Vec<u8>, rows: usize, valid: Option<&BooleanBuffer>) {
    let start = out.len();
    out.extend_from_slice(&[0; 4]);
    match valid.filter(|valid| valid.count_set_bits() > 0) {
        // Bits are packed as in Arrow.
        Some(valid) => bits_run(out, valid),
        None => {
            varint(out, (rows as u64) << 1);
            out.push(u8::from(valid.is_none()));
        }
    }
    let length = (out.len() - start - 4) as u32;
    if let Some(place) = out.get_mut(start..start + 4) {
        place.copy_from_slice(&length.to_le_bytes());
    }
}

fn bits_run(out: &mut Vec<u8>, bits: &BooleanBuffer) {
    varint(out, ((bits.len().div_ceil(8) as u64) << 1) | 1);
    flags(out, bits);
}

/// Booleans, eight per byte.
pub(super) fn flags(out: &mut Vec<u8>, bits: &BooleanBuffer) {
    let end = out.len() + bits.len().div_ceil(8);
    out.extend_from_slice(bits.sliced().as_slice());
    out.truncate(end);
}

/// Dictionary indices: groups of equal indices as runs, all others bit-packed.
pub(super) fn places(out: &mut Vec<u8>, places: &[u32], dictionary: usize) {
    let width = width_of(dictionary.saturating_sub(1) as u64);
    out.push(width as u8);
    let bytes = width.div_ceil(8) as usize;
    let (mut groups, rest) = places.as_chunks::<GROUP>();
    let is_run = |group: &[u32; GROUP]| *group == [group[0]; GROUP];
    while let Some(group) = groups.first() {
        let length = if is_run(group) {
            let length = groups.iter().take_while(|other| *other == group).count();
            varint(out, ((length * GROUP) as u64) << 1);
            out.extend_from_slice(&group[0].to_le_bytes()[..bytes]);
            length
        } else {
            let length = groups.iter().take_while(|group| !is_run(group)).count();
            stretch(out, width, groups.get(..length).unwrap_or_default());
            length
        };
        groups = groups.get(length..).unwrap_or_default();
    }
    if !rest.is_empty() {
        let mut last = [0; GROUP];
        last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
        stretch(out, width, &[last]);
    }
}

/// Indices that differ.
fn stretch(out: &mut Vec<u8>, width: u32, groups: &[[u32; GROUP]]) {
    varint(out, ((groups.len() as u64) << 1) | 1);
    out.reserve(groups.len() * width as usize + size_of::<u128>());
    for group in groups {
        pack(out, width, group.map(u64::from));
    }
}

/// An integer as Parquet stores it.
pub(super) trait Whole: Copy {
    /// The wrapping difference from another integer.
    fn delta(self, before: Self) -> i64;
    /// The number itself.
    fn wide(self) -> i64;
}

impl Whole for i32 {
    fn delta(self, before: Self) -> i64 {
        self.wrapping_sub(before).into()
    }

    fn wide(self) -> i64 {
        self.into()
    }
}

impl Whole for i64 {
    fn delta(self, before: Self) -> i64 {
        self.wrapping_sub(before)
    }

    fn wide(self) -> i64 {
        self
    }
}

/// Each number as its difference from the previous one.
pub(super) fn deltas<T: Whole>(out: &mut Vec<u8>, numbers: &[T]) {
    varint(out, BLOCK as u64);
    varint(out, (BLOCK / SMALL) as u64);
    varint(out, numbers.len() as u64);
    let Some(&first) = numbers.first() else {
        zigzag(out, 0);
        return;
    };
    zigzag(out, first.wide());
    let mut before = first;
    let mut block = [0; BLOCK];
    for numbers in numbers.get(1..).unwrap_or_default().chunks(BLOCK) {
        for (delta, &number) in block.iter_mut().zip(numbers) {
            *delta = number.delta(before);
            before = number;
        }
        let (deltas, beyond) = block.split_at_mut(numbers.len());
        let least = deltas.iter().copied().min().unwrap_or_default();
        zigzag(out, least);
        // The padding of the last block takes no space.
        beyond.fill(least);
        let widths = out.len();
        out.extend_from_slice(&[0; BLOCK / SMALL]);
        let used = deltas.len().div_ceil(SMALL);
        for (index, small) in block.chunks(SMALL).take(used).enumerate() {
            let above = |delta: i64| delta.wrapping_sub(least) as u64;
            let width = width_of(small.iter().fold(0, |bits, &delta| bits | above(delta)));
            if let Some(place) = out.get_mut(widths + index) {
                *place = width as u8;
            }
            if width > 0 {
                for group in small.as_chunks::<GROUP>().0 {
                    pack(out, width, group.map(above));
                }
            }
        }
    }
}

/// The first bytes of all numbers, then all second ones, and so on: bytes at the same position are similar.
pub(super) fn split<T: Copy, const N: usize>(
    out: &mut Vec<u8>,
    numbers: &[impl AsRef<[T]>],
    bytes: impl Fn(T) -> [u8; N] + Copy,
) {
    for byte in 0..N {
        for numbers in numbers {
            out.extend(numbers.as_ref().iter().map(|&number| bytes(number)[byte]));
        }
    }
}
