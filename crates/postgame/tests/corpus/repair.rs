//! A campaign of damage and repair over the samples and, where there is one, the corpus.
//!
//! For every damaged file: what is read is written back as it was; the repaired file reads without loss, and repairing
//! it again changes nothing; and a repair that claims to be proven gives what was there before the damage.
//!
//! A few of each game in every run; `POSTGAME_REPAIRS=FIRST..END cargo test --test corpus repairs_of` runs others and prints how much
//! is kept. A failure tells its number.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use postgame::rocket_league::crc::crc;
use postgame::rumble::model::Codec;
use postgame::rumble::model::Replay as Rumble;
use postgame::{ReadOptions, Recording, Severity, Verdict};

use postgame_testing::corpus;
use postgame_testing::suite::Suite;

use crate::mutated::{GAMES, Random, files, mutated_inside};

pub fn tests(suite: &mut Suite) {
    for (game, extensions) in GAMES {
        suite.test(&format!("repairs_of::{game}"), move || {
            run(game, extensions)
        });
    }
}

/// The largest file of the corpus that is taken, in bytes: each is read a dozen times.
const MAX_BYTES: u64 = 300_000;

/// Kinds of damage.
const KINDS: [&str; 7] = [
    "bit flipped",
    "run of zeros",
    "cut",
    "bytes inserted",
    "bytes removed",
    "every 0x0D dropped",
    "block doubled",
];

/// Damages one place, or with the sixth kind all of them.
fn damage(bytes: &mut Vec<u8>, kind: usize, random: &mut Random) {
    if bytes.is_empty() {
        return;
    }
    let at = random.below(bytes.len());
    let end = (at + 1 + random.below(1024)).min(bytes.len());
    match kind {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes[at..end].fill(0),
        2 => bytes.truncate(at),
        3 => {
            let foreign: Vec<u8> = (at..end).map(|_| random.below(256) as u8).collect();
            drop(bytes.splice(at..at, foreign));
        }
        4 => drop(bytes.drain(at..end)),
        5 => bytes.retain(|&byte| byte != 0x0d),
        _ => {
            let block = bytes[at..end].to_vec();
            drop(bytes.splice(at..at, block));
        }
    }
}

/// The file with the same damage behind its compression or its checksums; `None` if it has neither.
fn damaged_inside(bytes: &[u8], mut mutate: impl FnMut(&mut Vec<u8>)) -> Option<Vec<u8>> {
    let (recording, _) = postgame::read(bytes, &ReadOptions::default()).ok()?;
    match recording {
        // One of the two sections, with its size and checksum made right again.
        Recording::RocketLeague(_) => {
            let size = |at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
            let body = 8 + size(0)? as usize;
            let start = if bytes.len().is_multiple_of(2) {
                body
            } else {
                0
            };
            let end = start + 8 + size(start)? as usize;
            let mut contents = bytes.get(start + 8..end)?.to_vec();
            mutate(&mut contents);
            let mut file = bytes[..start].to_vec();
            file.extend_from_slice(&(contents.len() as u32).to_le_bytes());
            file.extend_from_slice(&crc(&contents).to_le_bytes());
            file.extend_from_slice(&contents);
            file.extend_from_slice(&bytes[end..]);
            Some(file)
        }
        Recording::Rumble(Rumble::Second(replay)) => {
            let packed = replay.packed_stream.as_ref()?;
            let limits = Default::default();
            let mut contents = Codec::Brotli
                .inflate(&packed.bytes.0, None, &limits)
                .ok()?
                .bytes;
            mutate(&mut contents);
            let mut archive = replay.whole_archive();
            let entry = archive.find_mut("replay")?;
            entry
                .replace(&Codec::Brotli.deflate(&contents).ok()?)
                .ok()?;
            archive.write().ok()
        }
        _ => mutated_inside(bytes, mutate),
    }
}

/// How much data of its game a recording holds: frames or objects.
pub fn amount(recording: &Recording) -> usize {
    let objects = |body: &Option<postgame::satisfactory::Body>| {
        let levels = body
            .iter()
            .flat_map(postgame::satisfactory::Body::all_levels);
        levels.map(|level| level.objects.len()).sum()
    };
    match recording {
        Recording::RocketLeague(replay) => {
            let body = replay.body.as_ref();
            body.map_or(0, |body| body.network.frame_count())
        }
        Recording::Rumble(Rumble::First(replay)) => {
            replay.frames.as_ref().map_or(0, |frames| frames.len())
        }
        Recording::Rumble(Rumble::Second(replay)) => replay
            .stream
            .as_ref()
            .map_or(0, |stream| stream.frames.len()),
        Recording::Rumble(Rumble::Rr(replay)) => replay.times_s().len(),
        Recording::Satisfactory(save) => objects(&save.body),
        Recording::SatisfactoryBlueprint(blueprint) => objects(&blueprint.body),
        Recording::SatisfactoryConfig(_) => 0,
        Recording::Slippi(replay) => replay.frames.as_ref().map_or(0, |frames| frames.len()),
    }
}

/// True when everything that a checksum covers is the same. The header of a save has none, nor has a ZIP's directory.
fn is_same(one: &Recording, other: &Recording) -> bool {
    match (one, other) {
        (Recording::Rumble(Rumble::First(one)), Recording::Rumble(Rumble::First(other))) => {
            one.header == other.header
                && one.frames == other.frames
                && one.trailing == other.trailing
        }
        (Recording::Rumble(Rumble::Second(one)), Recording::Rumble(Rumble::Second(other))) => {
            one.manifest == other.manifest && one.stream == other.stream
        }
        (Recording::Satisfactory(one), Recording::Satisfactory(other)) => one.body == other.body,
        (Recording::SatisfactoryBlueprint(one), Recording::SatisfactoryBlueprint(other)) => {
            one.body == other.body
        }
        _ => one.write().unwrap() == other.write().unwrap(),
    }
}

/// How a repair ended, and how much of the recording was kept.
pub struct Outcome {
    pub verdict: Option<Verdict>,
    pub kept: usize,
}

/// Repairs a damaged file and checks everything a repair promises, but for the proof. `None` if it cannot be read.
pub fn repair_one(what: &str, damaged: &[u8]) -> Option<(Recording, Outcome)> {
    let options = ReadOptions::default();
    let (mut recording, _) = postgame::read(damaged, &options).ok()?;
    assert!(
        recording.write().unwrap() == damaged,
        "{what}: another file"
    );
    let done = match recording.repair(&options) {
        Ok(done) => done,
        Err(error) => {
            assert!(error.to_string().contains("can be kept"), "{what}: {error}");
            let outcome = Outcome {
                verdict: None,
                kept: 0,
            };
            return Some((recording, outcome));
        }
    };
    let mended = recording.write().unwrap();
    let (mut again, mut report) =
        postgame::read(&mended, &options).unwrap_or_else(|error| panic!("{what}: {error}"));
    again.check(&mut report);
    let lost = |severity| severity == Severity::Lost;
    let lost = report.findings().iter().find(|one| lost(one.severity));
    assert!(lost.is_none(), "{what}: still {lost:?} after {done:?}");
    let nothing = again.repair(&options).unwrap();
    assert_eq!(nothing.steps, [], "{what}: repaired twice, first {done:?}");
    assert!(
        again.write().unwrap() == mended,
        "{what}: changed the second time"
    );
    let outcome = Outcome {
        verdict: Some(done.verdict()),
        kept: amount(&again),
    };
    if done.verdict() == Verdict::Unchanged {
        assert!(mended == damaged, "{what}: changed without saying so");
    }
    Some((recording, outcome))
}

fn numbers() -> Range<u64> {
    let Ok(range) = std::env::var("POSTGAME_REPAIRS") else {
        return 0..DEFAULT_CASES;
    };
    let (first, end) = range.split_once("..").expect("FIRST..END");
    first.parse().expect("FIRST")..end.parse().expect("END")
}

/// Cases of each game in a run that asks for no others.
const DEFAULT_CASES: u64 = 40;

/// What became of the files that were damaged in one way.
#[derive(Default)]
struct Tally {
    files: usize,
    unreadable: usize,
    nothing_kept: usize,
    verdicts: BTreeMap<String, usize>,
    /// Of the readable ones, in thousandths of what there was.
    kept_permille: usize,
}

fn run(game: &str, extensions: &[&str]) {
    let mut files = files(game, extensions);
    files.retain(|path| {
        path.starts_with(corpus::root()) || path.metadata().unwrap().len() < MAX_BYTES
    });
    let mut tallies: BTreeMap<(bool, usize), Tally> = BTreeMap::new();
    for number in numbers() {
        let mut random = Random::new(number ^ 0x5eed);
        let path: &Path = &files[random.below(files.len())];
        let bytes = std::fs::read(path).unwrap();
        let kind = random.below(KINDS.len());
        let is_inside = random.below(3) == 0;
        let mut damaged = bytes.clone();
        let mut inside = None;
        if is_inside {
            inside = damaged_inside(&bytes, |inside| damage(inside, kind, &mut random));
        }
        let is_inside = inside.is_some();
        match inside {
            Some(inside) => damaged = inside,
            None => damage(&mut damaged, kind, &mut random),
        }
        let place = if is_inside {
            " behind its compression"
        } else {
            ""
        };
        let what = format!(
            "repair {number}: {}, {}{place}",
            path.display(),
            KINDS[kind]
        );
        eprintln!("{what}");
        let (original, _) = postgame::read(&bytes, &ReadOptions::default()).unwrap();
        let tally = tallies.entry((is_inside, kind)).or_default();
        tally.files += 1;
        let Some((repaired, outcome)) = repair_one(&what, &damaged) else {
            tally.unreadable += 1;
            continue;
        };
        let Some(verdict) = outcome.verdict else {
            tally.nothing_kept += 1;
            continue;
        };
        *tally.verdicts.entry(verdict.to_string()).or_default() += 1;
        let all = amount(&original).max(1);
        tally.kept_permille += (outcome.kept * 1000 / all).min(1000);
        // Slippi and the file beside a blueprint have no checksums: there only a claim can be wrong.
        let has_checksums = !matches!(
            original,
            Recording::Slippi(_) | Recording::SatisfactoryConfig(_)
        );
        let is_claimed = verdict == Verdict::Proven
            || (verdict == Verdict::Unchanged && has_checksums && !is_inside);
        if is_claimed {
            assert!(
                is_same(&repaired, &original),
                "{what}: {verdict}, but not the same"
            );
        }
    }
    for ((is_inside, kind), tally) in tallies {
        let Tally {
            files,
            unreadable,
            nothing_kept,
            verdicts,
            kept_permille,
        } = tally;
        let readable = (files - unreadable - nothing_kept).max(1);
        println!(
            "{game}\t{}\t{}\t{files} files\t{unreadable} unreadable\t{nothing_kept} with nothing kept\t{:.1} % kept of the others\t{verdicts:?}",
            KINDS[kind],
            if is_inside { "behind" } else { "in front" },
            kept_permille as f64 / readable as f64 / 10.0,
        );
    }
}
