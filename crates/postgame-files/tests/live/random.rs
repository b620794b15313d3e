//! Random numbers, the same in every run.

pub struct Random(u64);

impl Random {
    pub fn new(seed: &str) -> Self {
        let number = seed
            .bytes()
            .fold(0x2545_f491_4f6c_dd1d, |number: u64, byte| {
                (number ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
            });
        Self(number | 1)
    }

    /// A number from 1 to `most`.
    pub fn upto(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % most + 1
    }
}
