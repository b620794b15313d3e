//! The breakdown of the time: decoding, timeline and statistics, and for each table its columns and its Parquet file.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use arrow::record_batch::RecordBatch;
use postgame::Depth;
use postgame_tables::write::{FileKind, TableWriter};
use postgame_tables::{Source, Table, TableOptions};

use crate::corpus;
use crate::measure::time;

/// Counts written bytes and discards them.
#[derive(Default)]
struct Counted(AtomicU64);

impl Counted {
    fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl std::io::Write for &Counted {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The time, rows and bytes of a table.
#[derive(Default)]
struct Part {
    columns: Duration,
    parquet: Duration,
    rows: usize,
    column_bytes: usize,
    file_bytes: u64,
}

/// Prints a line for each part of the work on all replays of Rocket League, on one thread.
pub fn print() {
    let files = corpus::files("rocket-league", &["replay"]);
    let mut read = Duration::ZERO;
    let mut derived = Duration::ZERO;
    let mut parts: Vec<(&dyn Table, Part)> = postgame_tables::ALL
        .iter()
        .filter(|table| table.is_of(postgame::Format::RocketLeague))
        .map(|table| (*table, Part::default()))
        .collect();
    for (name, bytes) in &files {
        let mut source = None;
        read += time(|| source = Source::read(name, bytes, Depth::Full).ok());
        let Some(source) = source else { continue };
        derived += time(|| source.stats().is_some());
        for (table, part) in &mut parts {
            part.measure(*table, &source);
        }
    }
    let ms = |duration: Duration| duration.as_secs_f64() * 1e3;
    println!("  {:44} {:10.2} ms", "digest and decoding", ms(read));
    println!("  {:44} {:10.2} ms", "timeline and statistics", ms(derived));
    for (table, part) in &parts {
        println!(
            "  {:14} {:9} rows {:7.1} MB of columns in {:8.2} ms, {:6.1} MB of Parquet in {:8.2} ms",
            table.name(),
            part.rows,
            part.column_bytes as f64 / 1e6,
            ms(part.columns),
            part.file_bytes as f64 / 1e6,
            ms(part.parquet),
        );
    }
}

impl Part {
    fn measure(&mut self, table: &dyn Table, source: &Source) {
        let mut batches = Vec::new();
        self.columns += time(|| {
            batches.clear();
            let mut keep = |batch| {
                batches.push(batch);
                Ok(())
            };
            table.fill(source, &TableOptions::default(), &mut keep)
        });
        self.rows += batches.iter().map(RecordBatch::num_rows).sum::<usize>();
        let bytes = batches.iter().map(RecordBatch::get_array_memory_size);
        self.column_bytes += bytes.sum::<usize>();
        let output = Counted::default();
        self.parquet += time(|| {
            let mut writer =
                TableWriter::new(FileKind::Parquet, &table.schema(), &output).expect("a file");
            for batch in &batches {
                writer.write(batch).expect("rows");
            }
            writer.finish().expect("a file");
        });
        self.file_bytes += output.bytes();
    }
}
