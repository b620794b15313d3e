//! Real recordings for tests that are skipped without them. New tests of recordings belong to the target `corpus`, which
//! says so when it skips one: see docs/testing.md.

use std::path::PathBuf;

pub use postgame_testing::corpus::{root, samples};

/// The corpus; `None`, with a word on standard error, if there is none.
pub fn folder() -> Option<PathBuf> {
    let folder = postgame_testing::corpus::folder();
    if folder.is_none() {
        eprintln!("NO CORPUS: this test ran on the samples only");
    }
    folder
}

/// The recordings of one game in the corpus, sorted by name; `None` if there is no corpus.
pub fn files(game: &str, extensions: &[&str]) -> Option<Vec<PathBuf>> {
    folder()?;
    Some(postgame_testing::corpus::files(game, extensions))
}
