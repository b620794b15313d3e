//! What holds of every recording, of whichever game.

use std::io::Cursor;
use std::path::Path;

use postgame::limits::Limits;
use postgame::timeline::Timeline;
use postgame::{ReadOptions, Recording, Report, Verdict};
use postgame_testing::suite::Suite;
use postgame_testing::{compare, corpus};

pub fn tests(suite: &mut Suite) {
    suite.each_recording("recording", &[], everything_holds);
    suite.each(
        "damaged",
        corpus::damaged(),
        damage_is_an_error_or_a_finding,
    );
}

/// One reading serves all properties: decoding is what takes the time.
fn everything_holds(path: &Path) {
    let bytes = std::fs::read(path).unwrap();
    let (recording, mut report) = match postgame::read(&bytes, &ReadOptions::default()) {
        Ok(read) => read,
        // Someone's folder may have files that are damaged or of other programs. What the manifest lists can be read.
        Err(error) => {
            let name = corpus::short_name(path);
            let is_listed = corpus::manifest().iter().any(|entry| entry.path == name);
            assert!(!is_listed && !name.starts_with("samples/"), "{error}");
            assert!(
                error.format().is_none() || error.place().is_some(),
                "{error}"
            );
            return;
        }
    };
    comes_back(&recording, &bytes);
    less_can_be_read(&recording, &bytes);
    recording.check(&mut report);
    let (timeline, _) = recording.analysis().into_parts();
    is_in_order(&timeline);
    recording.probe(&timeline);
    if report.is_clean() {
        is_left_alone(recording, &bytes);
    }
}

/// The file is written back identical, from the model and from its JSON.
fn comes_back(recording: &Recording, bytes: &[u8]) {
    let written = recording.write().unwrap();
    assert_eq!(compare::bytes(&written, bytes), None);
    let mut json = Vec::new();
    recording.write_json(&mut json, false).unwrap();
    let back = Recording::read_json(&json[..]).unwrap();
    assert_eq!(
        compare::bytes(&back.write().unwrap(), bytes),
        None,
        "from JSON"
    );
}

/// The header alone tells the same from memory and from a file, and the index alone is written back identical.
fn less_can_be_read(recording: &Recording, bytes: &[u8]) {
    let (header, _) = postgame::read(bytes, &ReadOptions::header()).unwrap();
    assert_eq!(header.format(), recording.format());
    let limits = Limits::default();
    let (from_file, _) = postgame::read_header(Cursor::new(bytes), &limits).unwrap();
    assert_eq!(from_file.summary(), header.summary());
    let (index, _) = postgame::read(bytes, &ReadOptions::index()).unwrap();
    let written = index.write().unwrap();
    assert_eq!(compare::bytes(&written, bytes), None, "from the index");
}

/// Times never go back, columns are as long as their track, and intervals do not overlap.
fn is_in_order(timeline: &Timeline) {
    for entity in &timeline.entities {
        let place = &entity.name;
        for track in &entity.tracks {
            assert!(track.times_s.is_sorted(), "{place}: times go back");
            for column in &track.columns {
                let length = column.values.len();
                assert_eq!(length, track.times_s.len(), "{place}.{}", column.name);
            }
        }
        let intervals = entity.presence.intervals();
        assert!(
            intervals.iter().all(|(from_s, to_s)| from_s <= to_s),
            "{place}"
        );
        assert!(intervals.is_sorted(), "{place}: {intervals:?}");
    }
    let times: Vec<f64> = timeline.events.iter().map(|event| event.time_s).collect();
    assert!(times.is_sorted(), "events go back");
}

/// Repairing a sound file changes nothing.
fn is_left_alone(mut recording: Recording, bytes: &[u8]) {
    let done = recording.repair(&ReadOptions::default()).unwrap();
    assert_eq!(done.verdict(), Verdict::Unchanged, "{done:?}");
    assert_eq!(
        compare::bytes(&recording.write().unwrap(), bytes),
        None,
        "repaired"
    );
}

/// A damaged file is an error with a place, or a part of the recording and a finding; what was read is written back.
fn damage_is_an_error_or_a_finding(path: &Path) {
    let bytes = std::fs::read(path).unwrap();
    match postgame::read(&bytes, &ReadOptions::default()) {
        Ok((recording, mut report)) => {
            assert!(!report.is_clean(), "nothing is found wrong");
            assert_eq!(compare::bytes(&recording.write().unwrap(), &bytes), None);
            recording.check(&mut report);
            let (timeline, _) = recording.analysis().into_parts();
            recording.probe(&timeline);
        }
        Err(error) => {
            assert!(
                error.format().is_none() || error.place().is_some(),
                "{error}"
            );
        }
    }
    drop(postgame::read(&bytes, &ReadOptions::header()));
    let mut report = Report::default();
    if let Ok((index, _)) = postgame::read(&bytes, &ReadOptions::index()) {
        index.check(&mut report);
    }
}
