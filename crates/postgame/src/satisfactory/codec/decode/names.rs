//! Interned strings, for fast comparison.

use std::collections::HashSet;
use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};

use crate::satisfactory::codec::model::strings::Str;

/// One copy of every string that is used as a key: classes, types, names of properties. All other strings stay in the
/// body.
#[derive(Default)]
pub struct Names(HashSet<Str, Seed>);

impl Names {
    /// The interned copy of a stored string; `make` creates it.
    pub fn intern(&mut self, encoded: &[u8], make: impl FnOnce(&[u8]) -> Str) -> Str {
        if let Some(string) = self.0.get(encoded) {
            return string.clone();
        }
        let string = make(encoded);
        self.0.insert(string.clone());
        string
    }
}

impl fmt::Debug for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} strings", self.0.len())
    }
}

/// A fast hash for short byte strings, seeded so that a file cannot force collisions.
#[derive(Clone, Debug)]
pub(in crate::satisfactory) struct Seed(u64);

impl Default for Seed {
    fn default() -> Self {
        Self(RandomState::new().hash_one(0u8) | 1)
    }
}

impl BuildHasher for Seed {
    type Hasher = Folding;

    #[inline]
    fn build_hasher(&self) -> Folding {
        Folding {
            state: self.0,
            seed: self.0,
        }
    }
}

/// Multiplies words to 128 bits and folds the halves together.
pub(in crate::satisfactory) struct Folding {
    state: u64,
    seed: u64,
}

impl Folding {
    #[inline]
    fn mix(&mut self, word: u64) {
        let product = u128::from(self.state ^ word) * u128::from(self.seed ^ 0x9e37_79b9_7f4a_7c15);
        self.state = (product as u64) ^ (product >> 64) as u64;
    }
}

impl Folding {
    #[inline]
    fn mix_two(&mut self, one: u64, other: u64) {
        let product = u128::from(self.state ^ one) * u128::from(self.seed ^ other);
        self.state = (product as u64) ^ (product >> 64) as u64 ^ self.state.rotate_left(29);
    }
}

impl Hasher for Folding {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let word = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes);
        // Sixteen bytes per multiplication. The last ones overlap those before; the length, which is hashed too, keeps
        // this unambiguous.
        let (pairs, rest) = bytes.as_chunks::<16>();
        for [a, b, c, d, e, f, g, h, last @ ..] in pairs {
            self.mix_two(word(&[*a, *b, *c, *d, *e, *f, *g, *h]), word(last));
        }
        if rest.is_empty() {
            return;
        }
        match (
            bytes.first_chunk::<8>(),
            bytes.last_chunk::<16>(),
            bytes.last_chunk::<8>(),
        ) {
            (_, Some([a, b, c, d, e, f, g, h, last @ ..]), _) => {
                self.mix_two(word(&[*a, *b, *c, *d, *e, *f, *g, *h]), word(last));
            }
            (Some(first), None, Some(last)) => self.mix_two(word(first), word(last)),
            _ => self.mix(
                rest.iter()
                    .fold(0, |word, &byte| word << 8 | u64::from(byte)),
            ),
        }
    }

    #[inline]
    fn write_usize(&mut self, value: usize) {
        self.mix(value as u64);
    }

    #[inline]
    fn write_u64(&mut self, value: u64) {
        self.mix(value);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.state ^ (self.state >> 32)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn equal_strings_are_one(texts in prop::collection::vec("[a-c]{0,9}", 0..300)) {
            let mut names = Names::default();
            let mut intern = |text: &str| names.intern(Str::from(text).encoded(), Str::from_encoded);
            let strings: Vec<Str> = texts.iter().map(|text| intern(text)).collect();
            for (text, string) in texts.iter().zip(&strings) {
                prop_assert!(string.is(text));
                prop_assert_eq!(intern(text).address(), string.address());
            }
        }
    }
}
