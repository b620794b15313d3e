//! Whole files of any format, and everything derived from them.

use postgame::limits::Limits;
use postgame::timeline::Timeline;
use postgame::{Depth, Format, ReadOptions, Recording, Report, Severity, gltf};

/// Enough memory for the contents of a few kilobytes; larger ones are decompression bombs, which have their own tests.
const MAX_MEMORY_BYTES: u64 = 16 << 20;

/// The options with which a target reads.
pub fn options(depth: Depth) -> ReadOptions {
    ReadOptions {
        depth,
        limits: Limits::with_memory(MAX_MEMORY_BYTES),
    }
}

fn read(bytes: &[u8], depth: Depth) -> Option<(Recording, Report)> {
    postgame::read(bytes, &options(depth)).ok()
}

/// Every readable file is written back unchanged, at every depth.
pub fn file(bytes: &[u8]) {
    if let Some((recording, mut report)) = read(bytes, Depth::Full) {
        let written = recording.write().expect("what was read can be written");
        assert!(written == bytes, "another file");
        recording.check(&mut report);
        recording.summary();
    }
    // Other formats have no index. Damage in skipped data is an error when that data is requested.
    if Format::sniff(bytes) == Some(Format::Satisfactory)
        && let Some(written) = read(bytes, Depth::Index).and_then(|(index, _)| index.write().ok())
    {
        assert!(written == bytes, "another file from the index");
    }
    if let Some((header, _)) = read(bytes, Depth::Header) {
        header.summary();
    }
}

/// The JSON of a file converts back to the same file.
pub fn file_to_json(bytes: &[u8]) {
    let Some((recording, _)) = read(bytes, Depth::Full) else {
        return;
    };
    let mut json = Vec::new();
    let written = recording.write_json(&mut json, false);
    written.expect("what was read can be written as JSON");
    let back = Recording::read_json(json.as_slice()).expect("our own JSON can be read");
    let written = back.write().expect("what was read can be written");
    assert!(written == bytes, "another file from its JSON");
}

/// Any JSON gives a readable file, or an error.
pub fn json_to_file(text: &[u8]) {
    let Ok(recording) = Recording::read_json(text) else {
        return;
    };
    recording.check(&mut Report::default());
    recording.summary();
    let (timeline, _) = recording.analysis().into_parts();
    recording.probe(&timeline);
    if let Ok(bytes) = recording.write() {
        drop(read(&bytes, Depth::Full));
    }
}

/// A repaired file can be written and read, and none of it is lost.
pub fn repair(bytes: &[u8]) {
    let Some((mut recording, _)) = read(bytes, Depth::Full) else {
        return;
    };
    // Too little of it may be left.
    if recording.repair(&ReadOptions::default()).is_err() {
        return;
    }
    let repaired = recording
        .write()
        .expect("a repaired recording can be written");
    let (again, mut report) = read(&repaired, Depth::Full).expect("a repaired file can be read");
    again.check(&mut report);
    let lost = |finding: &&postgame::Finding| finding.severity == Severity::Lost;
    let lost = report.findings().iter().find(lost);
    assert!(lost.is_none(), "after repairing: {}", lost.expect("some"));
}

/// Times in a timeline that can trip a reader.
const TIMES_S: [f64; 6] = [f64::NAN, f64::NEG_INFINITY, -1.0, 0.0, 10.0, f64::INFINITY];

/// A timeline is in order for any file, and can be queried at any time.
pub fn timeline(bytes: &[u8]) {
    let Some((recording, _)) = read(bytes, Depth::Full) else {
        return;
    };
    let (timeline, stats) = recording.analysis().into_parts();
    if let Some(stats) = stats {
        serde_json::to_vec(&stats).expect("statistics can be written as JSON");
    }
    recording.probe(&timeline);
    check_order(&timeline);
    for time_s in TIMES_S {
        for (_, entity) in timeline.present_at(time_s) {
            for column in entity.tracks.iter().flat_map(|track| &track.columns) {
                entity.sample(column.name, time_s);
            }
        }
    }
    drop(timeline.slice(0.0, 1.0));
}

fn check_order(timeline: &Timeline) {
    for entity in &timeline.entities {
        if let Some(parent) = entity.parent {
            assert!(
                parent.0 < timeline.entities.len(),
                "a parent that is not there"
            );
        }
        for track in &entity.tracks {
            let is_sorted = !track.times_s.windows(2).any(|pair| pair[0] > pair[1]);
            assert!(is_sorted, "the samples of {} are not in order", entity.name);
            for column in &track.columns {
                let (values, times) = (column.values.len(), track.times_s.len());
                assert_eq!(values, times, "{} of {}", column.name, entity.name);
            }
        }
    }
    let is_sorted = !timeline
        .events
        .windows(2)
        .any(|pair| pair[0].time_s > pair[1].time_s);
    assert!(is_sorted, "the events are not in order");
}

/// A glTF file has the length it states, and its JSON part is valid JSON.
pub fn gltf(bytes: &[u8]) {
    let Some((recording, _)) = read(bytes, Depth::Full) else {
        return;
    };
    let Ok(file) = gltf::write(&recording.timeline(), &gltf::Options::default()) else {
        return;
    };
    let word = |at: usize| {
        let word = file[at..at + 4].try_into().expect("four bytes");
        u32::from_le_bytes(word) as usize
    };
    assert_eq!(&file[..4], b"glTF");
    assert_eq!(word(8), file.len());
    let json = &file[20..20 + word(12)];
    let json: serde_json::Value = serde_json::from_slice(json).expect("JSON");
    assert_eq!(json["asset"]["version"], "2.0");
}
