//! The tables of the samples: counts, values, files that are read again, and their documentation.

use arrow::array::AsArray as _;
use arrow::datatypes::{Float32Type, Float64Type};
use arrow::record_batch::RecordBatch;
use postgame_tables::write::{FileKind, TableWriter};
use postgame_tables::{ALL, TableOptions, docs, find};

use crate::corpus::{batches, root, rows, sample as source};

#[test]
fn every_row_carries_the_recording_and_every_batch_its_schema() {
    for name in [
        "bout.replay",
        "bout-archive.replay",
        "duel.replay",
        "duel.slp",
        "factory.sav",
        "platform.sbp",
        "platform.sbpcfg",
    ] {
        let source = source(name);
        for table in ALL {
            for batch in batches(table.name(), &source, &TableOptions::default()) {
                assert_eq!(batch.schema(), table.schema());
                let ids = arrow::compute::cast(batch.column(0), &arrow::datatypes::DataType::Utf8)
                    .unwrap();
                assert!(
                    ids.as_string::<i32>()
                        .iter()
                        .all(|id| id == Some(&source.id)),
                    "{}",
                    table.name()
                );
                // A blueprint is no moment of a game.
                let time_s = batch.column_by_name("time_s").unwrap();
                assert_eq!(
                    time_s.null_count(),
                    if name.starts_with("platform") {
                        time_s.len()
                    } else {
                        0
                    },
                    "{}",
                    table.name()
                );
            }
        }
    }
}

#[test]
fn what_has_no_frames_has_a_time_too() {
    let times_s = |table: &str, name: &str| -> Vec<Option<f64>> {
        let batches = batches(table, &source(name), &TableOptions::default());
        let column = |batch: &RecordBatch| batch.column_by_name("time_s").unwrap().clone();
        let all = batches.iter().map(column);
        let mut times_s: Vec<_> = all
            .flat_map(|column| {
                column
                    .as_primitive::<Float64Type>()
                    .iter()
                    .collect::<Vec<_>>()
            })
            .collect();
        times_s.dedup();
        times_s
    };
    for table in ["recordings", "players"] {
        assert_eq!(times_s(table, "bout.replay"), [Some(0.0)]);
    }
    // 1001 frames at 50 a second: the last one is at 20 s.
    assert_eq!(times_s("stats", "bout.replay"), [Some(20.0)]);
    let saved = times_s("objects", "factory.sav");
    assert_eq!(saved.len(), 1);
    for table in ["recordings", "stats"] {
        assert_eq!(times_s(table, "factory.sav"), saved);
        assert_eq!(times_s(table, "platform.sbp"), [None]);
    }
}

#[test]
fn frames_are_as_many_as_the_recording_has_and_as_the_rate_says() {
    let source = source("bout.replay");
    let options = TableOptions::default();
    assert_eq!(
        rows(&batches("frames_players", &source, &options)),
        2 * 1001
    );
    // Twelve structures, one every 1.5 s from 1 s on; each is there from then to the end.
    let expected: usize = (0..12).map(|throw| 1001 - (50 + 75 * throw)).sum();
    assert_eq!(
        rows(&batches("frames_structures", &source, &options)),
        expected
    );
    let slow = TableOptions {
        fps: Some(10.0),
        ..options.clone()
    };
    assert_eq!(rows(&batches("frames_players", &source, &slow)), 2 * 201);
    let small = TableOptions {
        batch_rows: 100,
        ..options.clone()
    };
    let small = batches("frames_players", &source, &small);
    assert!(small.iter().all(|batch| batch.num_rows() <= 100) && rows(&small) == 2002);
}

#[test]
fn values_are_those_of_the_timeline() {
    let source = source("bout-archive.replay");
    let timeline = source.timeline();
    let head = timeline
        .entities
        .iter()
        .find(|entity| entity.kind == "head")
        .unwrap();
    let batch = &batches("frames_players", &source, &TableOptions::default())[0];
    let column = |name: &str| batch.column_by_name(name).unwrap().clone();
    let times = column("time_s").as_primitive::<Float64Type>().clone();
    let heights = column("head_y_m").as_primitive::<Float32Type>().clone();
    for row in (0..1001).step_by(97) {
        assert_eq!(
            Some(heights.value(row)),
            head.position(times.value(row)).map(|position| position[1])
        );
    }
}

#[test]
fn parquet_and_arrow_are_read_again() {
    let source = source("bout.replay");
    for table in ["frames_players", "events", "recordings"] {
        let batches = batches(table, &source, &TableOptions::default());
        let schema = find(table).unwrap().schema();
        for kind in [FileKind::Parquet, FileKind::Arrow] {
            let mut file = Vec::new();
            let mut writer = TableWriter::new(kind, &schema, &mut file).unwrap();
            for batch in &batches {
                writer.write(batch).unwrap();
            }
            writer.finish().unwrap();
            let read: Vec<RecordBatch> = match kind {
                FileKind::Parquet => {
                    let bytes = bytes::Bytes::from(file.clone());
                    parquet::arrow::arrow_reader::ParquetRecordBatchReader::try_new(bytes, 8192)
                        .unwrap()
                        .map(Result::unwrap)
                        .collect()
                }
                _ => arrow::ipc::reader::FileReader::try_new(std::io::Cursor::new(&file), None)
                    .unwrap()
                    .map(Result::unwrap)
                    .collect(),
            };
            assert_eq!(rows(&read), rows(&batches), "{table} {kind:?}");
        }
    }
}

#[test]
fn columns_are_made_as_asked_for_and_no_others() {
    for name in ["duel.replay", "duel.slp", "factory.sav", "bout.replay"] {
        let source = source(name);
        for table in ALL {
            let whole = batches(table.name(), &source, &TableOptions::default());
            let last = table.schema().fields().len() - 1;
            let each = (0..=last).map(|column| vec![column]);
            for columns in each.chain([vec![], vec![last, 0]]) {
                let options = TableOptions {
                    columns: Some(columns.clone()),
                    ..TableOptions::default()
                };
                let some = batches(table.name(), &source, &options);
                assert_eq!(some.len(), whole.len());
                for (some, whole) in some.iter().zip(&whole) {
                    assert_eq!(*some, whole.project(&columns).unwrap(), "{}", table.name());
                }
            }
        }
    }
}

/// Tables of what only people do: the samples' players do not fight back. `slippi_facts` tests them on real recordings.
const NOT_IN_SAMPLES: [&str; 2] = ["hits", "techniques"];

#[test]
fn every_table_has_rows_in_some_sample() {
    let samples = ["bout.replay", "duel.replay", "duel.slp", "factory.sav"].map(source);
    for table in ALL {
        if NOT_IN_SAMPLES.contains(&table.name()) {
            continue;
        }
        let some = |sample| rows(&batches(table.name(), sample, &TableOptions::default())) > 0;
        assert!(samples.iter().any(some), "{} is empty", table.name());
    }
}

#[test]
fn tables_and_columns_are_named_for_good() {
    for table in ALL {
        let is_plain = |name: &str| {
            name.bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
        };
        assert!(is_plain(table.name()));
        assert_eq!(
            ALL.iter()
                .filter(|other| other.name() == table.name())
                .count(),
            1
        );
        let columns = table.columns();
        assert_eq!(
            columns.first().map(|column| column.name),
            Some("recording_id")
        );
        for column in columns {
            // slippi-ai's users know its columns by the paths in its schema, such as `p0.controller.main_stick.x`.
            let is_named = match table.name() {
                "learning" => column
                    .name
                    .split('.')
                    .all(|part| is_plain(&part.to_lowercase())),
                _ => is_plain(column.name),
            };
            assert!(is_named && !column.doc.trim().is_empty(), "{}", column.name);
            assert_eq!(
                columns
                    .iter()
                    .filter(|other| other.name == column.name)
                    .count(),
                1
            );
        }
    }
}

#[test]
fn the_documentation_is_current() {
    let page = std::fs::read_to_string(root().join("docs/tables.md")).unwrap_or_default();
    assert!(
        page == docs::page(),
        "docs/tables.md is out of date: run `cargo xtask gen`"
    );
}
