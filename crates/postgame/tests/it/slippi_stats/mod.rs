//! Slippi statistics, events, timeline and plausibility.

mod probe;
mod slippi_js;

use std::path::Path;

use postgame::slippi::Replay;
use postgame::{ReadOptions, Recording};

use crate::corpus;

/// The real replays with their names; none without a corpus.
fn replays() -> Vec<(String, Replay)> {
    let files = corpus::files("slippi", &["slp"]).unwrap_or_default();
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
        Recording::Slippi(replay) => replay,
        _ => panic!("{} is no Slippi replay", path.display()),
    }
}
