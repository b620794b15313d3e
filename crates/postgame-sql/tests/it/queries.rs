//! The queries of `docs/queries.md`: over recordings and over a data set, on one thread and on two, against answers
//! that were found another way.

use std::path::{Path, PathBuf};

use datafusion::arrow::array::Array;
use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use postgame_sql::{Over, Session};
use postgame_tables::dataset::ingest::Progress;
use postgame_tables::dataset::{IngestOptions, Store, ingest};

use crate::answers::{self, Recordings};

/// The top of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The corpus's recordings, or the samples where there is none. What lies about twice is in a data set once, and is
/// here once too.
fn files() -> Vec<PathBuf> {
    let corpus = match std::env::var_os("POSTGAME_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => root().join("../shared/corpus"),
    };
    let folders = if corpus.is_dir() {
        ["rocket-league", "rumble", "satisfactory", "slippi"]
            .map(|game| corpus.join(game))
            .to_vec()
    } else {
        eprintln!(
            "NO CORPUS at {}: tested on the samples only",
            corpus.display()
        );
        vec![root().join("samples")]
    };
    let mut files = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for folder in folders {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths.retain(|path| {
            let name = path.file_name().unwrap().to_str().unwrap();
            postgame::Format::is_plausible_name(name) && seen.insert(std::fs::read(path).unwrap())
        });
        files.extend(paths);
    }
    files
}

/// The headings and queries of the page.
fn queries() -> Vec<(String, String)> {
    let page = std::fs::read_to_string(root().join("docs/queries.md")).unwrap();
    let sections = page.split("\n## ").skip(1);
    let queries = sections.map(|section| {
        let heading = section.lines().next().unwrap().to_owned();
        let query = section.split("```sql\n").nth(1).unwrap();
        (heading, query.split("\n```").next().unwrap().to_owned())
    });
    queries.collect()
}

/// Rows as text; numbers with a fraction to nine digits, because sums depend on the order of their parts.
fn rows(batches: &[RecordBatch]) -> Vec<Vec<String>> {
    let options = FormatOptions::default().with_null("null");
    let mut rows = Vec::new();
    for batch in batches {
        let columns: Vec<ArrayFormatter<'_>> = batch
            .columns()
            .iter()
            .map(|column| ArrayFormatter::try_new(column.as_ref() as &dyn Array, &options).unwrap())
            .collect();
        for row in 0..batch.num_rows() {
            let cell = |(index, column): (usize, &ArrayFormatter<'_>)| {
                let text = column.value(row).to_string();
                match batch.column(index).data_type() {
                    // The shortest text of a single is not that of the same number as a double.
                    DataType::Float32 => {
                        let single = text.parse::<f32>().map(f64::from);
                        single.map_or(text, answers::number)
                    }
                    DataType::Float64 => text.parse().map_or(text, answers::number),
                    _ => text,
                }
            };
            rows.push(columns.iter().enumerate().map(cell).collect());
        }
    }
    rows
}

fn ask(session: &Session, query: &str) -> Vec<Vec<String>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().build().unwrap();
    rows(&runtime.block_on(session.collect(query)).unwrap())
}

#[test]
fn queries_have_the_right_answers() {
    let queries = queries();
    assert_eq!(queries.len(), 21);
    let files = files();
    let dataset = tempfile::tempdir().unwrap();
    let store = Store::local(dataset.path());
    let options = IngestOptions::default();
    ingest(&files, &store, &options, &Progress::default()).unwrap();
    let raw = Session::new(&Over::Recordings(files.clone()), 1).unwrap();
    let raw_two = Session::new(&Over::Recordings(files.clone()), 2).unwrap();
    let set = Session::new(&Over::Dataset(dataset.path().to_owned()), 2).unwrap();
    let recordings = Recordings::read(&files);
    for (heading, query) in &queries {
        let answer = ask(&raw, query);
        assert_eq!(answer, recordings.answer(heading), "{heading}");
        assert_eq!(answer, ask(&raw_two, query), "{heading} on two threads");
        assert_eq!(answer, ask(&set, query), "{heading} over the data set");
    }
}

#[test]
fn every_table_is_the_same_over_the_data_set() {
    let samples = root().join("samples");
    let dataset = tempfile::tempdir().unwrap();
    let store = Store::local(dataset.path());
    let paths = [samples.clone()];
    ingest(
        &paths,
        &store,
        &IngestOptions::default(),
        &Progress::default(),
    )
    .unwrap();
    let raw = Session::new(&Over::Recordings(vec![samples]), 2).unwrap();
    let set = Session::new(&Over::Dataset(dataset.path().to_owned()), 2).unwrap();
    for table in postgame_tables::ALL {
        let query = format!("SELECT * FROM {}", table.name());
        // Segments and folders have an order of their own.
        let sorted = |mut rows: Vec<Vec<String>>| {
            rows.sort();
            rows
        };
        assert_eq!(
            sorted(ask(&raw, &query)),
            sorted(ask(&set, &query)),
            "{}",
            table.name()
        );
    }
}

/// The rule of docs/tables.md.
#[test]
fn a_copy_has_rows_where_files_are_asked_and_none_in_a_data_set() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    std::fs::create_dir(&input).unwrap();
    for name in ["one.slp", "two.slp"] {
        std::fs::copy(root().join("samples/duel.slp"), input.join(name)).unwrap();
    }
    let path = folder.path().join("set");
    let paths = [input.clone()];
    let options = IngestOptions::default();
    let outcome = ingest(&paths, &Store::local(&path), &options, &Progress::default()).unwrap();
    assert_eq!((outcome.added, outcome.known), (1, 1));
    let raw = Session::new(&Over::Recordings(vec![input]), 2).unwrap();
    let set = Session::new(&Over::Dataset(path), 2).unwrap();
    let counts = "SELECT count(*), count(DISTINCT recording_id) FROM recordings";
    assert_eq!(ask(&raw, counts), [["2", "1"]]);
    assert_eq!(ask(&set, counts), [["1", "1"]]);
}
