//! One copy of strings that are to be told apart quickly: an interner that guesses before it looks up.

use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};

use super::strings::Str;

/// Where in a file a string stands. Each place has habits of its own, by which the next string there is guessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Site {
    /// An object's class.
    Class,
    /// Anything else.
    Other,
}

impl Site {
    const COUNT: usize = 2;
}

/// One copy of every string by which something else is found: classes, types, names of properties. All others stay where
/// they are in the body.
///
/// Strings come in the same order again and again, property after property and object after object. So before a
/// string is looked up by its hash, it is held against the one that came after the last one the time before.
pub struct Names {
    /// A hash table, always a power of two long.
    slots: Vec<Slot>,
    used: usize,
    seed: Seed,
    /// The slot of the last string at each site.
    last: [u32; Site::COUNT],
}

/// No slot: what a guess is before there is anything to guess by.
const NOWHERE: u32 = u32::MAX;

/// More slots than this are not made: strings beyond them are simply not shared.
const MOST_SLOTS: usize = 1 << 31;

#[derive(Clone)]
struct Slot {
    string: Option<Str>,
    hash: u32,
    /// How long the string is as stored: most wrong guesses show by it, and the string itself may be far away.
    length: u32,
    /// The slot of the string that came after this one.
    next: u32,
}

impl Slot {
    const FREE: Self = Self {
        string: None,
        hash: 0,
        length: 0,
        next: NOWHERE,
    };

    #[inline]
    fn holds(&self, encoded: &[u8]) -> Option<&Str> {
        self.string
            .as_ref()
            .filter(|string| self.length as usize == encoded.len() && string.encoded() == encoded)
    }
}

impl Default for Names {
    fn default() -> Self {
        Self {
            slots: Vec::new(),
            used: 0,
            seed: Seed::default(),
            last: [NOWHERE; Site::COUNT],
        }
    }
}

impl Names {
    /// The one copy of a stored string; `make` makes the first.
    #[inline]
    pub fn intern(&mut self, encoded: &[u8], site: Site, make: impl FnOnce(&[u8]) -> Str) -> Str {
        if encoded == [0; 4] {
            return Str::EMPTY;
        }
        let last = self.last.get(site as usize).copied().unwrap_or(NOWHERE);
        let guess = self
            .slots
            .get(last as usize)
            .map_or(NOWHERE, |slot| slot.next);
        if let Some(string) = self
            .slots
            .get(guess as usize)
            .and_then(|slot| slot.holds(encoded))
        {
            let string = string.clone();
            self.remember(site, guess);
            return string;
        }
        self.look_up(encoded, site, make)
    }

    #[inline]
    fn remember(&mut self, site: Site, place: u32) {
        if let Some(last) = self.last.get_mut(site as usize) {
            *last = place;
        }
    }

    fn look_up(&mut self, encoded: &[u8], site: Site, make: impl FnOnce(&[u8]) -> Str) -> Str {
        let hash = self.seed.hash_one(encoded) as u32;
        let mask = self.slots.len().wrapping_sub(1);
        let mut place = hash as usize & mask;
        let (place, string) = loop {
            match self.slots.get(place) {
                Some(Slot { string: None, .. }) | None => {
                    break self.insert(make(encoded), hash);
                }
                Some(slot) if slot.hash == hash => {
                    if let Some(string) = slot.holds(encoded) {
                        break (place as u32, string.clone());
                    }
                }
                Some(_) => {}
            }
            place = (place + 1) & mask;
        };
        if let Some(&last) = self.last.get(site as usize)
            && let Some(last) = self.slots.get_mut(last as usize)
        {
            last.next = place;
        }
        self.remember(site, place);
        string
    }

    #[cold]
    fn insert(&mut self, string: Str, hash: u32) -> (u32, Str) {
        if self.used * 3 >= self.slots.len() * 2 {
            if self.slots.len() >= MOST_SLOTS {
                return (NOWHERE, string);
            }
            self.grow();
        }
        let place = free_place(&self.slots, hash);
        if let Some(slot) = self.slots.get_mut(place as usize) {
            *slot = Slot {
                string: Some(string.clone()),
                hash,
                length: string.encoded().len() as u32,
                next: NOWHERE,
            };
            self.used += 1;
        }
        (place, string)
    }

    /// Twice as many slots.
    fn grow(&mut self) {
        let length = (self.slots.len() * 2).max(64);
        let old = std::mem::replace(&mut self.slots, vec![Slot::FREE; length]);
        for slot in old {
            if slot.string.is_some() {
                let place = free_place(&self.slots, slot.hash);
                if let Some(free) = self.slots.get_mut(place as usize) {
                    // Guesses point to where strings were: they are learned again.
                    *free = Slot {
                        next: NOWHERE,
                        ..slot
                    };
                }
            }
        }
        self.last = [NOWHERE; Site::COUNT];
    }
}

/// The first free slot for a hash; there always is one, as a table is never full.
fn free_place(slots: &[Slot], hash: u32) -> u32 {
    let mask = slots.len().wrapping_sub(1);
    let mut place = hash as usize & mask;
    while slots.get(place).is_some_and(|slot| slot.string.is_some()) {
        place = (place + 1) & mask;
    }
    place as u32
}

impl fmt::Debug for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} strings", self.used)
    }
}

/// A hash of short byte strings that is fast, and seeded so that no file can be made to collide.
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
        // Sixteen bytes to a multiplication; the last ones overlap those before, which the length, hashed too, keeps
        // unambiguous.
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

    const SITES: [Site; Site::COUNT] = [Site::Class, Site::Other];

    #[test]
    fn a_slot_is_small() {
        assert_eq!(size_of::<Slot>(), 32);
    }

    proptest! {
        #[test]
        fn equal_strings_are_one(texts in prop::collection::vec(("[a-c]{0,9}", 0..SITES.len()), 0..300)) {
            let mut names = Names::default();
            let mut intern = |text: &str, site: usize| names.intern(Str::from(text).encoded(), SITES[site], Str::from_encoded);
            let strings: Vec<Str> = texts.iter().map(|(text, site)| intern(text, *site)).collect();
            for ((text, site), string) in texts.iter().zip(&strings) {
                prop_assert!(string.is(text));
                prop_assert_eq!(intern(text, *site).address(), string.address());
            }
        }
    }
}
