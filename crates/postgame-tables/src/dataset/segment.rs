//! The rows of some recordings as Parquet files.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;

use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use arrow::record_batch::RecordBatch;
use parquet::arrow::ArrowWriter;
use postgame::Depth;

use super::manifest::DataFile;
use super::store::{Aside, Store};
use super::{PARTITIONS, UNKNOWN};
use crate::source::Source;
use crate::table::{Table, TableOptions};
use crate::write::parquet_properties;

/// When the writers together hold more than this, the largest one's rows go to its file.
const MOST_BYTES: usize = 64 << 20;

/// Where rows belong: table, game, month.
type Place = (&'static str, &'static str, Option<String>);

/// Collects the rows of a segment.
pub(super) struct SegmentWriter<'a> {
    store: &'a Store,
    tables: &'a [&'static dyn Table],
    open: BTreeMap<Place, Open>,
}

/// A file that is being written.
struct Open {
    writer: ArrowWriter<File>,
    aside: Aside,
    rows: u64,
}

impl<'a> SegmentWriter<'a> {
    pub fn new(store: &'a Store, tables: &'a [&'static dyn Table]) -> Self {
        Self {
            store,
            tables,
            open: BTreeMap::new(),
        }
    }

    /// Adds all rows of a recording. A table that wants the header alone is made of that: then it says the same as
    /// one that is made of the recording while a query runs.
    pub fn add(&mut self, header: &Source, full: &Source) -> Result<(), ArrowError> {
        let source = full;
        let format = source.recording.format();
        if self.tables.iter().any(|table| table.name() == "stats") {
            source.stats();
        }
        for table in self.tables.iter().filter(|table| table.is_of(format)) {
            let options = TableOptions {
                columns: Some(stored_columns(&table.schema())),
                ..TableOptions::default()
            };
            let place: Place = (table.name(), format.id(), source.month().map(str::to_owned));
            let source = match table.depth() {
                Depth::Header => header,
                Depth::Full => full,
            };
            table.fill(source, &options, &mut |batch| self.write(&place, &batch))?;
        }
        Ok(())
    }

    fn write(&mut self, place: &Place, batch: &RecordBatch) -> Result<(), ArrowError> {
        if !self.open.contains_key(place) {
            let aside = self.store.begin()?;
            let file = aside.file.try_clone()?;
            let schema = batch.schema();
            let properties = parquet_properties(&schema);
            let writer = ArrowWriter::try_new(file, schema, Some(properties))?;
            let open = Open {
                writer,
                aside,
                rows: 0,
            };
            self.open.insert(place.clone(), open);
        }
        if let Some(open) = self.open.get_mut(place) {
            open.writer.write(batch)?;
            open.rows += batch.num_rows() as u64;
        }
        let held = |open: &Open| open.writer.memory_size();
        if self.open.values().map(held).sum::<usize>() > MOST_BYTES
            && let Some(largest) = self.open.values_mut().max_by_key(|open| held(open))
        {
            largest.writer.flush()?;
        }
        Ok(())
    }

    /// Moves the files to where they belong, and lists them. What fails leaves nothing behind.
    pub fn finish(self, id: &str) -> Result<Vec<DataFile>, ArrowError> {
        let mut files: Vec<DataFile> = Vec::new();
        let published = self.open.into_iter().try_for_each(|(place, open)| {
            let Open {
                writer,
                aside,
                rows,
            } = open;
            writer.close()?;
            let (table, game, month) = place;
            let folder = month.as_deref().unwrap_or(UNKNOWN);
            let path = format!("{table}/game={game}/month={folder}/{id}.parquet");
            self.store.publish(aside, &path)?;
            files.push(DataFile {
                table: table.to_owned(),
                game: game.to_owned(),
                month,
                path,
                rows,
            });
            Ok::<(), ArrowError>(())
        });
        if let Err(error) = published {
            for file in &files {
                // The first error is the one to tell; what stays is removed by the next run.
                drop(self.store.remove(&file.path));
            }
            return Err(error);
        }
        Ok(files)
    }
}

/// The columns that files have: all but those that folders tell.
fn stored_columns(schema: &SchemaRef) -> Vec<usize> {
    let fields = schema.fields().iter().enumerate();
    fields
        .filter(|(_, field)| !PARTITIONS.contains(&field.name().as_str()))
        .map(|(place, _)| place)
        .collect()
}

/// An input or output error behind one of Arrow's.
pub(super) fn io_error(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        ArrowError::ExternalError(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}
