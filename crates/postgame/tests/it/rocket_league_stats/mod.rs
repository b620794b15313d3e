//! Rocket League: timeline, events, statistics and plausibility.

mod ballchasing;

use std::path::Path;

use postgame::{ReadOptions, Recording};

use crate::corpus;

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
