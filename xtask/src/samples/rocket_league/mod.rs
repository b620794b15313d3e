//! A Rocket League duel of thirty seconds: kick-off, boost pads, a demolition and a goal.
//!
//! - [`mod@duel`]: the duel, in the game's units
//! - [`classes`]: the file's tables of names and attributes
//! - [`record`]: the duel as the game would record it

mod classes;
mod duel;
mod record;

use crate::tools::Result;

/// The duel as a replay of version 868.32, network version 10.
pub fn duel() -> Result<Vec<u8>> {
    let replay = record::replay().map_err(|error| error.to_string())?;
    postgame::rocket_league::write(&replay).map_err(|error| error.to_string())
}
