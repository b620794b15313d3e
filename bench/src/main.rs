//! Postgame against the peers, side by side in one process, with ratios: the machines are noisy, times alone say little.
//!
//! `cargo xtask compare [GAME…]`; without names all of them. One file per game; a new game adds a line to [`GAMES`].

mod corpus;
mod measure;
mod rocket_league;
mod rumble;
mod satisfactory;
mod slippi;
mod tables;

use std::process::ExitCode;

#[global_allocator]
static MEMORY: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

/// A game and its comparison, which prints its figures and returns the claims that do not hold.
type Comparison = (&'static str, fn() -> Vec<String>);

/// The comparisons by name.
const GAMES: &[Comparison] = &[
    ("rocket_league", rocket_league::compare),
    ("rumble", rumble::compare),
    ("satisfactory", satisfactory::compare),
    ("slippi", slippi::compare),
    ("tables", tables::compare),
];

fn main() -> ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let mut missed = Vec::new();
    for (name, compare) in GAMES {
        if wanted.is_empty() || wanted.iter().any(|game| game == name) {
            println!("{name}");
            missed.extend(
                compare()
                    .into_iter()
                    .map(|claim| format!("{name}: {claim}")),
            );
        }
    }
    if let Some(unknown) = wanted
        .iter()
        .find(|game| GAMES.iter().all(|(name, _)| name != game))
    {
        missed.push(format!("there is no comparison called {unknown}"));
    }
    for claim in &missed {
        eprintln!("MISSED {claim}");
    }
    if missed.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
