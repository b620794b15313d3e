//! Reads recordings from paths, and panics with the path if that fails.

use std::path::Path;

use postgame::rocket_league::Replay as RocketLeagueReplay;
use postgame::satisfactory::Save;
use postgame::slippi::Replay as SlippiReplay;
use postgame::{ReadOptions, Recording, Report};

/// The bytes of a file.
///
/// # Panics
/// Panics if the file cannot be read.
pub fn bytes(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A whole recording with its bytes and what was found while reading.
///
/// # Panics
/// Panics if the file cannot be read.
pub fn whole(path: &Path) -> (Vec<u8>, Recording, Report) {
    let bytes = bytes(path);
    let (recording, report) = postgame::read(&bytes, &ReadOptions::default())
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    (bytes, recording, report)
}

/// A whole recording.
///
/// # Panics
/// Panics if the file cannot be read.
pub fn recording(path: &Path) -> Recording {
    whole(path).1
}

/// A Rocket League replay.
///
/// # Panics
/// Panics if the file cannot be read or is of another game.
pub fn rocket_league(path: &Path) -> RocketLeagueReplay {
    match recording(path) {
        Recording::RocketLeague(replay) => replay,
        other => panic!("{} is a {} recording", path.display(), other.format().id()),
    }
}

/// A Slippi replay.
///
/// # Panics
/// Panics if the file cannot be read or is of another game.
pub fn slippi(path: &Path) -> SlippiReplay {
    match recording(path) {
        Recording::Slippi(replay) => *replay,
        other => panic!("{} is a {} recording", path.display(), other.format().id()),
    }
}

/// A Satisfactory save.
///
/// # Panics
/// Panics if the file cannot be read or is not a save.
pub fn save(path: &Path) -> Save {
    match recording(path) {
        Recording::Satisfactory(save) => *save,
        other => panic!("{} is a {} recording", path.display(), other.format().id()),
    }
}
