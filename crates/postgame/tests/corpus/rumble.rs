//! RUMBLE: states as an independent reader found them.

use std::collections::BTreeMap;
use std::path::Path;

use postgame::rumble::coords;
use postgame::timeline::Timeline;
use postgame_testing::suite::Suite;
use postgame_testing::{corpus, reading};

pub fn tests(suite: &mut Suite) {
    let mut files = corpus::recordings(&["replay"]);
    files.retain(|path| path.with_extension("expected.tsv").is_file());
    suite.each("rumble::states", files, states_are_those_of_another_reader);
    let mut files = corpus::recordings(&["replay"]);
    files.retain(|path| {
        path.parent()
            .is_some_and(|folder| folder.ends_with("rumble"))
    });
    files.extend(corpus::samples("bout"));
    suite.each("rumble::clean", files, is_clean);
}

/// Data of a newer version or of another mod is a note, not a fault.
fn is_clean(path: &Path) {
    let (_, recording, mut report) = reading::whole(path);
    recording.check(&mut report);
    assert!(report.is_clean(), "{report:#?}");
}

/// The tables in the corpus were written by another reader, from the files alone.
fn states_are_those_of_another_reader(path: &Path) {
    let timeline = reading::recording(path).timeline();
    let table = std::fs::read_to_string(path.with_extension("expected.tsv")).unwrap();
    let mut lines = table.lines();
    let columns: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let mut rows = 0;
    for line in lines {
        let row: BTreeMap<&str, &str> = columns.iter().copied().zip(line.split('\t')).collect();
        check_row(&timeline, &row);
        rows += 1;
    }
    assert!(rows > 0, "the table is empty");
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
