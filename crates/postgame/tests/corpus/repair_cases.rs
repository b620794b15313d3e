//! Single cases of damage whose outcome is known.

use std::path::{Path, PathBuf};

use postgame::slippi::model::frames::Copies;
use postgame::{ReadOptions, Recording, Verdict};

use postgame_testing::corpus;
use postgame_testing::suite::Suite;

use crate::repair::{amount, repair_one};

pub fn tests(suite: &mut Suite) {
    suite.test(
        "repair_cases::one_flipped_bit_in_a_name_is_suspect",
        one_flipped_bit_in_a_name_is_suspect,
    );
    suite.test(
        "repair_cases::a_wrong_size_is_proven_by_the_checksum",
        a_wrong_size_is_proven_by_the_checksum,
    );
    suite.test(
        "repair_cases::a_moved_keyframe_is_proven_by_the_checksum",
        a_moved_keyframe_is_proven_by_the_checksum,
    );
    suite.test(
        "repair_cases::tables_are_found_after_a_stream_that_lost_or_gained_bytes",
        tables_are_found_after_a_stream_that_lost_or_gained_bytes,
    );
    suite.test(
        "repair_cases::frames_before_zeros_in_an_archive_are_kept",
        frames_before_zeros_in_an_archive_are_kept,
    );
    suite.test(
        "repair_cases::an_archive_without_its_directory_is_proven_by_its_entries",
        an_archive_without_its_directory_is_proven_by_its_entries,
    );
    suite.test(
        "repair_cases::slippi_goes_on_after_lost_bytes",
        slippi_goes_on_after_lost_bytes,
    );
    suite.test(
        "repair_cases::a_length_that_was_never_filled_in_is_proven",
        a_length_that_was_never_filled_in_is_proven,
    );
    suite.test(
        "repair_cases::objects_of_a_broken_chunk_keep_their_headers",
        objects_of_a_broken_chunk_keep_their_headers,
    );
    let files = damaged_from_outside();
    suite.each(
        "repair_cases::attack",
        files,
        a_file_of_an_attack_is_clean_after_repair,
    );
}

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

/// Files beside the corpus that were damaged from outside. Bombs are not among these.
fn damaged_from_outside() -> Vec<PathBuf> {
    let mut files = corpus::attack_files();
    files.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.contains("repair-unclean")
            || name.starts_with("rl-onebit")
            || name.starts_with("zip-zero512")
    });
    files
}

fn a_file_of_an_attack_is_clean_after_repair(path: &Path) {
    let name = path.file_name().unwrap().to_string_lossy();
    let bytes = std::fs::read(path).unwrap();
    let (_, outcome) = repair_one(&name, &bytes).unwrap();
    println!("{name}: {:?}, {} kept", outcome.verdict, outcome.kept);
    let verdict = outcome.verdict;
    assert!(verdict.is_none_or(|verdict| verdict >= Verdict::Suspect));
    // 730 of its 1,500 frames stand before the zeros.
    if name.starts_with("zip-zero512") {
        assert!(outcome.kept >= 730, "{} frames", outcome.kept);
    }
}
