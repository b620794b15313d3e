//! Our files in the hands of others: pyarrow, DuckDB, Polars, and Python's own reader of CSV.
//!
//! They come from PyPI into an environment under `target`, which stays for the next run. Where PyPI cannot be reached
//! the test says so and checks nothing.

use std::fs::File;
use std::path::Path;
use std::process::Command;

use arrow::array::{Array as _, AsArray as _, Float64Array};
use arrow::compute::{cast, sum};
use arrow::datatypes::{DataType, Float64Type};
use arrow::record_batch::RecordBatch;
use postgame_tables::write::{FileKind, TableWriter};
use postgame_tables::{ALL, TableOptions};
use serde_json::{Value, json};

use crate::corpus::{batches, root, sample};
use crate::python::python;

/// What the environment holds.
const PACKAGES: &[&str] = &["pyarrow==26.0.1", "duckdb==2.0.0", "polars==2.1.0"];

/// The number of rows, and of every column how many are not null and what numbers and flags add up to.
fn facts(batches: &[RecordBatch], names: &[String]) -> Value {
    let mut columns = serde_json::Map::new();
    for (place, name) in names.iter().enumerate() {
        let (mut known, mut total) = (0, 0.0);
        let mut kind = "text";
        for batch in batches {
            let column = batch.column(place);
            known += column.len() - column.null_count();
            let data_type = column.data_type();
            if data_type.is_numeric() || *data_type == DataType::Boolean {
                kind = "number";
                let numbers = cast(column, &DataType::Float64).unwrap();
                let numbers: &Float64Array = numbers.as_primitive::<Float64Type>();
                total += sum(numbers).unwrap_or(0.0);
            }
        }
        columns.insert(
            name.clone(),
            json!({"kind": kind, "known": known, "total": total}),
        );
    }
    let rows: usize = batches.iter().map(RecordBatch::num_rows).sum();
    json!({"rows": rows, "columns": columns})
}

#[test]
fn others_read_our_files() {
    let Some(python) = python(&root(), "readers-python", PACKAGES) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mut expected = serde_json::Map::new();
    let samples = ["bout.replay", "duel.replay", "duel.slp", "factory.sav"].map(sample);
    for table in ALL {
        let rows = samples
            .iter()
            .flat_map(|one| batches(table.name(), one, &TableOptions::default()));
        let rows: Vec<RecordBatch> = rows.collect();
        let schema = table.schema();
        for (kind, extension) in [
            (FileKind::Parquet, "parquet"),
            (FileKind::Arrow, "arrow"),
            (FileKind::Csv, "csv"),
            (FileKind::Ndjson, "ndjson"),
        ] {
            let path = folder.path().join(format!("{}.{extension}", table.name()));
            let mut writer = TableWriter::new(kind, &schema, File::create(path).unwrap()).unwrap();
            rows.iter().for_each(|batch| writer.write(batch).unwrap());
            writer.finish().unwrap();
        }
        let names: Vec<String> = schema
            .fields()
            .iter()
            .map(|field| field.name().clone())
            .collect();
        expected.insert(table.name().to_owned(), facts(&rows, &names));
    }
    std::fs::write(
        folder.path().join("expected.json"),
        Value::Object(expected).to_string(),
    )
    .unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/readers.py");
    let output = Command::new(python)
        .arg(script)
        .arg(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{}{said}",
        String::from_utf8_lossy(&output.stdout)
    );
}
