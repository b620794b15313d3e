//! Every maximum in one place. A size found in a file is held against these and against the data that is left
//! before anything is allocated for it.

use crate::error::{Error, Result};

/// Limits a caller can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most a compressed recording may inflate to, in bytes, over all of its streams.
    pub inflated_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            inflated_bytes: 4 << 30,
        }
    }
}

/// Deflate cannot expand further than this: 258 bytes from a length and a distance code of one bit each.
pub const DEFLATE_RATIO: u64 = 1032;

/// The deepest nesting read in any tree-shaped data; real files stay below 20.
pub const NESTING: usize = 128;

/// The most events outside of frames, or of unknown kinds, that are kept one by one in a Slippi replay; real ones have
/// fewer than two hundred. They can be a single byte long, and each takes an entry in a list.
pub const LOOSE_EVENTS: usize = 100_000;

impl Limits {
    /// Refuses a claimed inflated size that the option forbids or that so few compressed bytes cannot hold.
    ///
    /// # Errors
    /// `TooLarge`, with the smaller of the two limits.
    pub fn inflated_size(&self, claimed: u64, compressed: usize) -> Result<()> {
        let limit = self
            .inflated_bytes
            .min((compressed as u64).saturating_mul(DEFLATE_RATIO));
        if claimed > limit {
            return Err(Error::too_large("an inflated size", claimed, limit));
        }
        Ok(())
    }
}
