//! Every table of some recordings as rows, sums and a hash, one JSON object a line: what the Python package's tests
//! hold its own tables against (`crates/postgame-py/tests/test_same.py` makes the same of Arrow arrays in Python).

use std::io::Write as _;

use arrow::array::{Array, ArrayRef, AsArray as _};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Float64Type};
use postgame_tables::{ALL, Source, Table, TableOptions};
use sha2::{Digest as _, Sha256};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut output = std::io::stdout().lock();
    for file in std::env::args().skip(1) {
        let bytes = std::fs::read(&file)?;
        let Ok(source) = Source::read(&file, &bytes, postgame::Depth::Full) else {
            continue;
        };
        for table in ALL {
            if table.is_of(source.recording.format()) {
                writeln!(output, "{}", line(&file, *table, &source)?)?;
            }
        }
    }
    Ok(())
}

fn line(
    file: &str,
    table: &dyn Table,
    source: &Source,
) -> Result<serde_json::Value, Box<dyn std::error::Error>> {
    let mut rows = 0;
    let mut columns: Vec<Column> = table.columns().iter().map(|_| Column::default()).collect();
    // Small batches: the hash must not depend on them.
    let options = TableOptions {
        batch_rows: 1000,
        ..TableOptions::default()
    };
    table.fill(source, &options, &mut |batch| {
        rows += batch.num_rows();
        for (column, values) in columns.iter_mut().zip(batch.columns()) {
            column.add(values)?;
        }
        Ok(())
    })?;
    let mut hash = Sha256::new();
    let mut sums = serde_json::Map::new();
    for (column, about) in columns.into_iter().zip(table.columns()) {
        hash.update(column.valid);
        hash.update(column.values);
        sums.insert(about.name.to_owned(), column.sum.into());
    }
    let hash: String = hash
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    Ok(serde_json::json!({
        "file": file, "table": table.name(), "rows": rows, "sums": sums, "hash": hash,
    }))
}

/// A column so far: which values are there, and what they are.
#[derive(Default)]
struct Column {
    valid: Vec<u8>,
    values: Vec<u8>,
    sum: f64,
}

impl Column {
    fn add(&mut self, values: &ArrayRef) -> Result<(), arrow::error::ArrowError> {
        for row in 0..values.len() {
            self.valid.push(u8::from(values.is_valid(row)));
        }
        if values.data_type().is_numeric() || *values.data_type() == DataType::Boolean {
            // All numbers of the tables fit a double.
            let numbers = cast(values, &DataType::Float64)?;
            for number in numbers.as_primitive::<Float64Type>() {
                let number = number.unwrap_or(0.0);
                self.values.extend(number.to_le_bytes());
                if number.is_finite() {
                    self.sum += number;
                }
            }
        } else {
            let texts = cast(values, &DataType::Utf8)?;
            for text in texts.as_string::<i32>() {
                let text = text.unwrap_or_default();
                self.values.extend((text.len() as u32).to_le_bytes());
                self.values.extend(text.as_bytes());
            }
        }
        Ok(())
    }
}
