//! RUMBLE replays from end to end.

use std::collections::BTreeMap;
use std::path::Path;

use postgame::rumble::coords;
use postgame::timeline::Timeline;
use postgame::{ReadOptions, Recording};

use crate::corpus;

/// The real replays and the samples.
fn replays() -> Vec<std::path::PathBuf> {
    let mut files = corpus::samples("bout");
    if let Some(real) = corpus::files("rumble", &["replay"]) {
        assert_eq!(real.len(), 4, "the corpus has four RUMBLE replays");
        files.extend(real);
    }
    files
}

fn read(path: &Path) -> (Vec<u8>, Recording) {
    let bytes = std::fs::read(path).unwrap();
    let (recording, mut report) = postgame::read(&bytes, &ReadOptions::default())
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    recording.check(&mut report);
    // Data of a newer version or of another mod is a note, not a fault.
    assert!(report.is_clean(), "{}: {report:#?}", path.display());
    (bytes, recording)
}

#[test]
fn every_file_checks_clean_and_is_written_back_identical() {
    for path in replays() {
        let (bytes, recording) = read(&path);
        assert!(recording.write().unwrap() == bytes, "{}", path.display());
    }
}

#[test]
fn every_file_comes_back_from_json_identical() {
    for path in replays() {
        let (bytes, recording) = read(&path);
        for pretty in [false, true] {
            let mut json = Vec::new();
            recording.write_json(&mut json, pretty).unwrap();
            let back = Recording::read_json(&json[..])
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert!(back.write().unwrap() == bytes, "{}", path.display());
        }
    }
}

/// The tables in the corpus were written by another reader, from the files alone.
#[test]
fn states_are_those_an_independent_reader_found() {
    let Some(folder) = corpus::folder() else {
        return;
    };
    let mut rows_checked = BTreeMap::new();
    for path in corpus::files("rumble", &["replay"]).unwrap() {
        let (_, recording) = read(&path);
        let timeline = recording.timeline();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let table =
            std::fs::read_to_string(folder.join(format!("rumble/{name}.expected.tsv"))).unwrap();
        let mut lines = table.lines();
        let columns: Vec<&str> = lines.next().unwrap().split('\t').collect();
        let mut rows = 0;
        for line in lines {
            let row: BTreeMap<&str, &str> = columns.iter().copied().zip(line.split('\t')).collect();
            check_row(&timeline, &row);
            rows += 1;
        }
        rows_checked.insert(name.to_owned(), rows);
    }
    let rows_checked: Vec<(&str, usize)> = rows_checked
        .iter()
        .map(|(name, rows)| (name.as_str(), *rows))
        .collect();
    assert_eq!(
        rows_checked,
        [
            ("archive-2p", 1439),
            ("gym-1p", 43),
            ("map0-2p", 1040),
            ("one-frame", 5)
        ]
    );
}

fn check_row(timeline: &Timeline, row: &BTreeMap<&str, &str>) {
    let number = |column: &str| row[column].parse::<f32>().unwrap();
    let index: usize = row["index"].parse().unwrap();
    // The tables print the recorded single precision time in fewer digits.
    let time_s = f64::from(number("time")) + 1e-6;
    let of_kind = |kind: &str| {
        timeline
            .entities
            .iter()
            .filter(|entity| entity.kind == kind)
            .nth(index)
            .unwrap()
            .clone()
    };
    let entity = match row["kind"] {
        "structure" => of_kind("structure"),
        "player.rhand" => of_kind("right_hand"),
        "player.head" => of_kind("head"),
        other => panic!("{other}"),
    };
    let expected = [number("px"), number("py"), number("pz")];
    let Some(position) = entity.position(time_s) else {
        // That reader shows what is not there yet at the origin, with a rotation that is none.
        assert_eq!(expected, [0.0; 3], "{row:?}");
        assert!(row.get("rw").is_none_or(|rw| *rw == "0"), "{row:?}");
        return;
    };
    assert_close(&position, &coords::position(expected), row);
    if row.contains_key("rw") {
        let expected = [number("rx"), number("ry"), number("rz"), number("rw")];
        assert_close(
            &entity.rotation(time_s).unwrap(),
            &coords::rotation(expected),
            row,
        );
    }
    let Some((first, second)) = row.get("extra").and_then(|extra| extra.split_once(',')) else {
        return;
    };
    let player = entity.parent.and_then(|id| timeline.entity(id));
    match player {
        Some(player) => {
            assert_eq!(
                player.scalar("health", time_s),
                Some(first.parse().unwrap()),
                "{row:?}"
            );
            assert_eq!(
                player.flag("active", time_s),
                Some(second == "True"),
                "{row:?}"
            );
        }
        None => {
            assert_eq!(
                entity.flag("active", time_s),
                Some(first == "True"),
                "{row:?}"
            );
            assert_eq!(
                entity.flag("grounded", time_s),
                Some(second == "True"),
                "{row:?}"
            );
        }
    }
}

fn assert_close(one: &[f32], other: &[f32], row: &BTreeMap<&str, &str>) {
    for (a, b) in one.iter().zip(other) {
        assert!((a - b).abs() < 1e-5, "{one:?} is not {other:?} in {row:?}");
    }
}
