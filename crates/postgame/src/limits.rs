//! All maximums in one place, and the memory budget of a read.
//!
//! A size found in a file is checked against these limits and against the remaining data before anything is allocated
//! for it. All allocations of a read, inflated bytes and decoded model alike, are charged to its [`Budget`] first.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{Error, Problem, Result};
use crate::report::{MEMORY, Report};

/// Limits that a caller can change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Maximum memory for reading one recording, in bytes: inflated data and decoded model together. `None` means
    /// [`Limits::BASE_BYTES`] plus [`Limits::BYTES_PER_FILE_BYTE`] times the size of the file.
    pub max_memory_bytes: Option<u64>,
}

/// Maximum expansion of deflate: 258 bytes from a length code and a distance code of one bit each.
pub const DEFLATE_RATIO: u64 = 1032;

/// Maximum nesting of tree-shaped data; real files stay below 20.
pub const NESTING: usize = 128;

/// Maximum number of events outside of frames, or of unknown kinds, in a Slippi replay; real ones have fewer than two
/// hundred. Such an event can be a single byte long, but each takes an entry in a list.
pub const LOOSE_EVENTS: usize = 100_000;

/// Maximum size of an archive's JSON manifest, in bytes; real ones are below 16 KiB.
pub const MAX_MANIFEST_BYTES: u64 = 1 << 20;

/// Maximum number of sample times of a resampled recording: half an hour at 1,000 per second, or four hours at 120. A
/// damaged clock can cover years.
pub const MAX_MOMENTS: f64 = 2e6;

/// Maximum length of an entity's name on a timeline, in bytes; real ones stay below 200.
pub const MAX_NAME_BYTES: usize = 1024;

impl Limits {
    /// Base budget of any file, in bytes: 64 MiB.
    pub const BASE_BYTES: u64 = 64 << 20;

    /// Additional budget for each byte of the file.
    pub const BYTES_PER_FILE_BYTE: u64 = 20;

    /// Limits with this much memory, in bytes.
    pub fn with_memory(max_memory_bytes: u64) -> Self {
        Self {
            max_memory_bytes: Some(max_memory_bytes),
        }
    }

    /// The memory limit for reading a file of this size, in bytes.
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

/// The memory budget of one read: its limit and its use.
///
/// Memory is charged before it is allocated. The budget counts the contents of lists and buffers, but not the spare
/// capacity of growing lists or the allocator's own bookkeeping. The threads of a read can share one budget.
#[derive(Debug)]
pub struct Budget {
    allowed: u64,
    used: AtomicU64,
    /// The largest amount that was refused; 0 if none.
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

    /// Charges `bytes` to the budget.
    ///
    /// # Errors
    /// When fewer bytes are left; then nothing is charged.
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

    /// The error that `needed` bytes exceed the limit.
    #[cold]
    pub fn refuse(&self, needed: u64) -> Error {
        self.refused.fetch_max(needed, Ordering::Relaxed);
        Error::new(Problem::OutOfMemory {
            needed,
            allowed: self.allowed,
        })
    }

    /// The limit in bytes.
    pub fn allowed(&self) -> u64 {
        self.allowed
    }

    /// Bytes charged so far.
    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// Bytes left.
    pub fn left(&self) -> u64 {
        self.allowed.saturating_sub(self.used())
    }

    /// Resets to an earlier count, after everything charged since has been freed.
    pub(crate) fn rewind(&self, used: u64) {
        self.used.store(used, Ordering::Relaxed);
    }

    /// Returns the result of a read, unless the budget was too small for all of it: a partial recording must not pass
    /// for a complete one.
    ///
    /// # Errors
    /// When memory was refused, with the place where that was first reported.
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

/// Where reading a value charges its memory: part of the context in which values are read.
pub trait Charge {
    /// Charges `bytes` to the budget, if there is one.
    ///
    /// # Errors
    /// When fewer bytes are left.
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

/// A size for display: `1.5 GiB`, `64 MiB`, `3 KiB`.
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

/// A value for `--max-memory` that suffices for `needed` bytes of one part: twice as much, rounded up.
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
        // Twice 2^64 bytes, which are 2^34 GiB.
        assert_eq!(suggestion(u64::MAX), "34359738368GB");
    }
}
