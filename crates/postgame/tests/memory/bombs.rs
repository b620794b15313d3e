//! Small files that would take all memory, made with our own writers and compressors.

use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use postgame::limits::Limits;
use postgame::rumble::archive::Archive;
use postgame::rumble::model::Codec;
use postgame::satisfactory::model::level::Entry;
use postgame::satisfactory::model::object::Contents;
use postgame::satisfactory::model::value::Value;
use postgame::{Depth, Error, ReadOptions, Recording, Report};
use postgame_testing::corpus;
use postgame_testing::suite::Suite;

pub fn tests(suite: &mut Suite) {
    suite.test("bombs::budgets", budgets);
    suite.test("bombs::rumble", rumble);
    suite.test("bombs::manifests", manifests);
    suite.test("bombs::slippi", slippi);
    suite.test("bombs::satisfactory", satisfactory);
    suite.each_recording("budget", &[], the_default_budget_suffices);
}

/// What a budget does not count: windows of decompressors, findings. A list that grows is there twice for a moment, so
/// that the most is twice the budget and this much, in bytes.
const SLACK_BYTES: u64 = 24 << 20;

/// The dev profile takes seconds for the largest bombs on a busy machine; none may take minutes.
const PATIENCE: Duration = Duration::from_secs(100);

/// The most memory some work takes beyond what was held before, in bytes.
fn peak<T>(work: impl FnOnce() -> T) -> (u64, T) {
    let (bytes, result) = crate::peak(work);
    (bytes as u64, result)
}

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(corpus::sample(name)).unwrap()
}

/// Everything that is done with a recording.
fn use_it(recording: &mut Recording) {
    recording.check(&mut Report::default());
    let (timeline, _) = recording.analysis().into_parts();
    recording.probe(&timeline);
    recording.write_json(std::io::sink(), false).unwrap();
    drop(recording.repair(&ReadOptions::default()));
}

/// Reads a bomb at each depth and does everything with what comes out. The memory stays near the budget.
fn survive(name: &str, bytes: &[u8], max_memory_bytes: Option<u64>) -> Option<Error> {
    let limits = Limits { max_memory_bytes };
    let allowed = limits.memory_bytes(bytes.len() as u64);
    let start = Instant::now();
    let mut error = None;
    for depth in [Depth::Header, Depth::Index, Depth::Full] {
        let (reading, read) = peak(|| postgame::read(bytes, &ReadOptions { depth, limits }));
        assert!(
            reading <= 2 * allowed + SLACK_BYTES,
            "{name}: {depth:?} takes {} MiB, {} are allowed",
            reading >> 20,
            allowed >> 20
        );
        match read {
            Ok((mut recording, _)) if depth == Depth::Full => {
                let (using, ()) = peak(|| use_it(&mut recording));
                // What is made of a recording is a few times as large as it.
                assert!(
                    using <= 6 * allowed,
                    "{name}: using it takes {} MiB",
                    using >> 20
                );
            }
            Ok(_) => {}
            Err(failed) if depth == Depth::Full => error = Some(failed),
            Err(_) => {}
        }
    }
    eprintln!("{name}: {:.1?}", start.elapsed());
    assert!(start.elapsed() < PATIENCE, "{name}: {:?}", start.elapsed());
    error
}

/// A bomb must be refused, with a path, a place and what to do.
fn refused(name: &str, bytes: &[u8]) {
    let error = survive(name, bytes, None);
    let error = error.unwrap_or_else(|| panic!("{name}: {} bytes are read", bytes.len()));
    let text = error.to_string();
    assert!(error.is_out_of_memory(), "{name}: {text}");
    assert!(!error.path().is_empty(), "{name}: {text}");
    assert!(error.place().is_some(), "{name}: {text}");
    assert!(text.contains("--max-memory"), "{name}: {text}");
}

fn wrapped(payload: &[u8]) -> Vec<u8> {
    let compressed = Codec::Gzip.deflate(payload).unwrap();
    let sizes = [payload.len() as i32, compressed.len() as i32].map(i32::to_le_bytes);
    [b"RGZP", &sizes.concat()[..], &compressed].concat()
}

/// The first generation of RUMBLE: frames, structures, players as counted, then anything.
fn first_rumble(frames: i32, structures: i32, players: i32, rest: &[u8]) -> Vec<u8> {
    let mut payload = b"REPLAY\x01v\x01s\x01d".to_vec();
    for number in [frames, structures, 50, players] {
        payload.extend(number.to_le_bytes());
    }
    payload.extend(rest);
    wrapped(&payload)
}

fn second_rumble(manifest: &[u8], frames: &[u8]) -> Vec<u8> {
    let mut archive = Archive::new();
    archive
        .add("manifest.json", true)
        .replace(manifest)
        .unwrap();
    let packed = Codec::Brotli.deflate(frames).unwrap();
    archive.add("replay", false).replace(&packed).unwrap();
    archive.write().unwrap()
}

fn stream(frame: &[u8], count: usize) -> Vec<u8> {
    [b"RPLY".to_vec(), frame.repeat(count)].concat()
}

/// A frame of chunks, as the second generation of RUMBLE has it.
fn frame(chunks: i32, contents: &[u8]) -> Vec<u8> {
    let size = (contents.len() + 8) as i32;
    [
        &size.to_le_bytes()[..],
        &1f32.to_le_bytes(),
        &chunks.to_le_bytes(),
        contents,
    ]
    .concat()
}

fn rumble() {
    let zeros = vec![0; 200 << 20];
    refused("zeros in GZIP", &wrapped(&zeros));
    // Four bytes a frame, of a payload that is as large as is allowed.
    let (count, room) = (7 << 20, 28 << 20);
    survive(
        "empty frames",
        &first_rumble(count, 0, 0, &zeros[..room]),
        None,
    );
    // A byte for each player and frame; nobody ever moves.
    let player = [0; 26];
    let players = [&player.repeat(1000)[..], &[0; 4], &zeros[..room]].concat();
    survive("players", &first_rumble(count, 0, 1000, &players), None);
    refused(
        "a list of players",
        &first_rumble(1, 0, 2 << 20, &player.repeat(2 << 20)),
    );

    let manifest = br#"{"Version":"1"}"#;
    refused("zeros in Brotli", &second_rumble(manifest, &zeros));
    refused(
        "empty frames in Brotli",
        &second_rumble(manifest, &stream(&frame(0, &[]), 2 << 20)),
    );
    // Chunks of type 0 without fields: type, index, size.
    let chunks = frame(4 << 20, &[0; 9].repeat(4 << 20));
    refused("chunks", &second_rumble(manifest, &stream(&chunks, 1)));
    // One chunk of fields without values: id and size.
    let fields = [0xff, 0, 0].repeat(4 << 20);
    let chunk = [&[0; 5][..], &(fields.len() as i32).to_le_bytes(), &fields].concat();
    refused(
        "fields",
        &second_rumble(manifest, &stream(&frame(1, &chunk), 1)),
    );
}

fn manifests() {
    let frames = stream(&frame(0, &[]), 10);
    let spaces = [b"{".to_vec(), vec![b' '; 100 << 20], b"}".to_vec()].concat();
    let error = survive("spaces", &second_rumble(&spaces, &frames), None).unwrap();
    let text = error.to_string();
    assert!(text.contains("manifest.json: a manifest of"), "{text}");
    assert!(text.contains(" at 0x"), "{text}");
    let items = |item: &str, bytes: usize| {
        let items = item.repeat(bytes / item.len());
        format!("{{\"Players\":[{items}0]}}").into_bytes()
    };
    for item in [r#"{"":0},"#, "[],", "0,"] {
        let name = format!("a manifest of {item}");
        let megabyte = items(item, 1_000_000);
        survive(&name, &second_rumble(&megabyte, &frames), None);
        survive(&name, &second_rumble(&items(item, 100_000), &frames), None);
    }
    let deep = ["[".repeat(500_000), "]".repeat(500_000)].concat();
    survive("nesting", &second_rumble(deep.as_bytes(), &frames), None);
}

/// UBJSON lists of values that take no byte, each as long as the rest of the file.
fn slippi() {
    let mut bytes = sample("duel.slp");
    let metadata = b"U\x08metadata{";
    let at = bytes.windows(metadata.len()).rposition(|at| at == metadata);
    bytes.truncate(at.unwrap());
    bytes.extend(b"U\x08metadata{U\x01a[");
    let count = 20_000_i32;
    for index in 0..count {
        bytes.extend(b"[$Z#l");
        bytes.extend(((count - index - 1) * 9).to_be_bytes());
    }
    bytes.extend(b"]}}");
    refused("lists of nothing", &bytes);
}

/// A body behind the header of the sample, with another save version, in chunks as the game makes them.
fn save(version: i32, body: &[u8]) -> Vec<u8> {
    const TAG: u32 = 0x9e2a_83c1;
    let sample = sample("factory.sav");
    let tag = TAG.to_le_bytes();
    let header = sample.windows(4).position(|at| at == tag).unwrap();
    let mut file = sample[..header].to_vec();
    file[4..8].copy_from_slice(&version.to_le_bytes());
    for chunk in body.chunks(128 << 10) {
        let mut encoder =
            flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(chunk).unwrap();
        let packed = encoder.finish().unwrap();
        file.extend(TAG.to_le_bytes());
        file.extend(0u32.to_le_bytes());
        file.extend((128u64 << 10).to_le_bytes());
        for _ in 0..2 {
            file.extend((packed.len() as u64).to_le_bytes());
            file.extend((chunk.len() as u64).to_le_bytes());
        }
        file.extend(packed);
    }
    file
}

fn satisfactory() {
    let zeros = vec![0; 160 << 20];
    refused("a body of zeros", &save(30, &zeros));
    let body = |count: i32, rest: &[u8]| {
        let size = (rest.len() + 4) as i32;
        [&size.to_le_bytes()[..], &count.to_le_bytes(), rest].concat()
    };
    // Sixteen zeros are a level without anything.
    let levels = body(3 << 20, &zeros[..48 << 20]);
    refused("levels", &save(30, &levels));
    // And they are an object's header without anything, in saves that have no levels.
    let headers = body(3 << 20, &zeros[..48 << 20]);
    refused("objects", &save(25, &headers));

    // One property with a list that is long and of one value: megabytes as Rust has it.
    let (recording, _) = postgame::read(&sample("factory.sav"), &ReadOptions::default()).unwrap();
    let Recording::Satisfactory(mut save) = recording else {
        panic!()
    };
    let body = save.body.as_mut().unwrap();
    body.decode_all().unwrap();
    let levels = body.levels.iter_mut().chain(&mut body.persistent);
    let mut objects = levels.flat_map(|level| &mut level.objects);
    let long = objects.find_map(|entry| {
        let Entry::Loaded(object) = entry else {
            return None;
        };
        let Contents::Known(fields) = &mut object.data.as_mut()?.contents else {
            return None;
        };
        fields
            .properties
            .as_mut()?
            .0
            .iter_mut()
            .find_map(|property| {
                let Value::List(list) = &mut property.value else {
                    return None;
                };
                let item = list.items.first()?.clone();
                list.items.resize(2 << 20, item);
                Some(())
            })
    });
    assert!(long.is_some(), "the sample has no list");
    let bytes = postgame::satisfactory::write(&save).unwrap();
    survive("a long list", &bytes, None);
}

/// Whatever the budget: a recording takes no more than that, or is refused.
fn budgets() {
    let names = ["duel.replay", "bout.replay", "factory.sav", "duel.slp"];
    for name in names {
        let bytes = sample(name);
        let allowed = Limits::default().memory_bytes(bytes.len() as u64);
        assert!(survive(name, &bytes, Some(allowed)).is_none());
        for part in [2, 16, 128, 1024, 1 << 14, 1 << 18] {
            let error = survive(name, &bytes, Some(allowed / part));
            assert!(error.is_none_or(|error| error.is_out_of_memory()), "{name}");
        }
    }
}

/// The default budget suffices for every recording, by far.
fn the_default_budget_suffices(path: &Path) {
    let bytes = std::fs::read(path).unwrap();
    // The bodies of saves are in pages of their own, which the counting allocator does not see.
    let (seen, read) = peak(|| postgame::read(&bytes, &ReadOptions::default()));
    let unseen = match &read {
        Ok((Recording::Satisfactory(save), _)) => save.body.as_ref().unwrap().bytes().len(),
        Ok(_) => 0,
        Err(error) => {
            assert!(!error.is_out_of_memory(), "{error}");
            0
        }
    };
    let allowed = Limits::default().memory_bytes(bytes.len() as u64);
    let part = (seen + unseen as u64) as f64 / allowed as f64;
    assert!(part < 0.5, "{part:.2} of the budget");
}
