//! Slippi replays from end to end.

mod check;
mod damage;
mod facts;
mod golden;
mod header;
mod live;
mod peppi;
mod sets;
mod streams;

use std::path::{Path, PathBuf};

use postgame::slippi::Replay;
use postgame::{ReadOptions, Recording, Report};

use crate::corpus;

/// The real replays; none without a corpus.
fn real() -> Vec<PathBuf> {
    corpus::files("slippi", &["slp"]).unwrap_or_default()
}

/// The real replays and the samples.
fn replays() -> Vec<PathBuf> {
    let mut files = corpus::samples("duel.slp");
    files.extend(real());
    files
}

fn name(path: &Path) -> &str {
    path.file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default()
}

fn read(path: &Path) -> (Vec<u8>, Replay, Report) {
    let bytes = std::fs::read(path).unwrap();
    let (recording, report) = postgame::read(&bytes, &ReadOptions::default())
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let Recording::Slippi(replay) = recording else {
        panic!("{} is no Slippi replay", path.display())
    };
    (bytes, *replay, report)
}
