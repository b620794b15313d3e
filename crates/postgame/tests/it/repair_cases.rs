//! Single cases of damage whose outcome is known.

use postgame::slippi::model::frames::Copies;
use postgame::{ReadOptions, Recording, Verdict};

use crate::corpus;
use crate::repair::{amount, repair_one};

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(corpus::root().join("samples").join(name)).unwrap()
}

fn read(bytes: &[u8]) -> Recording {
    postgame::read(bytes, &ReadOptions::default()).unwrap().0
}

fn find(bytes: &[u8], part: &[u8]) -> usize {
    let mut windows = bytes.windows(part.len());
    windows.position(|window| window == part).unwrap()
}

#[test]
fn one_flipped_bit_in_a_name_is_suspect() {
    let bytes = sample("duel.replay");
    let mut damaged = bytes.clone();
    let at = find(&bytes, b"PlayerName") + 40;
    damaged[at] ^= 1;
    let (_, outcome) = repair_one("a name", &damaged).unwrap();
    assert!(
        outcome
            .verdict
            .is_some_and(|verdict| verdict >= Verdict::Suspect)
    );
}

#[test]
fn a_wrong_size_is_proven_by_the_checksum() {
    let bytes = sample("duel.replay");
    let header = u32::from_le_bytes(*bytes.first_chunk().unwrap()) as usize;
    // The header's size, and the body's.
    for at in [0, 8 + header] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 4;
        let (repaired, outcome) = repair_one("a size", &damaged).unwrap();
        assert_eq!(outcome.verdict, Some(Verdict::Proven), "size at {at}");
        assert!(repaired.write().unwrap() == bytes, "size at {at}");
    }
}

#[test]
fn a_moved_keyframe_is_proven_by_the_checksum() {
    let bytes = sample("duel.replay");
    let Recording::RocketLeague(replay) = read(&bytes) else {
        panic!()
    };
    let keyframe = &replay.body.as_ref().unwrap().keyframes[0];
    let mut place = keyframe.time_s.to_le_bytes().to_vec();
    place.extend_from_slice(&keyframe.frame.to_le_bytes());
    place.extend_from_slice(&keyframe.position_bits.to_le_bytes());
    let at = find(&bytes, &place) + 8;
    let mut damaged = bytes.clone();
    damaged[at] ^= 1;
    let (repaired, outcome) = repair_one("a keyframe", &damaged).unwrap();
    assert_eq!(outcome.verdict, Some(Verdict::Proven));
    assert!(repaired.write().unwrap() == bytes);
}

#[test]
fn tables_are_found_after_a_stream_that_lost_or_gained_bytes() {
    let bytes = sample("duel.replay");
    let all = amount(&read(&bytes));
    // The stream is most of the file, and its middle near the file's.
    let middle = bytes.len() / 2;
    let mut shorter = bytes.clone();
    drop(shorter.drain(middle..middle + 100));
    let mut longer = bytes.clone();
    drop(longer.splice(middle..middle, [0x5a; 700]));
    for damaged in [shorter, longer] {
        let (_, outcome) = repair_one("the stream", &damaged).unwrap();
        assert_eq!(outcome.verdict, Some(Verdict::Lost));
        assert!(outcome.kept * 4 > all, "{} of {all} frames", outcome.kept);
    }
}

#[test]
fn frames_before_zeros_in_an_archive_are_kept() {
    let bytes = sample("bout-archive.replay");
    let mut damaged = bytes.clone();
    let middle = bytes.len() / 2;
    damaged[middle..middle + 512].fill(0);
    let all = amount(&read(&bytes));
    let (_, outcome) = repair_one("zeros", &damaged).unwrap();
    assert_eq!(outcome.verdict, Some(Verdict::Lost));
    // The frames compress evenly, and the zeros begin in the middle.
    assert!(
        outcome.kept * 5 > all * 2,
        "{} of {all} frames",
        outcome.kept
    );
}

#[test]
fn an_archive_without_its_directory_is_proven_by_its_entries() {
    let bytes = sample("bout-archive.replay");
    let directory = find(&bytes, b"PK\x01\x02");
    let (_, outcome) = repair_one("half a directory", &bytes[..directory + 30]).unwrap();
    assert_eq!(outcome.verdict, Some(Verdict::Proven));
    let (_, outcome) = repair_one("no directory", &bytes[..directory]).unwrap();
    assert_eq!(
        outcome.verdict,
        Some(Verdict::Suspect),
        "entries may be missing"
    );
}

#[test]
fn slippi_goes_on_after_lost_bytes() {
    let bytes = sample("duel.slp");
    let all = amount(&read(&bytes));
    // A hole in the middle costs no more than the frames it is in.
    let mut damaged = bytes.clone();
    damaged.drain(bytes.len() / 2..bytes.len() / 2 + 1000);
    let (repaired, outcome) = repair_one("a hole", &damaged).unwrap();
    assert_eq!(outcome.verdict, Some(Verdict::Lost));
    assert!(outcome.kept + 8 > all, "{} of {all} frames", outcome.kept);
    let Recording::Slippi(replay) = repaired else {
        panic!()
    };
    assert!(
        replay.end().is_some(),
        "the end of the game is after the hole"
    );
    // A line-ending conversion.
    let damaged: Vec<u8> = bytes.iter().copied().filter(|&byte| byte != 0x0d).collect();
    let (repaired, outcome) = repair_one("line endings", &damaged).unwrap();
    assert_eq!(outcome.verdict, Some(Verdict::Lost));
    let Recording::Slippi(replay) = repaired else {
        panic!()
    };
    // In 256 frames from 3328 on every event has a 0x0D in its number.
    let frames = replay.frames.unwrap().rows(Copies::Final).len();
    assert!(frames * 10 > all * 8, "{frames} of {all} frames");
}

#[test]
fn a_length_that_was_never_filled_in_is_proven() {
    let bytes = sample("duel.slp");
    let mut damaged = bytes.clone();
    damaged[11..15].fill(0);
    let (repaired, outcome) = repair_one("no length", &damaged).unwrap();
    assert_eq!(outcome.verdict, Some(Verdict::Proven));
    assert!(repaired.write().unwrap() == bytes);
    damaged[14] = 1;
    let (_, outcome) = repair_one("a wrong length", &damaged).unwrap();
    assert_eq!(outcome.verdict, Some(Verdict::Suspect));
}

#[test]
fn objects_of_a_broken_chunk_keep_their_headers() {
    let bytes = sample("factory.sav");
    let all = amount(&read(&bytes));
    // The last chunk holds the data of the last objects.
    let mut damaged = bytes.clone();
    let at = bytes.len() - 40;
    damaged[at..].fill(0x55);
    let (_, outcome) = repair_one("a broken chunk", &damaged).unwrap();
    assert_eq!(outcome.verdict, Some(Verdict::Lost));
    assert_eq!(outcome.kept, all, "headers of all objects");
}

/// Files that were damaged from outside, beside the corpus. Bombs are not among these.
#[test]
fn files_of_attacks_are_clean_after_repair() {
    let Some(folder) = corpus::folder().map(|folder| folder.join("../attack")) else {
        return;
    };
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for path in entries.map(|entry| entry.unwrap().path()) {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let is_damaged = name.contains("repair-unclean")
            || name.starts_with("rl-onebit")
            || name.starts_with("zip-zero512");
        if !is_damaged {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let (_, outcome) = repair_one(&name, &bytes).unwrap();
        println!("{name}: {:?}, {} kept", outcome.verdict, outcome.kept);
        assert!(
            outcome
                .verdict
                .is_none_or(|verdict| verdict >= Verdict::Suspect),
            "{name}"
        );
        // 730 of its 1,500 frames stand before the zeros.
        if name.starts_with("zip-zero512") {
            assert!(outcome.kept >= 730, "{} frames", outcome.kept);
        }
    }
}
