//! Many recordings at once: order, threads, failures, memory.

use std::path::PathBuf;

use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use arrow::record_batch::RecordBatch;
use postgame::{Depth, Format};
use postgame_files::Failure;
use postgame_tables::dataset::ingest::Progress;
use postgame_tables::dataset::{IngestOptions, Manifest, Store, ingest};
use postgame_tables::input::Only;
use postgame_tables::table::{ColumnDoc, Sink};
use postgame_tables::{ALL, Request, Source, Table, TableOptions, find, scan};

use crate::corpus::{folder, root};

type Items = Vec<Result<RecordBatch, Failure>>;

fn items(paths: &[PathBuf], table: &str, threads: usize) -> Items {
    let request = Request {
        threads,
        options: TableOptions {
            batch_rows: 1000,
            ..TableOptions::default()
        },
        ..Request::new(find(table).unwrap())
    };
    scan(paths.to_vec(), request).unwrap().collect()
}

#[test]
fn one_thread_gives_what_three_give() {
    let samples = [root().join("samples")];
    for table in ALL {
        let one = items(&samples, table.name(), 1);
        assert_eq!(one, items(&samples, table.name(), 3), "{}", table.name());
        assert!(one.iter().all(Result::is_ok));
    }
}

#[test]
fn one_thread_gives_what_two_give_on_the_corpus() {
    let Some(corpus) = folder() else { return };
    let paths = [corpus.join("slippi"), corpus.join("bad")];
    for table in ["recordings", "events"] {
        assert_eq!(items(&paths, table, 1), items(&paths, table, 2), "{table}");
    }
}

#[test]
fn what_cannot_be_read_is_said_in_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    let duel = std::fs::read(root().join("samples/duel.slp")).unwrap();
    put("a.slp", &duel);
    put("b.slp", b"");
    put("c.slp", b"no recording at all");
    put("d.slp", &duel[..20]);
    put("e.slp", &duel);
    put("notes.txt", b"not looked at");
    let items = items(
        &[folder.path().to_owned(), folder.path().join("f.slp")],
        "recordings",
        2,
    );
    let is_ok: Vec<bool> = items.iter().map(Result::is_ok).collect();
    assert_eq!(is_ok, [true, false, false, false, true, false]);
    let failure = items[1].as_ref().unwrap_err();
    assert!(failure.name.ends_with("b.slp"), "{failure}");
}

#[test]
fn a_scan_that_is_dropped_ends() {
    let request = Request {
        options: TableOptions {
            batch_rows: 10,
            ..TableOptions::default()
        },
        ..Request::new(find("frames").unwrap())
    };
    let mut scan = scan(vec![root().join("samples")], request).unwrap();
    assert!(scan.next().unwrap().is_ok());
    let progress = scan.progress();
    drop(scan);
    // The threads hold the progress too; they let go of it when they end.
    for _ in 0..1000 {
        if std::sync::Arc::strong_count(&progress) == 1 {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("the threads of a dropped scan go on");
}

#[test]
fn columns_and_names_decide_what_is_read() {
    let samples = vec![root().join("samples")];
    let table = find("recordings").unwrap();
    let places = postgame_tables::places(&table.schema(), &["file", "game"]);
    let request = Request {
        options: TableOptions {
            columns: Some(places),
            ..TableOptions::default()
        },
        only: Only {
            names: Some(std::sync::Arc::new(|name: &str| name.ends_with(".slp"))),
            ..Only::default()
        },
        ..Request::new(table)
    };
    let batches: Vec<RecordBatch> = scan(samples, request)
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert_eq!(batches.len(), 1);
    assert_eq!((batches[0].num_rows(), batches[0].num_columns()), (1, 2));
}

/// A table with a bug: it panics at one recording.
struct Buggy;

impl Table for Buggy {
    fn name(&self) -> &'static str {
        "buggy"
    }

    fn doc(&self) -> &'static str {
        ""
    }

    fn formats(&self) -> &'static [Format] {
        &[]
    }

    fn depth(&self) -> Depth {
        Depth::Header
    }

    fn columns(&self) -> &'static [ColumnDoc] {
        find("recordings").unwrap().columns()
    }

    fn schema(&self) -> SchemaRef {
        find("recordings").unwrap().schema()
    }

    fn fill(
        &self,
        source: &Source,
        options: &TableOptions,
        sink: Sink<'_>,
    ) -> Result<(), ArrowError> {
        assert!(!source.file.ends_with("duel.slp"), "no duels");
        find("recordings").unwrap().fill(source, options, sink)
    }
}

#[test]
fn a_bug_is_a_failure_of_its_recording() {
    for threads in [1, 2] {
        let request = Request {
            threads,
            ..Request::new(&Buggy)
        };
        let items: Items = scan(vec![root().join("samples")], request)
            .unwrap()
            .collect();
        let failures: Vec<String> = items
            .iter()
            .filter_map(|item| item.as_ref().err().map(ToString::to_string))
            .collect();
        let samples = std::fs::read_dir(root().join("samples")).unwrap().count();
        assert_eq!(items.len(), samples);
        assert_eq!(failures.len(), 1);
        assert!(
            failures[0].contains("duel.slp: a bug in postgame")
                && failures[0].ends_with("no duels"),
            "{failures:?}"
        );
    }
}

#[test]
fn a_data_set_is_not_changed_by_a_bug() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::local(&folder.path().join("set"));
    let options = IngestOptions {
        tables: vec![&Buggy],
        threads: 2,
        ..IngestOptions::default()
    };
    let samples = [root().join("samples")];
    let error = ingest(&samples, &store, &options, &Progress::default()).unwrap_err();
    assert!(
        error.to_string().contains("duel.slp: a bug in postgame"),
        "{error}"
    );
    assert!(Manifest::read(&store).unwrap().segments.is_empty());
}
