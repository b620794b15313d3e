//! Files that claim more than they have are refused before they cost anything.

use std::path::Path;

use postgame::limits::Limits;
use postgame::rumble::model::Codec;
use postgame::{Depth, ReadOptions};
use postgame_testing::corpus;
use postgame_testing::suite::Suite;

use crate::peak;

pub fn tests(suite: &mut Suite) {
    suite.test("hostile::claims", claims_are_refused);
    suite.test("hostile::counts", counts_are_refused);
    suite.test("hostile::brotli", brotli_bombs_are_refused);
    suite.test("hostile::keyframes", keyframes_that_go_back_end);
    suite.each("hostile", corpus::damaged(), damage_costs_little);
    suite.each(
        "hostile",
        vec![corpus::sample("duel.replay")],
        damage_costs_little,
    );
}

/// The most memory a reading takes beyond what was held before, in bytes, and what it said.
fn read(bytes: &[u8], max_memory_bytes: u64) -> (usize, String) {
    let options = ReadOptions {
        depth: Depth::Full,
        limits: Limits::with_memory(max_memory_bytes),
    };
    peak(|| match postgame::read(bytes, &options) {
        Ok((_, report)) => report
            .findings()
            .iter()
            .map(|finding| format!("{finding}\n"))
            .collect(),
        Err(error) => error.to_string(),
    })
}

fn wrapped(inflated_size: i32, compressed: &[u8]) -> Vec<u8> {
    let sizes = [
        inflated_size.to_le_bytes(),
        (compressed.len() as i32).to_le_bytes(),
    ]
    .concat();
    [b"RGZP", &sizes[..], compressed].concat()
}

fn claims_are_refused() {
    // A kilobyte that claims two gigabytes.
    let claim = wrapped(i32::MAX, &[0; 1012]);
    assert_eq!(claim.len(), 1024);
    let (peak, said) = read(&claim, u64::MAX);
    assert!(
        said.contains("container.inflated_size: an inflated size of 2147483647 is more than"),
        "{said}"
    );
    assert!(said.ends_with("at 0x4"), "{said}");
    assert!(peak < 4096, "{peak} bytes for a claim");

    // A bomb whose size is stated truthfully, and one that lies.
    let zeros = vec![0; 64 << 20];
    let bomb = Codec::Gzip.deflate(&zeros).unwrap();
    for stated in [zeros.len() as i32, 100] {
        let (peak, said) = read(&wrapped(stated, &bomb), 1 << 20);
        assert!(
            said.contains("container.data: needs 1 MiB of memory"),
            "{said}"
        );
        assert!(said.ends_with("at 0xc"), "{said}");
        assert!(
            peak < 3 << 20,
            "{peak} bytes for a bomb of {} with a limit of 1 MiB",
            bomb.len()
        );
    }
}

/// Counts that the data cannot hold: frames, structures, players.
fn counts_are_refused() {
    let mut payload = b"REPLAY\x01v\x01s\x01d".to_vec();
    for count in [i32::MAX, i32::MAX, 50, 0, 0] {
        payload.extend_from_slice(&count.to_le_bytes());
    }
    payload.extend_from_slice(&[0; 500]);
    let (peak, said) = read(
        &wrapped(
            payload.len() as i32,
            &Codec::Gzip.deflate(&payload).unwrap(),
        ),
        u64::MAX,
    );
    assert!(
        said.contains("frames[0].structures[496]: data ends early"),
        "{said}"
    );
    assert!(peak < 100 << 10, "{peak} bytes for a frame count");

    let mut payload = b"REPLAY\x01v\x01s\x01d".to_vec();
    for count in [1, 0, 50, i32::MAX] {
        payload.extend_from_slice(&i32::to_le_bytes(count));
    }
    let (peak, said) = read(
        &wrapped(
            payload.len() as i32,
            &Codec::Gzip.deflate(&payload).unwrap(),
        ),
        u64::MAX,
    );
    assert!(
        said.contains("header.players: a list of 2147483647 is more than the 0 possible here"),
        "{said}"
    );
    assert!(peak < 100 << 10, "{peak} bytes for a player count");
}

/// RUMBLE's second generation: Brotli expands without a bound.
fn brotli_bombs_are_refused() {
    let zeros = vec![0; 64 << 20];
    let bomb = Codec::Brotli.deflate(&zeros).unwrap();
    let mut archive = postgame::rumble::archive::Archive::new();
    archive.add("replay", false).replace(&bomb).unwrap();
    let bytes = archive.write().unwrap();
    let (peak, said) = read(&bytes, 1 << 20);
    assert!(said.contains("replay: needs 1 MiB of memory"), "{said}");
    // The Brotli window itself may take 16 MiB.
    assert!(
        peak < 24 << 20,
        "{peak} bytes for a Brotli bomb of {}",
        bomb.len()
    );
}

/// Damaged files of fuzzers, and a sample.
fn damage_costs_little(path: &Path) {
    let bytes = std::fs::read(path).unwrap();
    let (peak, _) = read(&bytes, u64::MAX);
    assert!(
        peak < 8 * bytes.len() + (1 << 20),
        "{peak} bytes for {}",
        bytes.len()
    );
}

/// A list of keyframes that leads back to the beginning over and over.
fn keyframes_that_go_back_end() {
    let sample = std::fs::read(corpus::sample("duel.replay")).unwrap();
    // Every bit of the stream is the beginning of a frame, says the list; the second frame is broken.
    let (recording, _) = postgame::read(&sample, &ReadOptions::default()).unwrap();
    let postgame::Recording::RocketLeague(mut replay) = recording else {
        panic!()
    };
    let bits = postgame::rocket_league::stream_bits(&replay).unwrap() as u32;
    let count = 200_000.min(bits - 1);
    replay
        .header
        .properties
        .set_int("NumFrames", count as i32 + 1);
    let body = replay.body.as_mut().unwrap();
    body.keyframes = (0..count)
        .map(|index| postgame::rocket_league::model::KeyFrame {
            time_s: 0.0,
            frame: index,
            position_bits: index,
        })
        .collect();
    let hostile = postgame::rocket_league::write(&replay).unwrap();
    let start = std::time::Instant::now();
    let (peak, said) = read(&hostile, u64::MAX);
    assert!(said.contains("lost [frame]"), "{said}");
    assert!(
        peak < 100 * hostile.len(),
        "{peak} bytes for {}",
        hostile.len()
    );
    assert!(
        start.elapsed().as_secs() < 20,
        "{:?} for hostile keyframes",
        start.elapsed()
    );
}
