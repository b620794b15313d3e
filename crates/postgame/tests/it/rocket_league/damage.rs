//! Damaged replays: cut anywhere, with any bit flipped. Whatever can be read is written back
//! as it was, and frames before the damage are kept.

use std::path::PathBuf;

use postgame::rocket_league::{self, Replay};
use postgame::{Error, Format, ReadOptions, Recording, Repair, Report};

use super::read;
use crate::corpus;

/// Three short replays of different eras, each with several keyframes.
fn short_replays() -> Option<Vec<PathBuf>> {
    let folder = corpus::folder()?.join("rocket-league");
    Some(
        ["9704", "SHORT_SAMPLE", "3cdd"]
            .map(|name| folder.join(format!("{name}.replay")))
            .into(),
    )
}

pub fn frames(replay: &Replay) -> usize {
    replay
        .body
        .as_ref()
        .map_or(0, |body| body.network.frame_count())
}

/// What every input must give: an error that says where, or a replay that is written back as it was.
pub fn read_any(what: &str, bytes: &[u8]) -> Result<(Replay, Report), Error> {
    match postgame::read(bytes, &ReadOptions::default()) {
        Ok((Recording::RocketLeague(replay), mut report)) => {
            let written =
                rocket_league::write(&replay).unwrap_or_else(|error| panic!("{what}: {error}"));
            assert!(
                written == bytes,
                "{what}: written back as something else; {report:?}"
            );
            rocket_league::check(&replay, &mut report);
            rocket_league::summary(&replay);
            Ok((replay, report))
        }
        Ok(_) => panic!("{what}: read as another game's"),
        Err(error) => {
            // Without a format it was not even recognised.
            if error.format().is_some() {
                assert_eq!(error.format(), Some(Format::RocketLeague), "{what}");
                assert!(error.place().is_some(), "{what}: {error}");
            }
            Err(error)
        }
    }
}

#[test]
fn the_files_of_fuzzers_are_read_as_far_as_they_go() {
    let Some(folder) = corpus::folder() else {
        return;
    };
    let mut seen = 0;
    for entry in std::fs::read_dir(folder.join("bad")).unwrap() {
        let path = entry.unwrap().path();
        if !path
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .starts_with("rocket-league")
        {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let what = path.display().to_string();
        let (replay, report) =
            read_any(&what, &bytes).unwrap_or_else(|error| panic!("{what}: {error}"));
        println!(
            "{what}: {} frames, {:?}",
            frames(&replay),
            report.findings().first()
        );
        assert!(!report.is_clean(), "{what}");
        rocket_league::timeline(&replay);
        seen += 1;
    }
    assert_eq!(seen, 3);
}

/// The number of actors there can be decides how many bits an actor takes, also where there can be none.
#[test]
fn any_number_of_channels_is_written_back() {
    let Some(folder) = corpus::folder() else {
        return;
    };
    let mut seen = 0;
    for entry in std::fs::read_dir(folder.join("rocket-league")).unwrap() {
        let path = entry.unwrap().path();
        let mut bytes = std::fs::read(&path).unwrap();
        let name = b"MaxChannels\0";
        let found = bytes.windows(name.len()).position(|part| part == name);
        let Some(at) = found.filter(|_| bytes.len() < 300_000) else {
            continue;
        };
        // Its type's length and name, its size.
        let at = at + name.len() + 4 + b"IntProperty\0".len() + 8;
        for channels in [0, -1, 1, 2, i32::MIN, i32::MAX] {
            bytes[at..at + 4].copy_from_slice(&i32::to_le_bytes(channels));
            let what = format!("{} with {channels} channels", path.display());
            read_any(&what, &bytes).unwrap_or_else(|error| panic!("{what}: {error}"));
            seen += 1;
        }
    }
    assert!(seen > 20, "only {seen}");
}

/// Statistics look at the cars every tenth of a second, but not for longer than any match takes.
#[test]
fn a_damaged_clock_does_not_stop_the_statistics() {
    let Some(paths) = short_replays() else {
        return;
    };
    for path in paths {
        for time_s in [1e30, -1e30] {
            let (_, replay, _) = read(&path);
            let mut json = serde_json::to_value(&replay).unwrap();
            let blocks = json["body"]["network"]["blocks"].as_array_mut().unwrap();
            let frames = blocks.last_mut().unwrap()["frames"].as_array_mut().unwrap();
            frames.last_mut().unwrap()["time_s"] = time_s.into();
            let replay: Replay = serde_json::from_value(json).unwrap();
            let timeline = rocket_league::timeline(&replay);
            let start = std::time::Instant::now();
            rocket_league::stats(&timeline);
            let took = start.elapsed();
            assert!(took.as_secs() < 30, "{}: {took:?}", path.display());
        }
    }
}

#[test]
fn every_997th_prefix() {
    let Some(mut files) = short_replays() else {
        return;
    };
    files.push(files[0].with_file_name("d9d9.replay"));
    for path in files {
        let bytes = std::fs::read(&path).unwrap();
        let header_size = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
        for length in (0..bytes.len()).step_by(997) {
            let what = format!("{} cut to {length} bytes", path.display());
            let read = read_any(&what, &bytes[..length]);
            if let Ok((_, report)) = &read {
                assert!(!report.is_clean(), "{what}: nothing was found missing");
            }
            // Beyond the header each one at least has the header's facts.
            if length >= header_size + 8 {
                assert!(read.unwrap().0.stated_frames().is_some(), "{what}");
            }
        }
    }
}

/// The tables come after the frames: once the last attribute is there, so are all frames.
#[test]
fn all_frames_are_there_when_only_the_end_is_missing() {
    let Some(files) = short_replays() else { return };
    for path in files {
        let (bytes, whole, _) = read(&path);
        let tail = whole.body.as_ref().unwrap().camera_track.is_some();
        for missing in 1..=if tail { 4 } else { 0 } {
            let (replay, report) = read_any("cut", &bytes[..bytes.len() - missing]).unwrap();
            assert_eq!(frames(&replay), frames(&whole));
            assert!(!report.is_clean());
        }
    }
}

#[test]
fn five_thousand_flipped_bits_of_each() {
    let Some(files) = short_replays() else { return };
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    for path in files {
        let (original, whole, _) = read(&path);
        let starts = rocket_league::frame_positions(&whole).unwrap();
        let header = u32::from_le_bytes(original[..4].try_into().unwrap()) as usize;
        let stream = stream_offset(&original, header);
        let (mut failed, mut found, mut resumed) = (0, 0, 0);
        for _ in 0..5_000 {
            // xorshift: the same bits in every run.
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let bit = (random % (original.len() as u64 * 8)) as usize;
            let mut bytes = original.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let what = format!("{} with bit {bit} flipped", path.display());
            match read_any(&what, &bytes) {
                Err(_) => failed += 1,
                Ok((replay, report)) => {
                    assert!(!report.is_clean(), "{what}: the checksum is wrong at least");
                    found += 1;
                    let Some(inside) = (bit as u64).checked_sub(stream as u64 * 8) else {
                        continue;
                    };
                    // The frames before the one with the bit, if the bit is in the stream.
                    let before = starts
                        .partition_point(|start| start.1 <= inside)
                        .saturating_sub(1);
                    let is_in_stream = inside < rocket_league::stream_bits(&whole).unwrap();
                    if is_in_stream {
                        let network = &replay.body.as_ref().unwrap().network;
                        assert!(
                            network.frame_count() >= before,
                            "{what}: {} of {before} frames",
                            network.frame_count()
                        );
                        let same = network
                            .frames()
                            .zip(whole.body.as_ref().unwrap().network.frames())
                            .take(before)
                            .all(|(one, other)| {
                                (one.number, one.time_s) == (other.number, other.time_s)
                            });
                        assert!(same, "{what}: frames before the damage changed");
                        resumed += usize::from(network.gaps().next().is_some());
                    }
                }
            }
        }
        println!(
            "{}: {failed} errors, {found} findings, {resumed} times around a gap",
            path.display()
        );
        assert!(
            found > 4_900,
            "{}: {found} findings, {failed} errors",
            path.display()
        );
        assert!(resumed > 100, "{}: {resumed}", path.display());
    }
}

/// Where the stream begins in a file.
fn stream_offset(bytes: &[u8], header: usize) -> usize {
    let int = |at: usize| i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let mut at = 16 + header;
    let levels = int(at);
    at += 4;
    for _ in 0..levels {
        let length = int(at);
        at += 4 + if length < 0 { -2 * length } else { length } as usize;
    }
    at + 4 + 12 * int(at) as usize + 4
}

/// What `read` and `check` find in a file whose model was changed.
fn codes(path: &std::path::Path, change: impl FnOnce(&mut Replay)) -> Vec<&'static str> {
    let (_, mut replay, _) = read(path);
    change(&mut replay);
    let bytes = rocket_league::write(&replay).unwrap();
    let (_, report) = read_any("changed", &bytes).unwrap();
    report
        .findings()
        .iter()
        .map(|finding| finding.code)
        .collect()
}

#[test]
fn each_contradiction_is_found_and_repaired() {
    let Some(files) = short_replays() else { return };
    let path = &files[1];
    let count = frames(&read(path).1) as i32;
    assert!(codes(path, |_| {}).is_empty());
    type Change = fn(&mut Replay);
    let changes: [(&str, Change); 8] = [
        ("crc", |replay| replay.header.stated.crc = Some(7)),
        ("crc", |replay| {
            replay.body.as_mut().unwrap().stated.crc = Some(7)
        }),
        ("size", |replay| {
            replay.body.as_mut().unwrap().stated.size = Some(7)
        }),
        ("property-size", |replay| {
            replay.header.properties.0[0].stated_size = Some(99)
        }),
        ("keyframe", |replay| {
            replay.body.as_mut().unwrap().keyframes[2].position_bits += 1
        }),
        ("frame-index", |replay| {
            replay.body.as_mut().unwrap().tick_marks[0].frame = 1 << 20
        }),
        ("trailing", |replay| {
            replay.after = b"more".as_slice().into()
        }),
        ("net-cache", |replay| {
            let caches = &mut replay.body.as_mut().unwrap().net_caches;
            caches
                .iter_mut()
                .find(|cache| cache.first_id > 0)
                .unwrap()
                .first_id -= 1;
        }),
    ];
    for (code, change) in changes {
        let found = codes(path, change);
        assert!(found.contains(&code), "{code}: {found:?}");
    }
    // Fewer and more frames than there are.
    let fewer = |replay: &mut Replay| {
        replay.header.properties.set_int("NumFrames", 100);
    };
    assert!(codes(path, fewer).contains(&"rest"));
    let (_, mut replay, _) = read(path);
    replay.header.properties.set_int("NumFrames", count + 5);
    replay.header.stated.crc = Some(1);
    replay.body.as_mut().unwrap().keyframes[1].position_bits = 0;
    replay.after = b"more".as_slice().into();
    let bytes = rocket_league::write(&replay).unwrap();
    let (mut replay, report) = read_any("broken", &bytes).unwrap();
    let codes: Vec<_> = report
        .findings()
        .iter()
        .map(|finding| finding.code)
        .collect();
    for code in ["frame-count", "crc", "keyframe", "trailing"] {
        assert!(codes.contains(&code), "{code}: {codes:?}");
    }
    let mut done = Repair::default();
    rocket_league::repair(&mut replay, &mut done);
    assert!(done.steps.len() >= 4, "{done:?}");
    let mended = rocket_league::write(&replay).unwrap();
    let (replay, report) = read_any("mended", &mended).unwrap();
    assert!(report.is_clean(), "{report:?}");
    assert_eq!(frames(&replay) as i32, count);
    assert_eq!(
        mended,
        std::fs::read(path).unwrap(),
        "repaired to what it was"
    );
}
