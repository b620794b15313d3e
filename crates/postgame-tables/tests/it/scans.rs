//! Many recordings at once: order, threads, failures, memory.

use std::path::PathBuf;

use arrow::record_batch::RecordBatch;
use postgame_tables::input::{Failure, Only};
use postgame_tables::{ALL, Request, TableOptions, find, scan};

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
