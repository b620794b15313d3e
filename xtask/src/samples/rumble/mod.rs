//! A RUMBLE bout of twenty seconds: two players summon a dozen structures and strike them at each other.
//!
//! - [`bout`]: what happens, in Unity's metres
//! - [`record`]: how each generation's recorder would have written it down

mod bout;
mod record;

use crate::tools::Result;

/// The bout as the first generation's recorder writes it.
pub fn first_generation() -> Result<Vec<u8>> {
    record::first_generation().map_err(|error| error.to_string())
}

/// The same bout as the second generation's recorder writes it.
pub fn second_generation() -> Result<Vec<u8>> {
    record::second_generation().map_err(|error| error.to_string())
}
