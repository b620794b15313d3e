//! Reading and writing bit streams, least significant bit first, as Unreal's network code lays them out.

use crate::error::{Error, Place, Problem, Result, Space};

/// Reads values of any width up to 64 bits at any bit position.
///
/// The fast path is one bounds check for any width: it loads nine bytes and uses as many of them as needed. Only the
/// last eight bytes of the data take the slow path.
#[derive(Clone, Debug)]
pub struct BitReader<'a> {
    data: &'a [u8],
    /// Position in bits.
    at: u64,
    /// End in bits.
    end: u64,
    base: u64,
    space: Space,
}

impl<'a> BitReader<'a> {
    /// A reader over all bits of `data`.
    pub fn new(data: &'a [u8]) -> Self {
        Self::with_base(data, 0, Space::File)
    }

    /// A reader over a part of a larger space; its byte offsets count from `base` in `space`.
    pub fn with_base(data: &'a [u8], base: u64, space: Space) -> Self {
        Self {
            data,
            at: 0,
            end: data.len() as u64 * 8,
            base,
            space,
        }
    }

    /// Number of bits read.
    #[inline]
    pub fn position(&self) -> u64 {
        self.at
    }

    /// Number of bits left.
    #[inline]
    pub fn left(&self) -> u64 {
        self.end.saturating_sub(self.at)
    }

    /// An independent position in the same data, for hot loops: see [`BitCursor`].
    #[inline]
    pub fn cursor(&self) -> BitCursor<'a> {
        BitCursor {
            data: self.data,
            at: self.at,
        }
    }

    /// Moves to a cursor's position, even past the end; [`Self::check`] reports that.
    #[inline]
    pub fn go_to(&mut self, cursor: BitCursor<'_>) {
        self.at = cursor.at;
    }

    /// Checks that the reader has stayed within the data.
    ///
    /// # Errors
    /// When more was skipped than was left.
    #[inline]
    pub fn check(&self) -> Result<()> {
        if self.at > self.end {
            return Err(self.went_past());
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn went_past(&self) -> Error {
        let mut end = self.clone();
        end.at = self.end;
        end.ends_early(self.at - self.end)
    }

    /// Reads `count` bits, any number of them, into bytes; the last byte is padded with zeros.
    ///
    /// # Errors
    /// When fewer are left; nothing is allocated in that case.
    pub fn many_bits(&mut self, count: u64) -> Result<Vec<u8>> {
        if self.left() < count {
            return Err(self.ends_early(count));
        }
        let mut bytes = self.bytes((count / 8) as usize)?;
        let rest = (count % 8) as u32;
        if rest > 0 {
            bytes.push(self.bits(rest)? as u8);
        }
        Ok(bytes)
    }

    /// Moves to a bit position; a position past the end becomes the end.
    pub fn seek(&mut self, position: u64) {
        self.at = position.min(self.end);
    }

    /// The place of the next bit, for errors and findings.
    pub fn place(&self) -> Place {
        Place {
            offset: self.base + self.at / 8,
            bit: Some((self.at % 8) as u8),
            space: self.space,
        }
    }

    #[cold]
    #[inline(never)]
    fn ends_early(&self, wanted: u64) -> Error {
        Error::new(Problem::EndsEarly {
            wanted,
            left: self.left(),
            unit: "bits",
        })
        .at(self.place())
    }

    /// An error stating that the data here contradicts the format.
    #[cold]
    pub fn invalid(&self, message: impl Into<String>) -> Error {
        Error::invalid(message).at(self.place())
    }

    /// Reads one bit.
    ///
    /// # Errors
    /// When none is left.
    #[inline]
    pub fn bit(&mut self) -> Result<bool> {
        match self.data.get((self.at / 8) as usize) {
            Some(byte) => {
                let bit = byte >> (self.at % 8) & 1;
                self.at += 1;
                Ok(bit != 0)
            }
            None => Err(self.ends_early(1)),
        }
    }

    /// Reads `width` bits, at most 64, as an unsigned number.
    ///
    /// # Errors
    /// When fewer are left.
    #[inline]
    pub fn bits(&mut self, width: u32) -> Result<u64> {
        debug_assert!(width <= 64);
        let first = (self.at / 8) as usize;
        let shift = (self.at % 8) as u32;
        match self
            .data
            .get(first..)
            .and_then(|rest| rest.first_chunk::<9>())
        {
            Some(&[a, b, c, d, e, f, g, h, last]) => {
                let low = u64::from_le_bytes([a, b, c, d, e, f, g, h]) >> shift;
                // Two shifts, because a shift by 64 is undefined when `shift` is 0.
                let high = u64::from(last) << 1 << (63 - shift);
                self.at += u64::from(width);
                Ok((low | high) & mask(width))
            }
            None => self.bits_near_the_end(width),
        }
    }

    #[cold]
    #[inline(never)]
    fn bits_near_the_end(&mut self, width: u32) -> Result<u64> {
        if self.left() < u64::from(width) {
            return Err(self.ends_early(u64::from(width)));
        }
        let rest = self.data.get((self.at / 8) as usize..).unwrap_or_default();
        let mut value = 0u128;
        for (index, byte) in rest.iter().take(9).enumerate() {
            value |= u128::from(*byte) << (8 * index);
        }
        let value = (value >> (self.at % 8)) as u64 & mask(width);
        self.at += u64::from(width);
        Ok(value)
    }

    /// Reads `count` whole bytes at any bit position.
    ///
    /// # Errors
    /// When fewer are left; nothing is allocated in that case.
    pub fn bytes(&mut self, count: usize) -> Result<Vec<u8>> {
        if self.left() / 8 < count as u64 {
            return Err(self.ends_early((count as u64).saturating_mul(8)));
        }
        let mut bytes = Vec::with_capacity(count);
        let (words, rest) = (count / 8, count % 8);
        for _ in 0..words {
            bytes.extend_from_slice(&self.bits(64)?.to_le_bytes());
        }
        for _ in 0..rest {
            bytes.push(self.bits(8)? as u8);
        }
        Ok(bytes)
    }
}

/// A bit position that may go past the end, where it reads zeros.
///
/// The fast way to read many small values: one load covers several of them, in registers, and one [`BitReader::check`]
/// follows at the end. Because it reads zeros past the end, a loop over "one more follows" bits ends there.
#[derive(Clone, Copy, Debug)]
pub struct BitCursor<'a> {
    data: &'a [u8],
    at: u64,
}

impl BitCursor<'_> {
    /// The next bits, at least 57 of them, without reading them; zeros past the end.
    #[inline(always)]
    pub fn peek(&self) -> u64 {
        let first = (self.at / 8) as usize;
        match self
            .data
            .get(first..)
            .and_then(|rest| rest.first_chunk::<8>())
        {
            Some(bytes) => u64::from_le_bytes(*bytes) >> (self.at % 8),
            None => self.peek_near_the_end(),
        }
    }

    #[cold]
    #[inline(never)]
    fn peek_near_the_end(&self) -> u64 {
        let rest = self.data.get((self.at / 8) as usize..).unwrap_or_default();
        let mut bytes = [0; 8];
        for (target, byte) in bytes.iter_mut().zip(rest) {
            *target = *byte;
        }
        u64::from_le_bytes(bytes) >> (self.at % 8)
    }

    /// Advances by some bits.
    #[inline(always)]
    pub fn skip(&mut self, width: u32) {
        self.at += u64::from(width);
    }
}

/// A mask with the lowest `width` bits set, for widths from 0 to 64.
#[inline]
const fn mask(width: u32) -> u64 {
    if width == 0 {
        0
    } else {
        u64::MAX >> (64 - width)
    }
}

/// Writes values of any width up to 64 bits, one after the other.
#[derive(Clone, Debug, Default)]
pub struct BitWriter {
    data: Vec<u8>,
    /// Bits not yet in `data`, the first in the lowest bit.
    pending: u64,
    /// Number of these bits, always below 64.
    count: u32,
}

impl BitWriter {
    /// An empty writer.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty writer with room for `bytes` bytes.
    pub fn with_capacity(bytes: usize) -> Self {
        Self {
            data: Vec::with_capacity(bytes),
            ..Self::default()
        }
    }

    /// Number of bits written.
    pub fn position(&self) -> u64 {
        self.data.len() as u64 * 8 + u64::from(self.count)
    }

    /// Writes one bit.
    #[inline]
    pub fn bit(&mut self, bit: bool) {
        self.bits(u64::from(bit), 1);
    }

    /// Writes the lowest `width` bits of `value`, at most 64.
    #[inline]
    pub fn bits(&mut self, value: u64, width: u32) {
        debug_assert!(width <= 64);
        let value = value & mask(width);
        self.pending |= value << self.count;
        let total = self.count + width;
        if total >= 64 {
            self.data.extend_from_slice(&self.pending.to_le_bytes());
            // The bits that did not fit; `>> 1 >>` because a shift by 64 is undefined when the buffer was empty.
            self.pending = value >> 1 >> (63 - self.count);
            self.count = total - 64;
        } else {
            self.count = total;
        }
    }

    /// Writes whole bytes at any bit position.
    pub fn bytes(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.bits(u64::from_le_bytes(*word), 64);
        }
        for byte in rest {
            self.bits(u64::from(*byte), 8);
        }
    }

    /// Writes the first `count` bits of some bytes, padded with zeros past their end.
    pub fn many_bits(&mut self, bytes: &[u8], count: u64) {
        let whole = bytes.get(..(count / 8) as usize).unwrap_or(bytes);
        self.bytes(whole);
        let mut left = count - whole.len() as u64 * 8;
        if let Some(last) = bytes.get(whole.len()) {
            self.bits(u64::from(*last), left as u32);
            left = 0;
        }
        while left > 0 {
            let width = left.min(64) as u32;
            self.bits(0, width);
            left -= u64::from(width);
        }
    }

    /// Returns everything written; the last byte is padded with zero bits.
    pub fn into_bytes(mut self) -> Vec<u8> {
        let whole = self.pending.to_le_bytes();
        self.data
            .extend_from_slice(&whole[..self.count.div_ceil(8) as usize]);
        self.data
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_written_is_read(values in prop::collection::vec((any::<u64>(), 0u32..=64), 0..200)) {
            let mut writer = BitWriter::new();
            for &(value, width) in &values {
                writer.bits(value, width);
            }
            let bits = writer.position();
            let data = writer.into_bytes();
            prop_assert_eq!(data.len() as u64, bits.div_ceil(8));
            let mut reader = BitReader::new(&data);
            for &(value, width) in &values {
                prop_assert_eq!(reader.bits(width).unwrap(), value & mask(width));
            }
            prop_assert_eq!(reader.position(), bits);
        }

        #[test]
        fn bytes_at_any_bit(lead in 0u32..64, bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let mut writer = BitWriter::new();
            writer.bits(0, lead);
            writer.bytes(&bytes);
            let data = writer.into_bytes();
            let mut reader = BitReader::new(&data);
            reader.seek(u64::from(lead));
            prop_assert_eq!(reader.bytes(bytes.len()).unwrap(), bytes);
        }
    }

    #[test]
    fn peeking_sees_what_reading_reads_and_zeros_past_the_end() {
        let data: Vec<u8> = (1..=20).collect();
        let mut reader = BitReader::new(&data);
        for at in 0..160 {
            reader.seek(at);
            let width = 57.min(reader.left()) as u32;
            let peeked = reader.cursor().peek() & mask(57);
            assert_eq!(peeked, reader.bits(width).unwrap(), "at {at}");
        }
        reader.seek(159);
        let mut cursor = reader.cursor();
        cursor.skip(1);
        reader.go_to(cursor);
        assert!(reader.check().is_ok());
        cursor.skip(9);
        reader.go_to(cursor);
        assert_eq!(cursor.peek(), 0);
        assert_eq!(reader.left(), 0);
        assert!(reader.bit().is_err() && reader.bits(3).is_err());
        assert_eq!(
            reader.check().unwrap_err().to_string(),
            "data ends early (wanted 9 bits, 0 left) at 0x14 bit 0"
        );
    }

    #[test]
    fn any_number_of_bits_comes_back() {
        let data: Vec<u8> = (100..140).collect();
        for count in [0, 1, 7, 8, 9, 64, 65, 200] {
            let mut reader = BitReader::new(&data);
            reader.seek(3);
            let bits = reader.many_bits(count).unwrap();
            let mut writer = BitWriter::new();
            writer.bits(5, 3);
            writer.many_bits(&bits, count);
            let mut again = BitReader::new(&data);
            again.seek(3);
            let copy = writer.into_bytes();
            let mut copied = BitReader::new(&copy);
            copied.seek(3);
            assert_eq!(
                copied.many_bits(count).unwrap(),
                again.many_bits(count).unwrap()
            );
        }
        let mut writer = BitWriter::new();
        writer.many_bits(&[0xff], 20);
        assert_eq!(writer.position(), 20);
        assert_eq!(writer.into_bytes(), [0xff, 0, 0]);
        assert!(BitReader::new(&data).many_bits(u64::MAX).is_err());
    }

    #[test]
    fn the_end_is_an_error_with_a_bit_position() {
        let mut reader = BitReader::new(&[0xff, 0x01]);
        assert_eq!(reader.bits(9).unwrap(), 0x1ff);
        assert_eq!(
            reader.bits(8).unwrap_err().to_string(),
            "data ends early (wanted 8 bits, 7 left) at 0x1 bit 1"
        );
        assert_eq!(reader.bits(7).unwrap(), 0);
        assert!(reader.bit().is_err());
        assert_eq!(reader.bits(0).unwrap(), 0);
        assert!(reader.bytes(usize::MAX).is_err());
    }
}
