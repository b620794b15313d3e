//! Slippi: the events after a correct game start, and the UBJSON around them.

use std::sync::LazyLock;

use postgame::limits::Budget;
use postgame::slippi::live::LiveReader;
use postgame::slippi::ubjson;
use postgame::{ReadOptions, Recording};

use crate::files;
use crate::seeds::{self, SlippiParts};

/// The bytes are the events after the game's start; everything around them is correct.
///
/// They are also passed in pieces: a live reader reports no more than has arrived, and its result is written back
/// unchanged.
pub fn events(events: &[u8]) {
    static PARTS: LazyLock<SlippiParts> = LazyLock::new(|| seeds::slippi_parts(0));
    let file = PARTS.with_events(events);
    files::file(&file);
    let mut live = LiveReader::new();
    let piece = 1 + events.first().map_or(0, |byte| usize::from(*byte) * 4);
    for piece in file.chunks(piece) {
        live.push(piece);
        while live.next_event().is_some() {}
    }
    assert!(live.offset() <= file.len() as u64);
    let is_done = live.is_done();
    if let Some(replay) = live.finish()
        && is_done
    {
        let written = Recording::Slippi(Box::new(replay)).write();
        assert!(
            written.expect("what was read can be written") == file,
            "another file"
        );
    }
}

/// The events of one to three frames.
pub fn events_seeds() -> Vec<Vec<u8>> {
    (1..=3)
        .map(|frames| seeds::slippi_parts(frames).events)
        .collect()
}

/// The bytes are the members of an object: read, written back, and used as the metadata of a replay.
pub fn ubjson(bytes: &[u8]) {
    if let Ok((members, size)) = ubjson::members_from_bytes(bytes, &Budget::default()) {
        let written = ubjson::members_to_bytes(&members).expect("what was read can be written");
        // The closing bracket is read with the members, but not written with them.
        assert!(written == bytes[..size - 1], "other UBJSON");
    }
    static PARTS: LazyLock<SlippiParts> = LazyLock::new(|| seeds::slippi_parts(1));
    let file = PARTS.with_members(bytes);
    files::file(&file);
    if let Ok((recording, _)) = postgame::read(&file, &ReadOptions::header()) {
        recording.summary();
    }
}

/// The metadata of the sample.
pub fn ubjson_seeds() -> Vec<Vec<u8>> {
    vec![seeds::slippi_parts(0).members]
}
