//! Postgame against the peers, side by side in one process, with ratios: the machines are noisy, times alone say little.
//!
//! `cargo xtask compare [GAME…]`; without names all of them. One file per game; a new game adds a line to [`GAMES`].
//! Two programs are made of this: `postgame-bench` measures times and `memory` memory, because an allocator that counts
//! costs time and, on two threads, makes them wait for each other; nobody who uses the library pays that.

mod corpus;
mod measure;
pub mod memory;
mod rocket_league;
mod rumble;
mod satisfactory;
mod slippi;
mod tables;

/// A game and its comparison, which prints its figures and returns the claims that do not hold.
pub type Comparison = (&'static str, fn() -> Vec<String>);

/// The comparisons by name.
pub const GAMES: &[Comparison] = &[
    ("rocket_league", rocket_league::compare),
    ("rumble", rumble::compare),
    ("satisfactory", satisfactory::compare),
    ("slippi", slippi::compare),
    ("tables", tables::compare),
];
