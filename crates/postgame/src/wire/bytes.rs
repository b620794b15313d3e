//! Reading and writing whole bytes.

use std::marker::PhantomData;

use crate::error::{Error, Place, Problem, Result, Space};

/// Least significant byte first.
#[derive(Clone, Copy, Debug)]
pub struct Little;

/// Most significant byte first.
#[derive(Clone, Copy, Debug)]
pub struct Big;

/// A byte order, chosen at compile time.
pub trait Order: Copy {
    /// True for the most significant byte first.
    const BIG: bool;
}

impl Order for Little {
    const BIG: bool = false;
}

impl Order for Big {
    const BIG: bool = true;
}

/// Reads values from a slice, from front to back.
///
/// No method panics. Each does one bounds check and leaves the position unchanged if it fails.
#[derive(Clone, Debug)]
pub struct ByteReader<'a, O: Order = Little> {
    data: &'a [u8],
    at: usize,
    base: u64,
    space: Space,
    order: PhantomData<O>,
}

impl<'a, O: Order> ByteReader<'a, O> {
    /// A reader over a whole file.
    pub fn new(data: &'a [u8]) -> Self {
        Self::with_base(data, 0, Space::File)
    }

    /// A reader over a part of a larger space; its offsets count from `base` in `space`.
    pub fn with_base(data: &'a [u8], base: u64, space: Space) -> Self {
        Self {
            data,
            at: 0,
            base,
            space,
            order: PhantomData,
        }
    }

    /// Number of bytes read.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Number of bytes left.
    pub fn left(&self) -> usize {
        self.data.len() - self.at
    }

    /// True when everything was read.
    pub fn is_empty(&self) -> bool {
        self.left() == 0
    }

    /// All bytes that are left, without consuming them.
    pub fn rest(&self) -> &'a [u8] {
        self.data.get(self.at..).unwrap_or_default()
    }

    /// Moves to a position; a position past the end becomes the end.
    pub fn seek(&mut self, position: usize) {
        self.at = position.min(self.data.len());
    }

    /// Moves to the position with this many bytes left.
    #[inline]
    pub fn leave(&mut self, left: usize) {
        self.at = self.data.len().saturating_sub(left);
    }

    /// The place of the next byte, for errors and findings.
    pub fn place(&self) -> Place {
        Place {
            offset: self.base + self.at as u64,
            bit: None,
            space: self.space,
        }
    }

    /// The error for a read of `wanted` bytes when fewer are left.
    #[cold]
    fn ends_early(&self, wanted: u64) -> Error {
        Error::new(Problem::EndsEarly {
            wanted,
            left: self.left() as u64,
            unit: "bytes",
        })
        .at(self.place())
    }

    /// An error stating that the data here contradicts the format.
    #[cold]
    pub fn invalid(&self, message: impl Into<String>) -> Error {
        Error::invalid(message).at(self.place())
    }

    /// Reads the next `count` bytes.
    ///
    /// # Errors
    /// When fewer are left.
    #[inline]
    pub fn bytes(&mut self, count: usize) -> Result<&'a [u8]> {
        match self
            .at
            .checked_add(count)
            .and_then(|end| Some((end, self.data.get(self.at..end)?)))
        {
            Some((end, bytes)) => {
                self.at = end;
                Ok(bytes)
            }
            None => Err(self.ends_early(count as u64)),
        }
    }

    /// Reads the next `N` bytes.
    ///
    /// # Errors
    /// When fewer are left.
    #[inline]
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        match self
            .data
            .get(self.at..)
            .and_then(|rest| rest.first_chunk::<N>())
        {
            Some(chunk) => {
                self.at += N;
                Ok(*chunk)
            }
            None => Err(self.ends_early(N as u64)),
        }
    }

    /// A reader over the next `count` bytes; this reader skips them.
    ///
    /// # Errors
    /// When fewer are left.
    pub fn sub(&mut self, count: usize) -> Result<ByteReader<'a, O>> {
        let base = self.base + self.at as u64;
        Ok(Self::with_base(self.bytes(count)?, base, self.space))
    }

    /// Reads an `i32` count of elements of at least `each` bytes, and checks that enough data is left for them.
    ///
    /// # Errors
    /// When the count is negative or the remaining data is too short for it.
    #[inline]
    pub fn count(&mut self, what: &'static str, each: usize) -> Result<usize> {
        let claimed = self.i32()?;
        match usize::try_from(claimed) {
            Ok(count) if count <= self.left() / each.max(1) => Ok(count),
            _ => Err(self.not_so_many(what, each, claimed)),
        }
    }

    /// The error for a count that was just read and is not possible.
    #[cold]
    fn not_so_many(&self, what: &'static str, each: usize, claimed: i32) -> Error {
        let mut place = self.place();
        place.offset -= size_of::<i32>() as u64;
        let error = match u64::try_from(claimed) {
            Ok(count) => Error::too_large(what, count, (self.left() / each.max(1)) as u64),
            Err(_) => Error::invalid(format!("{what} of {claimed} is negative")),
        };
        error.at(place)
    }
}

/// Appends values to a growing buffer.
#[derive(Clone, Debug, Default)]
pub struct ByteWriter<O: Order = Little> {
    data: Vec<u8>,
    order: PhantomData<O>,
}

impl<O: Order> From<Vec<u8>> for ByteWriter<O> {
    /// A writer that appends to existing bytes.
    fn from(data: Vec<u8>) -> Self {
        Self {
            data,
            order: PhantomData,
        }
    }
}

impl<O: Order> ByteWriter<O> {
    /// An empty writer.
    pub fn new() -> Self {
        Self::with_capacity(0)
    }

    /// An empty writer with room for `capacity` bytes.
    pub fn with_capacity(capacity: usize) -> Self {
        Self {
            data: Vec::with_capacity(capacity),
            order: PhantomData,
        }
    }

    /// Number of bytes written.
    pub fn position(&self) -> usize {
        self.data.len()
    }

    /// Writes bytes unchanged.
    #[inline]
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.data.extend_from_slice(bytes);
    }

    /// Writes a length or count as an `i32`.
    ///
    /// # Errors
    /// When it does not fit.
    pub fn count(&mut self, what: &'static str, count: usize) -> Result<()> {
        let count = i32::try_from(count).map_err(|_| {
            Error::unwritable(format!("{what} of {count} does not fit into 32 bits"))
        })?;
        self.i32(count);
        Ok(())
    }

    /// Overwrites bytes written earlier, such as a size that is only known afterwards.
    pub fn patch(&mut self, position: usize, bytes: &[u8]) {
        if let Some(target) = self.data.get_mut(position..position + bytes.len()) {
            target.copy_from_slice(bytes);
        }
    }

    /// Returns everything written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.data
    }

    /// Everything written so far.
    pub fn as_bytes(&self) -> &[u8] {
        &self.data
    }
}

macro_rules! numbers {
    ($($name:ident)*) => {
        impl<O: Order> ByteReader<'_, O> {
            $(
                #[doc = concat!("Reads one `", stringify!($name), "`.")]
                /// # Errors
                /// When too few bytes are left.
                #[inline]
                pub fn $name(&mut self) -> Result<$name> {
                    let bytes = self.array()?;
                    Ok(if O::BIG { $name::from_be_bytes(bytes) } else { $name::from_le_bytes(bytes) })
                }
            )*
        }

        impl<O: Order> ByteWriter<O> {
            $(
                #[doc = concat!("Writes one `", stringify!($name), "`.")]
                #[inline]
                pub fn $name(&mut self, value: $name) {
                    self.bytes(&if O::BIG { value.to_be_bytes() } else { value.to_le_bytes() });
                }
            )*
        }
    };
}
numbers!(u8 i8 u16 i16 u32 i32 u64 i64 f32 f64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_orders() {
        let data = [1, 2, 3, 4];
        assert_eq!(ByteReader::<Little>::new(&data).u32().unwrap(), 0x0403_0201);
        assert_eq!(ByteReader::<Big>::new(&data).u32().unwrap(), 0x0102_0304);
        let mut writer = ByteWriter::<Big>::new();
        writer.u16(0x0102);
        writer.f32(1.0);
        assert_eq!(writer.into_bytes(), [1, 2, 0x3f, 0x80, 0, 0]);
    }

    #[test]
    fn a_failed_read_says_where_and_moves_nothing() {
        let mut reader = ByteReader::<Little>::with_base(&[1, 2, 3], 100, Space::Inflated);
        reader.u8().unwrap();
        let error = reader.u32().unwrap_err();
        assert_eq!(
            error.to_string(),
            "data ends early (wanted 4 bytes, 2 left) at inflated 0x65"
        );
        assert_eq!(reader.position(), 1);
        assert!(reader.bytes(usize::MAX).is_err());
        assert_eq!(reader.u16().unwrap(), 0x0302);
    }

    #[test]
    fn a_count_is_held_against_what_is_left() {
        let data = [3, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(
            ByteReader::<Little>::new(&data).count("a list", 1).unwrap(),
            3
        );
        let error = ByteReader::<Little>::new(&data)
            .count("a list", 2)
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "a list of 3 is more than the 2 possible here at 0x0"
        );
        assert!(
            ByteReader::<Little>::new(&[0xff; 8])
                .count("a list", 1)
                .is_err()
        );
    }
}
