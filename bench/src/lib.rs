//! Postgame compared with its peers, side by side in one process, as ratios: machines are noisy, so times alone say
//! little.
//!
//! `cargo xtask compare [GAME…]`; by default all games. There is one file per game; to add a game, add a line to
//! [`GAMES`]. There are two programs: `postgame-bench` measures times and `memory` measures memory. A counting
//! allocator costs time and makes two threads wait for each other, which users of the library never pay.

mod corpus;
mod measure;
pub mod memory;
mod rocket_league;
mod rumble;
mod satisfactory;
mod slippi;
mod tables;

/// A game and its comparison, which prints its figures and returns the claims that are not met.
pub type Comparison = (&'static str, fn() -> Vec<String>);

/// The comparisons by name.
pub const GAMES: &[Comparison] = &[
    ("rocket_league", rocket_league::compare),
    ("rumble", rumble::compare),
    ("satisfactory", satisfactory::compare),
    ("slippi", slippi::compare),
    ("tables", tables::compare),
];
