//! A RUMBLE bout of twenty seconds: two players summon a dozen structures and strike them at each other.
//!
//! - [`bout`]: the bout, in Unity's metres
//! - [`record`]: the bout as each generation's recorder would write it
//! - [`newest`]: the same for the newest recorder, with everything it writes; [`voice`]: a voice recording
//! - [`rr`]: the same for another recorder

mod bout;
mod newest;
mod record;
mod rr;
mod voice;

use crate::tools::Result;

/// The bout as the first generation's recorder writes it.
pub fn first_generation() -> Result<Vec<u8>> {
    record::first_generation().map_err(|error| error.to_string())
}

/// The same bout as the second generation's recorder writes it.
pub fn second_generation() -> Result<Vec<u8>> {
    record::second_generation().map_err(|error| error.to_string())
}

/// The same bout as the newest recorder writes it.
pub fn newest() -> Result<Vec<u8>> {
    newest::replay().map_err(|error| error.to_string())
}

/// The same bout as RumbleReplay writes it.
pub fn rr() -> Result<Vec<u8>> {
    rr::replay().map_err(|error| error.to_string())
}
