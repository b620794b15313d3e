//! Rocket League: timeline, events, statistics and plausibility.

mod ballchasing;
mod facts;
mod modes;
mod positions;
mod probe;
mod seek;

use std::path::{Path, PathBuf};

use postgame::{ReadOptions, Recording};

use crate::corpus;

/// The real replays; `None` without a corpus.
fn replays() -> Option<Vec<PathBuf>> {
    corpus::files("rocket-league", &["replay"])
}

/// A replay of the corpus; `None` without a corpus.
fn recording(name: &str) -> Option<Recording> {
    let path = corpus::folder()?
        .join("rocket-league")
        .join(format!("{name}.replay"));
    Some(read(&path))
}

fn read(path: &Path) -> Recording {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    postgame::read(&bytes, &ReadOptions::default())
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        .0
}
