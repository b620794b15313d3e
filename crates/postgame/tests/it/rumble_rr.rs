//! `.rr` files, also those of an independent writer in Python.

use std::path::Path;
use std::process::Command;

use postgame::rumble::coords;
use postgame::rumble::model::Replay;
use postgame::rumble::rr::Body;
use postgame::rumble::rr::updates::Change;
use postgame::{Format, ReadOptions, Recording, Report};
use serde_json::Value;

use crate::corpus;

/// The file that the Python writer makes of a version, and the positions that it says are in it; `None` where there is
/// no Python.
fn written(version: &str) -> Option<(Vec<u8>, Vec<Value>)> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rr_writer.py");
    let folder = std::env::temp_dir().join(format!("postgame-rr-{version}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("written.rr");
    let run = Command::new("python3")
        .arg(script)
        .arg(version)
        .arg(&path)
        .output();
    let Ok(output) = run else {
        eprintln!("NO PYTHON: .rr files of another writer were not read");
        return None;
    };
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let bytes = std::fs::read(&path).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    let lines = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    Some((bytes, lines.collect()))
}

fn numbers<const N: usize>(value: &Value) -> [f32; N] {
    std::array::from_fn(|index| value[index].as_f64().unwrap() as f32)
}

fn read_clean(bytes: &[u8]) -> Recording {
    let (recording, mut report) = postgame::read(bytes, &ReadOptions::default()).unwrap();
    recording.check(&mut report);
    assert_eq!(report.findings(), [], "not even a note");
    assert!(recording.write().unwrap() == bytes);
    let mut json = Vec::new();
    recording.write_json(&mut json, false).unwrap();
    assert!(Recording::read_json(&json[..]).unwrap().write().unwrap() == bytes);
    recording
}

#[test]
fn files_of_another_writer_have_the_right_positions() {
    for (version, least) in [("2", 400), ("3", 200), ("3c", 200)] {
        let Some((bytes, expected)) = written(version) else {
            return;
        };
        assert!(expected.len() >= least, "{version}: {}", expected.len());
        assert_eq!(Format::sniff(&bytes), Some(Format::Rumble));
        let recording = read_clean(&bytes);
        let timeline = recording.timeline();
        for row in &expected {
            let name = row["name"].as_str().unwrap();
            let id = timeline
                .find(name)
                .unwrap_or_else(|| panic!("{version}: no {name}"));
            let entity = timeline.entity(id).unwrap();
            // In the middle of the frame: times are sums of fiftieths.
            let time_s = row["time_s"].as_f64().unwrap() + 0.001;
            let position = entity.position(time_s).unwrap();
            assert_eq!(
                position,
                coords::position(numbers(&row["position"])),
                "{version}: {row}"
            );
            let expected = coords::rotation(numbers(&row["rotation"]));
            let rotation = entity.rotation(time_s).unwrap();
            let dot: f32 = rotation.iter().zip(expected).map(|(a, b)| a * b).sum();
            assert!(
                dot.abs() > 0.999_999,
                "{version}: {rotation:?} {expected:?} {row}"
            );
        }
        let summary = recording.summary();
        assert_eq!(summary.date.as_deref(), Some("2025-10-05T18:30:00Z"));
        assert_eq!(
            (summary.map.as_deref(), summary.frames),
            (Some("Map1"), Some(40))
        );
        assert_eq!(summary.players[1].name, "Bo");
        // The counter of version 2 wraps around in these files; no time is lost.
        assert!(
            (timeline.end_s - 39.0 / 50.0).abs() < 1e-9,
            "{version}: {}",
            timeline.end_s
        );
        if version == "2" {
            let rock = timeline
                .entity(timeline.find("SmallRock 207").unwrap())
                .unwrap();
            assert_eq!(
                (rock.flag("active", 0.3), rock.flag("active", 0.41)),
                (Some(true), Some(false))
            );
            let breaks = timeline
                .events
                .iter()
                .filter(|event| event.kind == "structure-breaks");
            assert_eq!(breaks.count(), 1);
        } else {
            assert_eq!(
                timeline
                    .entity(timeline.find("Bo").unwrap())
                    .unwrap()
                    .scalar("health", 0.5),
                Some(19.0)
            );
        }
    }
}

#[test]
fn a_cut_file_is_mended_at_the_last_whole_update() {
    for version in ["2", "3", "3c"] {
        let Some((bytes, _)) = written(version) else {
            return;
        };
        let updates = |recording: &Recording| match recording {
            Recording::Rumble(Replay::Rr(replay)) => match replay.body.as_ref().unwrap() {
                Body::Updates(updates) => updates.0.len(),
                Body::Elements(frames) => frames.frames.len(),
            },
            _ => panic!(),
        };
        let cut = &bytes[..bytes.len() - 7];
        let (mut recording, report) = postgame::read(cut, &ReadOptions::default()).unwrap();
        assert!(!report.is_clean(), "{version}");
        assert!(recording.write().unwrap() == cut, "{version}");
        let saved = updates(&recording);
        assert_eq!(
            saved,
            updates(&read_clean(&bytes)) - 1,
            "{version}: all but the last one"
        );
        assert_eq!(
            recording
                .repair(&ReadOptions::default())
                .unwrap()
                .steps
                .len(),
            1
        );
        let mended = read_clean(&recording.write().unwrap());
        assert_eq!(updates(&mended), saved);
        // In the header there is nothing to save.
        let error = postgame::read(&bytes[..100], &ReadOptions::default()).unwrap_err();
        assert_eq!(error.format(), Some(Format::Rumble));
        assert!(error.place().is_some());
    }
}

#[test]
fn what_is_not_known_is_kept_and_noted() {
    let bytes = std::fs::read(corpus::root().join("samples/bout.rr")).unwrap();
    let (recording, _) = postgame::read(&bytes, &ReadOptions::default()).unwrap();
    let Recording::Rumble(Replay::Rr(mut replay)) = recording else {
        panic!()
    };
    let Some(Body::Updates(updates)) = &mut replay.body else {
        panic!()
    };
    updates.0[3].change = Change::Raw {
        kind: 9,
        data: postgame::Bytes(vec![1, 2, 3]),
    };
    let Change::Structures(states) = &mut updates.0[0].change else {
        panic!()
    };
    states[0].kind = 77;
    states[1].pose.position = [f32::NAN, 0.0, 0.0];
    states[2].pose.position = [1.0, 0.0, 0.0];
    states[2].pose.rotation_wyxz = [0.0; 4];
    updates.0[40].frame = 2;
    let written = Recording::Rumble(Replay::Rr(replay)).write().unwrap();
    let (again, mut report) = postgame::read(&written, &ReadOptions::default()).unwrap();
    assert!(again.write().unwrap() == written);
    again.check(&mut report);
    let mut found: Vec<_> = report
        .findings()
        .iter()
        .map(|finding| (finding.code, finding.path.as_str()))
        .collect();
    found.sort_unstable();
    let expected = [
        ("number", "frames[0].structures[1]"),
        ("rotation", "frames[0].structures[2]"),
        ("structure-type", "frames[0].structures[0]"),
        ("time-order", "frames[40].frame"),
        ("update", "frames[3]"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn other_files_are_not_taken_for_one() {
    for bytes in [
        &b"RR"[..],
        b"RR\x05\x00",
        b"RR\x05\x00hello",
        b"RRR{",
        b"RR\x02\x00[]",
        b"RIFF{\"}",
    ] {
        assert_ne!(Format::sniff(bytes), Some(Format::Rumble), "{bytes:?}");
    }
    // A header that is not JSON after all is an error, not an empty recording.
    let error = postgame::read(b"RR\x07\x00{\"a\": x", &ReadOptions::default()).unwrap_err();
    assert!(error.to_string().contains("not JSON"), "{error}");
    // Nothing but a header is a whole file without updates.
    let (recording, mut report) = postgame::read(b"RR\x02\x00{}", &ReadOptions::default()).unwrap();
    recording.check(&mut report);
    assert_eq!(report, Report::default());
    assert_eq!(recording.timeline().duration_s(), 0.0);
}
