//! RUMBLE: the payload of the first generation, the frames of the second, and its archive.

use std::sync::LazyLock;

use postgame::Report;
use postgame::rumble::archive::Archive;
use postgame::rumble::container::STREAM;

use crate::files;
use crate::layers::{Layer, rgzp};
use crate::seeds;

/// The bytes are the contents of the GZIP member: header and frames.
pub fn frames(payload: &[u8]) {
    files::file(&rgzp(payload));
}

/// The payload of the small replay.
pub fn frames_seeds() -> Vec<Vec<u8>> {
    inside(&seeds::rumble_first())
}

/// The bytes are the inflated frames, in a correct archive.
pub fn stream(frames: &[u8]) {
    static ARCHIVE: LazyLock<Archive> = LazyLock::new(|| {
        let seed = seeds::rumble_second();
        Archive::read(&seed, &mut Report::default()).expect("the seed is an archive")
    });
    let layer = Layer::Entry(Box::new(ARCHIVE.clone()), STREAM);
    files::file(&layer.close(frames).expect("it closes"));
}

/// The frames of the small replay.
pub fn stream_seeds() -> Vec<Vec<u8>> {
    inside(&seeds::rumble_second())
}

/// The bytes are the archive: read, written back, and read as a recording.
pub fn archive(bytes: &[u8]) {
    if let Ok(archive) = Archive::read(bytes, &mut Report::default()) {
        let written = archive.write().expect("what was read can be written");
        assert!(written == bytes, "another archive");
    }
    files::file(bytes);
}

/// The small replay.
pub fn archive_seeds() -> Vec<Vec<u8>> {
    vec![seeds::rumble_second()]
}

fn inside(file: &[u8]) -> Vec<Vec<u8>> {
    Layer::open(file, 1)
        .map(|(_, inside)| inside)
        .into_iter()
        .collect()
}
