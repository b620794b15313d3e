//! The encodings of Parquet that our columns have.

use arrow::buffer::BooleanBuffer;

/// Values of a page in blocks of this many, each of so many small ones.
const BLOCK: usize = 128;
const SMALL: usize = 32;

/// A number of seven bits a byte, the lowest first.
fn varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// The same for numbers with a sign.
fn zigzag(out: &mut Vec<u8>, number: i64) {
    varint(out, ((number << 1) ^ (number >> 63)) as u64);
}

/// Numbers of `width` bits one after the other, the lowest bit first; together they fill whole bytes.
fn pack(out: &mut Vec<u8>, width: u32, numbers: impl Iterator<Item = u64>) {
    let (mut bits, mut used) = (0_u128, 0);
    for number in numbers {
        bits |= u128::from(number) << used;
        used += width;
        if used >= 64 {
            out.extend_from_slice(&(bits as u64).to_le_bytes());
            bits >>= 64;
            used -= 64;
        }
    }
    out.extend_from_slice(&(bits as u64).to_le_bytes()[..used.div_ceil(8) as usize]);
}

/// How many bits the numbers up to this one take.
fn width_of(most: u64) -> u32 {
    u64::BITS - most.leading_zeros()
}

/// Which of so many rows have a value, with the length before it as data pages of the first version have it.
pub(super) fn levels(out: &mut Vec<u8>, rows: usize, valid: Option<&BooleanBuffer>) {
    let start = out.len();
    out.extend_from_slice(&[0; 4]);
    match valid.filter(|valid| valid.count_set_bits() > 0) {
        // Bits are packed as Arrow packs them.
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

/// Yes and no, eight in a byte.
pub(super) fn flags(out: &mut Vec<u8>, bits: &BooleanBuffer) {
    let end = out.len() + bits.len().div_ceil(8);
    out.extend_from_slice(bits.sliced().as_slice());
    out.truncate(end);
}

/// Places in a dictionary of so many values: runs of one place, and stretches of different ones.
pub(super) fn places(out: &mut Vec<u8>, places: &[u32], dictionary: usize) {
    let width = width_of(dictionary.saturating_sub(1) as u64);
    out.push(width as u8);
    let bytes = width.div_ceil(8) as usize;
    // What is not yet written is different, from here on.
    let mut different = 0;
    let mut at = 0;
    while let Some(&place) = places.get(at) {
        let rest = places.get(at..).unwrap_or_default();
        let same = rest.iter().take_while(|&&other| other == place).count();
        // Stretches are of eight: what they lack is taken from the run.
        let lacking = (different as isize - at as isize).rem_euclid(8) as usize;
        if same < lacking + 8 {
            at += same;
            continue;
        }
        at += lacking;
        stretch(out, width, places.get(different..at).unwrap_or_default());
        let run = same - lacking;
        varint(out, (run as u64) << 1);
        out.extend_from_slice(&place.to_le_bytes()[..bytes]);
        at += run;
        different = at;
    }
    stretch(out, width, places.get(different..).unwrap_or_default());
}

/// Places that are all different, to the next eight.
fn stretch(out: &mut Vec<u8>, width: u32, places: &[u32]) {
    if places.is_empty() {
        return;
    }
    let groups = places.len().div_ceil(8);
    varint(out, ((groups as u64) << 1) | 1);
    let filled = places.iter().copied().chain(std::iter::repeat(0));
    pack(out, width, filled.take(groups * 8).map(u64::from));
}

/// A whole number as Parquet stores it.
pub(super) trait Whole: Copy {
    /// By how much it is more than another one, around the end of its range if need be.
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

/// Each number as its difference from the one before.
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
        let deltas = block.get(..numbers.len()).unwrap_or_default();
        let least = deltas.iter().copied().min().unwrap_or_default();
        zigzag(out, least);
        let above = |delta: i64| delta.wrapping_sub(least) as u64;
        let widths = out.len();
        out.extend_from_slice(&[0; BLOCK / SMALL]);
        for (index, small) in deltas.chunks(SMALL).enumerate() {
            let bits = small.iter().fold(0, |bits, &delta| bits | above(delta));
            let width = width_of(bits);
            if let Some(place) = out.get_mut(widths + index) {
                *place = width as u8;
            }
            if width > 0 {
                let filled = small.iter().copied().map(above).chain([0; SMALL]);
                pack(out, width, filled.take(SMALL));
            }
        }
    }
}

/// The first bytes of all numbers, then all second ones, and so on: those at one place are alike.
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
