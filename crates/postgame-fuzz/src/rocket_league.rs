//! Rocket League: the header, the tables after the stream, and the stream over tables that are right.

use std::sync::LazyLock;

use postgame::rocket_league::Replay;
use postgame::rocket_league::model::network::Network;
use postgame::{Depth, Recording};

use crate::files::{self, options};
use crate::layers::section;
use crate::seeds;

/// The frames that a stream of a few kilobytes may have.
const FRAMES: i32 = 60;

/// The bytes are the contents of the header; there is no body.
pub fn header(contents: &[u8]) {
    files::file(&section(contents));
}

/// Headers without size and checksum.
pub fn header_seeds() -> Vec<Vec<u8>> {
    let replays = [seeds::rocket_league(), SAMPLE.to_vec()];
    replays.iter().map(|file| parts(file).0.to_vec()).collect()
}

/// The bytes are the contents of the body, after a header that is right.
pub fn tables(contents: &[u8]) {
    static HEADER: LazyLock<Vec<u8>> = LazyLock::new(|| section(parts(&seeds::rocket_league()).0));
    files::file(&[&HEADER[..], &section(contents)].concat());
}

/// A body without size and checksum.
pub fn tables_seeds() -> Vec<Vec<u8>> {
    vec![parts(&seeds::rocket_league()).1.to_vec()]
}

/// The bytes are the stream, between header and tables of the sample.
pub fn stream(bits: &[u8]) {
    static AROUND: LazyLock<(Vec<u8>, Vec<u8>, Vec<u8>)> = LazyLock::new(around);
    let (header, before, after) = &*AROUND;
    let size = (bits.len() as u32).to_le_bytes();
    let body = section(&[before, &size[..], bits, after].concat());
    files::file(&[&header[..], &body].concat());
}

/// The beginnings of the sample's stream and of the small replay's.
pub fn stream_seeds() -> Vec<Vec<u8>> {
    let (_, body) = parts(SAMPLE);
    let stream = &body[stream_at(body) + 4..];
    [600, 2048].map(|length| stream[..length].to_vec()).into()
}

/// Everything around the stream: the header, what comes before it in the body, what comes after it.
fn around() -> (Vec<u8>, Vec<u8>, Vec<u8>) {
    let mut replay = sample();
    replay.header.properties.set_int("NumFrames", FRAMES);
    if let Some(body) = &mut replay.body {
        body.network = Network::default();
        body.keyframes = Vec::new();
    }
    let file = Recording::RocketLeague(replay).write().expect("a file");
    let (header, body) = parts(&file);
    let at = stream_at(body);
    let size = u32::from_le_bytes(body[at..at + 4].try_into().expect("four bytes"));
    let after = &body[at + 4 + size as usize..];
    (section(header), body[..at].to_vec(), after.to_vec())
}

/// A sample made by our own writers.
const SAMPLE: &[u8] = include_bytes!("../../../samples/duel.replay");

fn sample() -> Replay {
    match postgame::read(SAMPLE, &options(Depth::Full)) {
        Ok((Recording::RocketLeague(replay), _)) => replay,
        _ => unreachable!("the sample is a replay"),
    }
}

/// The contents of the two sections of a file that is right.
fn parts(file: &[u8]) -> (&[u8], &[u8]) {
    let size = u32::from_le_bytes(file[..4].try_into().expect("four bytes")) as usize;
    (&file[8..8 + size], &file[8 + size + 8..])
}

/// Where in a body the size of the stream is: after the levels and the keyframes.
fn stream_at(body: &[u8]) -> usize {
    let word = |at: usize| u32::from_le_bytes(body[at..at + 4].try_into().expect("four bytes"));
    let mut at = 4;
    for _ in 0..word(0) {
        at += 4 + word(at) as usize;
    }
    at + 4 + 12 * word(at) as usize
}
