//! Samples and files of the corpus with a few places changed: bits, numbers, pieces left out or doubled; also behind their
//! compression, where a flipped bit never gets, and in their JSON. Nothing panics or hangs, and whatever can be read is
//! written back as it was.
//!
//! A hundred of each game in every run; `POSTGAME_MUTATIONS=FIRST..END cargo test --release --test corpus mutated` runs others, and a
//! failure tells its number.

use std::io::{Read as _, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::{GzDecoder, ZlibDecoder};
use flate2::write::{GzEncoder, ZlibEncoder};
use postgame::{Depth, ReadOptions, Recording, Report};

use postgame_testing::corpus;
use postgame_testing::suite::Suite;

pub fn tests(suite: &mut Suite) {
    for (game, extensions) in GAMES {
        suite.test(&format!("mutated::{game}"), move || {
            try_mutations(game, extensions)
        });
    }
}

/// Games with the extensions of their files. A RUMBLE replay in a folder of another name is among Rocket League's.
pub const GAMES: [(&str, &[&str]); 4] = [
    ("rocket-league", &["replay"]),
    ("rumble", &["replay"]),
    ("satisfactory", &["sav", "sbp", "sbpcfg"]),
    ("slippi", &["slp"]),
];

/// The samples of a game and its recordings in the corpus.
pub fn files(game: &str, extensions: &[&str]) -> Vec<PathBuf> {
    let mut files = corpus::all_samples(extensions);
    files.retain(|path| {
        let beginning = std::fs::read(path).unwrap();
        postgame::Format::sniff(&beginning).is_some_and(|format| format.id().starts_with(game))
    });
    assert!(!files.is_empty(), "{game} has samples");
    files.extend(corpus::files(game, extensions));
    files
}

/// The largest file that is taken: each is read half a dozen times.
const MAX_BYTES: u64 = 400_000;

/// xorshift: the same numbers in every run.
pub struct Random(u64);

impl Random {
    pub fn new(number: u64) -> Self {
        let mut random = Self(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..5 {
            random.below(2);
        }
        random
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// Numbers that readers stumble over, as whole ones or as single floats.
const NUMBERS: [u32; 9] = [
    0,
    1,
    u32::MAX,
    i32::MAX as u32,
    1 << 31,
    1 << 20,
    0x7fc0_0000,
    0x7f80_0000,
    0x7f7f_ffff,
];

/// Changes up to six places; every other one near the beginning, where the counts and names are.
fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..1 + random.below(6) {
        let part = if random.below(2) == 0 {
            4096
        } else {
            usize::MAX
        };
        let at = random.below(bytes.len().min(part));
        let other = random.below(bytes.len());
        let left = bytes.len() - at.max(other);
        match random.below(7) {
            0 | 1 => bytes[at] ^= 1 << random.below(8),
            2 => {
                let number = NUMBERS[random.below(NUMBERS.len())];
                let number = [number.to_le_bytes(), number.to_be_bytes()][random.below(2)];
                let end = (at + 4).min(bytes.len());
                bytes[at..end].copy_from_slice(&number[..end - at]);
            }
            3 => drop(bytes.drain(at..at + random.below(64).min(left))),
            4 => {
                let piece = bytes[other..other + random.below(256).min(left)].to_vec();
                drop(bytes.splice(at..at, piece));
            }
            5 => {
                let length = random.below(64).min(left);
                bytes.copy_within(other..other + length, at);
            }
            _ if random.below(4) == 0 => bytes.truncate(at.max(1)),
            _ => {
                let end = at + random.below(32).min(left);
                bytes[at..end].fill_with(|| random.below(256) as u8);
            }
        }
        if bytes.is_empty() {
            return;
        }
    }
}

/// The file with what is in its chunks or its GZIP member changed; `None` where it has none.
pub fn mutated_inside(bytes: &[u8], mut mutate: impl FnMut(&mut Vec<u8>)) -> Option<Vec<u8>> {
    const TAG: [u8; 4] = [0xc1, 0x83, 0x2a, 0x9e];
    let mut inside = Vec::new();
    if bytes.starts_with(b"RGZP") {
        GzDecoder::new(&bytes[12..]).read_to_end(&mut inside).ok()?;
        mutate(&mut inside);
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(&inside).unwrap();
        let packed = packed.finish().unwrap();
        let sizes = [inside.len(), packed.len()].map(|size| (size as u32).to_le_bytes());
        return Some([b"RGZP", sizes.as_flattened(), &packed].concat());
    }
    let start = bytes.windows(4).position(|word| word == TAG)?;
    let is_second_form = *bytes.get(start + 4)? != 0;
    let header = if is_second_form { 49 } else { 48 };
    let mut rest = &bytes[start..];
    while let Some(sizes) = rest.get(header - 16..header) {
        let size = u64::from_le_bytes(sizes[..8].try_into().unwrap()) as usize;
        let chunk = rest.get(header..header + size)?;
        ZlibDecoder::new(chunk).read_to_end(&mut inside).ok()?;
        rest = &rest[header + size..];
    }
    mutate(&mut inside);
    let mut out = bytes[..start].to_vec();
    for part in inside.chunks(128 << 10) {
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(part).unwrap();
        let packed = packed.finish().unwrap();
        // What a chunk's header says besides the sizes is as it was.
        out.extend_from_slice(&bytes[start..start + header - 32]);
        for size in [packed.len(), part.len(), packed.len(), part.len()] {
            out.extend_from_slice(&(size as u64).to_le_bytes());
        }
        out.extend_from_slice(&packed);
    }
    Some(out)
}

/// Changes up to forty numbers and flags of a text.
fn mutate_json(json: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..1 + random.below(40) {
        let at = random.below(json.len());
        let rest = &json[at..];
        match random.below(4) {
            0 => {
                if let Some(word) = rest.windows(4).position(|word| word == b"true") {
                    drop(json.splice(at + word..at + word + 4, *b"false"));
                }
            }
            more => {
                let Some(digit) = rest.iter().position(u8::is_ascii_digit) else {
                    continue;
                };
                json[at + digit] = b'0' + random.below(10) as u8;
                let longer = if more == 1 { random.below(9) } else { 0 };
                let digits = (0..longer).map(|_| b'1' + random.below(9) as u8);
                drop(json.splice(at + digit..at + digit, digits.collect::<Vec<u8>>()));
            }
        }
    }
}

/// Everything that can be asked of a recording.
fn ask(recording: &Recording) {
    recording.check(&mut Report::default());
    recording.summary();
    let (timeline, _) = recording.analysis().into_parts();
    recording.probe(&timeline);
    for entity in timeline.entities.iter().take(9) {
        for time_s in [f64::NAN, -1.0, 0.0, 10.0, f64::INFINITY] {
            entity.position(time_s);
        }
    }
}

fn json(recording: &Recording) -> Vec<u8> {
    let mut json = Vec::new();
    recording.write_json(&mut json, false).unwrap();
    json
}

fn check_file(what: &str, bytes: &[u8]) {
    let read = |depth| {
        let options = ReadOptions {
            depth,
            ..ReadOptions::default()
        };
        postgame::read(bytes, &options).map(|(recording, _)| recording)
    };
    if let Ok(mut recording) = read(Depth::Full) {
        let written = recording.write();
        assert!(written.unwrap() == bytes, "{what}: another file");
        let back = Recording::read_json(json(&recording).as_slice());
        let back = back.unwrap_or_else(|error| panic!("{what}: {error}"));
        assert!(
            back.write().unwrap() == bytes,
            "{what}: another file from its JSON"
        );
        ask(&recording);
        drop(recording.repair(&ReadOptions::default()));
        drop(recording.write());
    }
    // Damage in what the index skips is an error of whoever asks for it.
    if let Ok(written) = read(Depth::Index).and_then(|recording| recording.write()) {
        assert!(written == bytes, "{what}: another file from its index");
    }
    drop(read(Depth::Header));
}

/// Which mutations are tried.
fn numbers() -> Range<u64> {
    let Ok(range) = std::env::var("POSTGAME_MUTATIONS") else {
        return 0..100;
    };
    let (first, end) = range.split_once("..").expect("FIRST..END");
    first.parse().expect("FIRST")..end.parse().expect("END")
}

fn try_mutations(game: &str, extensions: &[&str]) {
    let mut files = files(game, extensions);
    files.retain(|path| path.metadata().unwrap().len() < MAX_BYTES);
    for number in numbers() {
        let mut random = Random::new(number);
        let path: &Path = &files[random.below(files.len())];
        let what = format!("mutation {number} of {}", path.display());
        // A panic ends the test, and this is all there is to tell which.
        eprintln!("{what}");
        let mut bytes = std::fs::read(path).unwrap();
        match random.below(4) {
            0 => {
                let (recording, _) = postgame::read(&bytes, &ReadOptions::default()).unwrap();
                let mut json = json(&recording);
                mutate_json(&mut json, &mut random);
                if let Ok(recording) = Recording::read_json(json.as_slice()) {
                    ask(&recording);
                    drop(recording.write());
                }
                continue;
            }
            1 => mutate(&mut bytes, &mut random),
            _ => match mutated_inside(&bytes, |inside| mutate(inside, &mut random)) {
                Some(mutated) => bytes = mutated,
                None => mutate(&mut bytes, &mut random),
            },
        }
        check_file(&what, &bytes);
    }
}
