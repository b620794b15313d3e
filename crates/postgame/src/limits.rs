//! Every maximum in one place, and the memory budget of a read.
//!
//! A size found in a file is held against these and against the data that is left before anything is allocated for it.
//! What a read allocates, inflated bytes and decoded model alike, is charged to its [`Budget`] first.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{Error, Problem, Result};
use crate::report::{MEMORY, Report};

/// Limits a caller can change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The most memory that reading one recording may take, in bytes: inflated data and decoded model together.
    /// `None` is [`Limits::BASE_BYTES`] plus [`Limits::BYTES_PER_FILE_BYTE`] times the size of the file.
    pub max_memory_bytes: Option<u64>,
}

/// Deflate cannot expand further than this: 258 bytes from a length and a distance code of one bit each.
pub const DEFLATE_RATIO: u64 = 1032;

/// The deepest nesting read in any tree-shaped data; real files stay below 20.
pub const NESTING: usize = 128;

/// The most events outside of frames, or of unknown kinds, that are kept one by one in a Slippi replay; real ones have
/// fewer than two hundred. They can be a single byte long, and each takes an entry in a list.
pub const LOOSE_EVENTS: usize = 100_000;

/// The largest JSON manifest of an archive that is read, in bytes; real ones are below 16 KiB.
pub const MAX_MANIFEST_BYTES: u64 = 1 << 20;

/// The most moments that a recording is resampled at: half an hour at a thousand a second, or four hours at 120. A damaged
/// clock can say years.
pub const MAX_MOMENTS: f64 = 2e6;

/// The longest name of an entity on a timeline, in bytes; real ones stay below 200.
pub const MAX_NAME_BYTES: usize = 1024;

impl Limits {
    /// What any file may take, in bytes: 64 MiB.
    pub const BASE_BYTES: u64 = 64 << 20;

    /// What a file may take for each of its own bytes, besides.
    pub const BYTES_PER_FILE_BYTE: u64 = 20;

    /// Limits with this much memory.
    pub fn with_memory(max_memory_bytes: u64) -> Self {
        Self {
            max_memory_bytes: Some(max_memory_bytes),
        }
    }

    /// The memory that reading a file of this size may take, in bytes.
    pub fn memory_bytes(&self, file_bytes: u64) -> u64 {
        self.max_memory_bytes.unwrap_or_else(|| {
            let by_size = file_bytes.saturating_mul(Self::BYTES_PER_FILE_BYTE);
            Self::BASE_BYTES.saturating_add(by_size)
        })
    }

    /// A budget for a file of this size.
    pub fn budget(&self, file_bytes: usize) -> Budget {
        Budget::new(self.memory_bytes(file_bytes as u64))
    }
}

/// The memory of one read: how much it may take, and how much it has taken.
///
/// Growth is charged before it is allocated. The count is of what lists and buffers hold; slack of growing lists and
/// the allocator's own bookkeeping are not in it. One budget can be shared by the threads of a read.
#[derive(Debug)]
pub struct Budget {
    allowed: u64,
    used: AtomicU64,
    /// The largest amount that was refused; 0 if none was.
    refused: AtomicU64,
}

impl Default for Budget {
    /// A budget without a limit.
    fn default() -> Self {
        Self::new(u64::MAX)
    }
}

impl Budget {
    /// A budget of this many bytes.
    pub fn new(allowed: u64) -> Self {
        Self {
            allowed,
            used: AtomicU64::new(0),
            refused: AtomicU64::new(0),
        }
    }

    /// Takes `bytes` from the budget.
    ///
    /// # Errors
    /// When there are not so many left; then nothing is taken.
    #[inline]
    pub fn charge(&self, bytes: u64) -> Result<()> {
        let before = self.used.fetch_add(bytes, Ordering::Relaxed);
        match before.checked_add(bytes) {
            Some(after) if after <= self.allowed => Ok(()),
            after => {
                self.used.fetch_sub(bytes, Ordering::Relaxed);
                Err(self.refuse(after.unwrap_or(u64::MAX)))
            }
        }
    }

    /// The error that `needed` bytes are more than there may be.
    #[cold]
    pub fn refuse(&self, needed: u64) -> Error {
        self.refused.fetch_max(needed, Ordering::Relaxed);
        Error::new(Problem::OutOfMemory {
            needed,
            allowed: self.allowed,
        })
    }

    /// How much it may be in all, in bytes.
    pub fn allowed(&self) -> u64 {
        self.allowed
    }

    /// How much was taken, in bytes.
    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// How much is left, in bytes.
    pub fn left(&self) -> u64 {
        self.allowed.saturating_sub(self.used())
    }

    /// Goes back to an earlier count, after what was charged since has been freed.
    pub(crate) fn rewind(&self, used: u64) {
        self.used.store(used, Ordering::Relaxed);
    }

    /// What was read, unless the budget did not suffice for all of it: a part of a recording that memory ran out for
    /// must not pass for the whole.
    ///
    /// # Errors
    /// When something was refused, with the place where it was first reported.
    pub(crate) fn settle<T>(&self, read: T, report: &Report) -> Result<T> {
        let needed = self.refused.load(Ordering::Relaxed);
        if needed == 0 {
            return Ok(read);
        }
        let mut error = self.refuse(needed);
        let mut findings = report.findings().iter();
        if let Some(finding) = findings.find(|finding| finding.code == MEMORY) {
            if !finding.path.is_empty() {
                error = error.in_named(finding.path.clone());
            }
            if let Some(place) = finding.place {
                error = error.at(place);
            }
        }
        Err(error)
    }
}

/// What reading a value takes its memory from: the context that values are read in.
pub trait Charge {
    /// Takes `bytes` from a budget, if there is one.
    ///
    /// # Errors
    /// When there are not so many left.
    #[inline]
    fn charge(&self, bytes: usize) -> Result<()> {
        let _ = bytes;
        Ok(())
    }
}

impl Charge for () {}

impl Charge for Budget {
    #[inline]
    fn charge(&self, bytes: usize) -> Result<()> {
        Budget::charge(self, bytes as u64)
    }
}

/// A size for people: `1.5 GiB`, `64 MiB`, `3 KiB`.
pub(crate) fn in_words(bytes: u64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    let unit = units.into_iter().find(|(shift, _)| bytes >> shift > 0);
    let Some((shift, name)) = unit else {
        return format!("{bytes} bytes");
    };
    let tenths = (u128::from(bytes) * 10) >> shift;
    match tenths % 10 {
        0 => format!("{} {name}", tenths / 10),
        tenth => format!("{}.{tenth} {name}", tenths / 10),
    }
}

/// A value for `--max-memory` that is surely enough for `needed` bytes of something: twice as much, in round numbers.
pub(crate) fn suggestion(needed: u64) -> String {
    let mebibytes = (needed >> 19).max(128).next_power_of_two();
    match mebibytes {
        1024.. => format!("{}GB", mebibytes >> 10),
        _ => format!("{mebibytes}MB"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_grows_with_the_file_and_an_option_replaces_it() {
        assert_eq!(Limits::default().memory_bytes(0), 64 << 20);
        assert_eq!(Limits::default().memory_bytes(100), (64 << 20) + 2000);
        assert_eq!(Limits::default().memory_bytes(u64::MAX), u64::MAX);
        assert_eq!(Limits::with_memory(7).memory_bytes(1 << 30), 7);
    }

    #[test]
    fn a_budget_refuses_what_it_does_not_have_and_keeps_what_it_has() {
        let budget = Budget::new(100);
        budget.charge(60).unwrap();
        let error = budget.charge(41).unwrap_err();
        assert!(error.is_out_of_memory());
        assert!(error.to_string().contains("101 bytes"), "{error}");
        budget.charge(40).unwrap();
        assert_eq!(budget.left(), 0);
        assert!(budget.charge(u64::MAX).is_err());
        assert!(budget.settle((), &Report::default()).is_err());
        assert!(Budget::default().settle((), &Report::default()).is_ok());
    }

    #[test]
    fn sizes_read_well() {
        for (bytes, text) in [
            (12, "12 bytes"),
            (1 << 10, "1 KiB"),
            (64 << 20, "64 MiB"),
            (3 << 29, "1.5 GiB"),
        ] {
            assert_eq!(in_words(bytes), text);
        }
        assert_eq!(suggestion(1 << 20), "128MB");
        assert_eq!(suggestion(1 << 30), "2GB");
        assert_eq!(suggestion(u64::MAX), "17592186044416GB");
    }
}
