//! Every finding `check` can make, made by breaking a sample in one place.

use postgame::Bytes;
use postgame::rumble::model::Bool8;
use postgame::rumble::model::fields::{Field, Value};
use postgame::rumble::model::first::StructureInfo;
use postgame::rumble::model::stream::chunk;
use postgame::rumble::model::{FirstReplay, Replay, SecondReplay};
use postgame::{ReadOptions, Recording, Report, Severity};

use crate::corpus;

fn sample(name: &str) -> Replay {
    let bytes = std::fs::read(corpus::root().join("samples").join(name)).unwrap();
    let (recording, _) = postgame::read(&bytes, &ReadOptions::default()).unwrap();
    let Recording::Rumble(replay) = recording else {
        panic!()
    };
    replay
}

/// Breaks a sample, and gives the findings about the model and about the file written from it: they must be the same.
fn findings(replay: Replay) -> Vec<(Severity, &'static str, String)> {
    let list = |recording: &Recording, mut report: Report| {
        recording.check(&mut report);
        let findings = report.findings().iter();
        findings
            .map(|finding| (finding.severity, finding.code, finding.path.clone()))
            .collect::<Vec<_>>()
    };
    let recording = Recording::Rumble(replay);
    let bytes = recording.write().unwrap();
    let (again, report) = postgame::read(&bytes, &ReadOptions::default()).unwrap();
    let found = list(&again, report);
    for finding in list(&recording, Report::default()) {
        assert!(
            found.contains(&finding),
            "{finding:?} is not among {found:?}"
        );
    }
    found
}

fn broken_first(change: impl FnOnce(&mut FirstReplay)) -> Vec<(Severity, &'static str, String)> {
    let Replay::First(mut replay) = sample("bout.replay") else {
        panic!()
    };
    change(&mut replay);
    findings(Replay::First(replay))
}

fn broken_second(change: impl FnOnce(&mut SecondReplay)) -> Vec<(Severity, &'static str, String)> {
    let Replay::Second(mut replay) = sample("bout-archive.replay") else {
        panic!()
    };
    change(&mut replay);
    findings(Replay::Second(replay))
}

fn has(found: &[(Severity, &'static str, String)], severity: Severity, code: &str, path: &str) {
    let is_it = |finding: &&(Severity, &'static str, String)| {
        finding.0 == severity && finding.1 == code && finding.2 == path
    };
    assert_eq!(
        found.iter().filter(is_it).count(),
        1,
        "{severity} [{code}] {path} in {found:?}"
    );
}

#[test]
fn first_generation() {
    use Severity::{Note, Odd};
    assert_eq!(broken_first(|_| ()), []);
    let found = broken_first(|replay| replay.wrapper.stated_inflated_size = Some(5));
    has(&found, Odd, "size", "container.inflated_size");
    let found = broken_first(|replay| replay.wrapper.after = Bytes(vec![1, 2]));
    has(&found, Odd, "trailing", "container");
    let found = broken_first(|replay| replay.header.stated_frame_count = Some(1002));
    has(&found, Odd, "frame-count", "header.frame_count");
    let found = broken_first(|replay| replay.trailing = vec![1, 2, 3]);
    has(&found, Note, "trailing", "frames");
    let found = broken_first(|replay| {
        replay.header.stated_structure_count = Some(12);
        replay
            .header
            .structures
            .push(StructureInfo { structure_type: 1 });
    });
    has(&found, Odd, "structure-count", "header.structure_count");
    let found = broken_first(|replay| replay.header.structures[3].structure_type = 99);
    has(&found, Odd, "structure-type", "header.structures[3]");
    let found = broken_first(|replay| replay.header.players[1].was_host = Bool8(7));
    has(&found, Odd, "flag", "header.players[1].was_host");
    let found =
        broken_first(|replay| replay.frames.as_mut().unwrap().structures.flags[12 * 5 + 4] = 9);
    has(&found, Odd, "flag", "frames[5].structures[4]");
    let found = broken_first(|replay| {
        let state = &mut replay.frames.as_mut().unwrap().players.states[1];
        state.head_rotation = [0.5; 4].map(|value: f32| value * 1.01);
        state.rig_position[1] = f32::NAN;
    });
    has(&found, Odd, "rotation", "frames[0].players[1]");
    has(&found, Odd, "number", "frames[0].players[1]");
    let found = broken_first(|replay| replay.frames.as_mut().unwrap().times_s[40] = 0.1);
    has(&found, Odd, "time-order", "frames[40].time");
    let found = broken_first(|replay| replay.header.fps = 90);
    has(&found, Odd, "frame-rate", "header.fps");
}

#[test]
fn second_generation() {
    use Severity::{Lost, Note, Odd};
    fn frame(
        replay: &mut SecondReplay,
        index: usize,
    ) -> &mut postgame::rumble::model::stream::Frame {
        &mut replay.stream.as_mut().unwrap().frames[index]
    }
    assert_eq!(broken_second(|_| ()), []);
    let found = broken_second(|replay| replay.manifest.values["FrameCount"] = 7.into());
    has(&found, Odd, "frame-count", "manifest.FrameCount");
    let found = broken_second(|replay| replay.manifest.values["MarkerCount"] = 7.into());
    has(&found, Odd, "count", "manifest.MarkerCount");
    let found = broken_second(|replay| replay.manifest.values["TargetFPS"] = 90.into());
    has(&found, Odd, "frame-rate", "header.fps");
    let found = broken_second(|replay| {
        replay.manifest.values = serde_json::Value::Null;
        replay.manifest.text = "{no JSON".into();
    });
    has(&found, Odd, "manifest", "manifest.json");
    let found = broken_second(|replay| {
        let chunk = &mut frame(replay, 0).chunks[0];
        chunk.index = 5;
        chunk.fields[0] = Field {
            id: 0,
            value: Value::Raw(Bytes(vec![1, 2])),
        };
        chunk.fields.push(Field {
            id: 222,
            value: Value::Raw(Bytes(vec![1])),
        });
        chunk.fields.push(Field {
            id: 10,
            value: Value::Flag(Bool8(3)),
        });
    });
    for (severity, code) in [
        (Odd, "index"),
        (Odd, "field-size"),
        (Note, "field"),
        (Odd, "flag"),
    ] {
        has(&found, severity, code, "frames[0].chunks[0]");
    }
    let found = broken_second(|replay| {
        let chunk = &mut frame(replay, 60).chunks[0];
        chunk.chunk_type = chunk::STRUCTURE;
        chunk.fields = vec![Field {
            id: 7,
            value: Value::U8(200),
        }];
    });
    has(&found, Odd, "enum", "frames[60].chunks[0]");
    let found = broken_second(|replay| frame(replay, 3).chunks[0].chunk_type = 77);
    has(&found, Note, "chunk-type", "frames[3].chunks[0]");
    let found = broken_second(|replay| frame(replay, 9).trailing = Bytes(vec![1, 2, 3]));
    has(&found, Odd, "frame-size", "frames[9]");
    let found =
        broken_second(|replay| replay.stream.as_mut().unwrap().trailing = Bytes(vec![1, 2]));
    has(&found, Lost, "cut", "frames[1001].size");
    let found = broken_second(|replay| {
        let entry = replay.archive.find_mut("manifest.json").unwrap();
        entry.directory.as_mut().unwrap().facts.crc32 ^= 1;
    });
    has(&found, Odd, "entry-crc", "archive.entries[0]");
}

#[test]
fn json_carries_compressed_data_only_where_it_must() {
    let json = |replay: Replay| {
        let recording = Recording::Rumble(replay);
        let mut json = Vec::new();
        recording.write_json(&mut json, false).unwrap();
        String::from_utf8(json).unwrap()
    };
    // Compressing anew gives the same bytes, so there is nothing to carry.
    assert!(!json(sample("bout.replay")).contains("\"bytes\""));
    let Replay::First(mut replay) = sample("bout.replay") else {
        panic!()
    };
    let packed = replay.wrapper.packed.as_mut().unwrap();
    // Another system in the GZIP header: the same contents in other bytes.
    packed.bytes.0[9] = 11;
    let original = Recording::Rumble(Replay::First(replay.clone()))
        .write()
        .unwrap();
    let text = json(Replay::First(replay));
    assert!(
        text.contains("\"codec\":\"gzip\",\"bytes\":\"") && text.contains("\"holds_sha256\":\"")
    );
    let back = Recording::read_json(text.as_bytes()).unwrap();
    assert_eq!(back.write().unwrap(), original);
    // Changed contents are compressed anew, whatever the JSON carries.
    let changed = text.replacen("\"scene\":\"Map0\"", "\"scene\":\"Map1\"", 1);
    let bytes = Recording::read_json(changed.as_bytes())
        .unwrap()
        .write()
        .unwrap();
    let (recording, report) = postgame::read(&bytes, &ReadOptions::default()).unwrap();
    assert!(report.is_clean());
    assert_eq!(recording.summary().map.as_deref(), Some("Map1"));
}
