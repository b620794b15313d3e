//! Slippi statistics, events, timeline and plausibility.

mod events;
mod probe;
mod slippi_js;
mod techniques;
mod timeline;

use std::path::{Path, PathBuf};

use postgame::slippi::Replay;
use postgame::{ReadOptions, Recording};

use crate::corpus;

/// The real replays with their names; none without a corpus.
fn real() -> Vec<(String, Replay)> {
    read_all(&corpus::files("slippi", &["slp"]).unwrap_or_default())
}

/// The real replays and the samples, with their names.
fn replays() -> Vec<(String, Replay)> {
    let mut replays = real();
    let samples: Vec<PathBuf> = corpus::samples("")
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "slp"))
        .collect();
    assert!(!samples.is_empty(), "there is a sample");
    replays.extend(read_all(&samples));
    replays
}

fn read_all(files: &[PathBuf]) -> Vec<(String, Replay)> {
    let replays = files.iter().map(|path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap();
        (name.to_owned(), read(path))
    });
    replays.collect()
}

fn read(path: &Path) -> Replay {
    let bytes = std::fs::read(path).unwrap();
    let (recording, _) = postgame::read(&bytes, &ReadOptions::default()).unwrap();
    match recording {
        Recording::Slippi(replay) => *replay,
        _ => panic!("{} is no Slippi replay", path.display()),
    }
}
