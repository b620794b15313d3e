//! Damaged RUMBLE replays: cut anywhere, with any bit flipped. Whatever can be read is written back as it was.

use postgame::rumble::model::Replay;
use postgame::rumble::model::fields::Value;
use postgame::rumble::rr::Body;
use postgame::{Error, Format, ReadOptions, Recording, Report, Verdict};

use crate::corpus;

/// The samples cut down to their first frames, so that every prefix can be tried.
fn short_replays() -> Vec<(String, Vec<u8>)> {
    let mut short = Vec::new();
    for path in corpus::samples("bout") {
        let bytes = std::fs::read(&path).unwrap();
        let (recording, _) = postgame::read(&bytes, &ReadOptions::default()).unwrap();
        let Recording::Rumble(mut replay) = recording else {
            continue;
        };
        match &mut replay {
            Replay::First(replay) => {
                let frames = replay.frames.as_mut().unwrap();
                frames.times_s.truncate(60);
                for (flags, per_frame) in [
                    (&mut frames.structures.flags, frames.structures.per_frame),
                    (&mut frames.players.flags, frames.players.per_frame),
                ] {
                    flags.truncate(60 * per_frame);
                }
                let changed = |flags: &[u8]| flags.iter().filter(|flag| **flag == 1).count();
                frames
                    .structures
                    .states
                    .truncate(changed(&frames.structures.flags));
                frames
                    .players
                    .states
                    .truncate(changed(&frames.players.flags));
            }
            Replay::Second(replay) => {
                replay.stream.as_mut().unwrap().frames.truncate(60);
                replay.manifest.values["FrameCount"] = 60.into();
            }
            Replay::Rr(replay) => {
                let Some(Body::Updates(updates)) = &mut replay.body else {
                    panic!()
                };
                updates.0.truncate(60);
            }
        }
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        short.push((name, Recording::Rumble(replay).write().unwrap()));
    }
    assert_eq!(short.len(), 4, "one sample of each layout");
    short
}

/// What every input must give: an error that says where, or a recording that is written back as it was, with all that
/// reading and checking found.
fn read_any(what: &str, bytes: &[u8]) -> Result<(Recording, Report), Error> {
    let read = postgame::read(bytes, &ReadOptions::default());
    match read {
        Ok((recording, mut report)) => {
            let written = recording
                .write()
                .unwrap_or_else(|error| panic!("{what}: {error}"));
            assert!(
                written == bytes,
                "{what}: written back as something else; {report:?}"
            );
            recording.check(&mut report);
            recording.timeline();
            recording.summary();
            Ok((recording, report))
        }
        Err(error) => {
            // Without a format it was not even recognised: the first letters are gone.
            if error.format().is_some() {
                assert_eq!(error.format(), Some(Format::Rumble), "{what}");
                assert!(error.place().is_some(), "{what}: {error}");
            }
            Err(error)
        }
    }
}

/// Through JSON it is the same file, too: also one that is wrong about what it holds.
fn check_json(what: &str, recording: &Recording, bytes: &[u8]) {
    let mut json = Vec::new();
    recording.write_json(&mut json, false).unwrap();
    let back =
        Recording::read_json(json.as_slice()).unwrap_or_else(|error| panic!("{what}: {error}"));
    let written = back
        .write()
        .unwrap_or_else(|error| panic!("{what}: {error}"));
    assert!(written == bytes, "{what}: another file from its JSON");
}

fn frames(recording: &Recording) -> usize {
    let Recording::Rumble(replay) = recording else {
        panic!()
    };
    match replay {
        Replay::First(replay) => replay.frames.as_ref().map_or(0, |frames| frames.len()),
        Replay::Second(replay) => replay
            .stream
            .as_ref()
            .map_or(0, |stream| stream.frames.len()),
        Replay::Rr(replay) => match &replay.body {
            Some(Body::Updates(updates)) => updates.0.len(),
            Some(Body::Elements(frames)) => frames.frames.len(),
            None => 0,
        },
    }
}

/// A `.rr` file with this many frames is read in its own layout only.
const SURE_FRAMES: usize = 8;

#[test]
fn every_prefix_gives_its_whole_frames_or_says_where_it_ends() {
    for (name, bytes) in short_replays() {
        let (mut partial, mut most) = (0, 0);
        for length in 0..bytes.len() {
            let what = format!("{name} cut to {length} bytes");
            let Ok((recording, report)) = read_any(&what, &bytes[..length]) else {
                continue;
            };
            // Nothing says how many updates a .rr file has: one that ends after an update is whole.
            let is_whole =
                name.ends_with(".rr") && recording.write().is_ok_and(|_| report.is_clean());
            assert!(
                is_whole || !report.is_clean(),
                "{what}: nothing was found missing"
            );
            let frames = frames(&recording);
            // The beginning of a .rr file can be read in the layout of the other version, too, with a few frames more.
            let is_guess = name.ends_with(".rr") && most < SURE_FRAMES;
            assert!(
                frames >= most || is_guess || length > bytes.len() / 2,
                "{what}: fewer frames than a shorter file gave"
            );
            most = most.max(frames);
            partial += 1;
        }
        assert!(most > 30, "{name}: at most {most} of 60 frames were saved");
        assert!(
            partial > bytes.len() / 4,
            "{name}: only {partial} prefixes gave anything"
        );
    }
}

/// Of the whole samples not every prefix: each is inflated, and there are two hundred thousand.
#[test]
fn many_prefixes_of_the_whole_samples() {
    for path in corpus::samples("bout") {
        let bytes = std::fs::read(&path).unwrap();
        for length in (0..bytes.len()).step_by(331) {
            let what = format!("{} cut to {length} bytes", path.display());
            if let Ok((_, report)) = read_any(&what, &bytes[..length])
                && path.extension().is_none_or(|extension| extension != "rr")
            {
                assert!(!report.is_clean(), "{what}: nothing was found missing");
            }
        }
    }
}

#[test]
fn ten_thousand_flipped_bits() {
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    for (name, original) in short_replays() {
        let (mut failed, mut found) = (0, 0);
        for _ in 0..5_000 {
            // xorshift: the same bits in every run.
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let bit = (random % (original.len() as u64 * 8)) as usize;
            let mut bytes = original.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let what = format!("{name} with bit {bit} flipped");
            match read_any(&what, &bytes) {
                Ok((recording, report)) => {
                    found += usize::from(!report.is_clean());
                    check_json(&what, &recording, &bytes);
                }
                Err(_) => failed += 1,
            }
        }
        // A .rr file has no checksum and is mostly floats, of which any bits are a number.
        let least = if name.ends_with(".rr") { 500 } else { 4_000 };
        assert!(
            found + failed > least,
            "{name}: {found} findings and {failed} errors from 5,000 flips"
        );
    }
}

/// Whoever writes a model's JSON can make a field of another kind than it is in the frames before.
#[test]
fn a_field_of_another_kind_has_no_place_on_its_track() {
    for (_, bytes) in short_replays() {
        let (recording, _) = postgame::read(&bytes, &ReadOptions::default()).unwrap();
        let Recording::Rumble(Replay::Second(mut replay)) = recording else {
            continue;
        };
        let mut changed = 0;
        for frame in &mut replay.stream.as_mut().unwrap().frames[30..] {
            let fields = frame.chunks.iter_mut().flat_map(|chunk| &mut chunk.fields);
            for field in fields {
                if let Value::Rotation(_) | Value::Vector(_) = field.value {
                    field.value = Value::F32(1.0);
                    changed += 1;
                }
            }
        }
        assert!(changed > 100, "{changed}");
        let timeline = Recording::Rumble(Replay::Second(replay)).timeline();
        for track in timeline.entities.iter().flat_map(|entity| &entity.tracks) {
            for column in &track.columns {
                assert_eq!(column.values.len(), track.times_s.len(), "{}", column.name);
            }
        }
        return;
    }
    panic!("no sample of the second generation");
}

#[test]
fn a_repaired_file_is_clean_and_has_what_was_left() {
    for (name, bytes) in short_replays() {
        let cut = &bytes[..bytes.len() * 3 / 4];
        let (mut recording, report) = read_any(&name, cut).unwrap();
        assert!(!report.is_clean());
        let saved = frames(&recording);
        assert!(saved > 10, "{name}: {saved} frames");
        let done = recording.repair(&ReadOptions::default()).unwrap();
        assert_eq!(done.verdict(), Verdict::Lost, "{name}: {done:?}");
        let mended = recording.write().unwrap();
        let (recording, mut report) = postgame::read(&mended, &ReadOptions::default()).unwrap();
        recording.check(&mut report);
        assert!(report.is_clean(), "{name}: {report:?}");
        assert_eq!(frames(&recording), saved);
    }
}

#[test]
fn the_header_alone_tells_the_same() {
    for path in corpus::samples("bout")
        .into_iter()
        .chain(corpus::files("rumble", &["replay"]).into_iter().flatten())
    {
        let bytes = std::fs::read(&path).unwrap();
        let (header, _) = postgame::read(&bytes, &ReadOptions::header()).unwrap();
        let (full, _) = postgame::read(&bytes, &ReadOptions::default()).unwrap();
        let (mut one, other) = (header.summary(), full.summary());
        if path.extension().is_some_and(|extension| extension == "rr") {
            // Only the updates tell how long it is.
            one.duration_s = other.duration_s;
            one.frames = other.frames;
        }
        // The length is the last frame's time, or what the frame rate says: they differ by a frame or two.
        let difference = one.duration_s.unwrap() - other.duration_s.unwrap();
        assert!(difference.abs() < 0.1, "{}: {difference}", path.display());
        one.duration_s = other.duration_s;
        assert_eq!(one, other, "{}", path.display());
        assert!(
            header
                .write()
                .unwrap_err()
                .to_string()
                .contains("only the header was read")
        );
    }
}
