//! The rows of some recordings as Parquet files.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter};

use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use arrow::record_batch::RecordBatch;
use postgame::Depth;

use super::manifest::DataFile;
use super::store::{Aside, Store};
use super::{PARTITIONS, UNKNOWN};
use crate::chunks::ParquetWriter;
use crate::source::Source;
use crate::table::{Table, TableOptions};

/// When the open files together hold more than this, the largest one's rows go to its file.
const MOST_BYTES: usize = 64 << 20;

/// What is written to a file at a time.
const FILE_BUFFER_BYTES: usize = 256 << 10;

/// Which recordings share files: those of a game and month.
type Group = (&'static str, Option<String>);

/// The group of a recording. Its header decides, as it does where a query runs over the recording itself.
pub(super) fn group(header: &Source) -> Group {
    let game = header.recording.format().id();
    (game, header.month().map(str::to_owned))
}

/// Writes the rows of a segment. The files of one group are open at a time, so recordings come group by group: a folder
/// may have many months, and a file that is being written takes memory for each of its columns.
pub(super) struct SegmentWriter<'a> {
    store: &'a Store,
    tables: &'a [&'static dyn Table],
    /// The segment's name, which its files have too.
    id: &'a str,
    group: Group,
    /// By table.
    open: BTreeMap<&'static str, Open>,
    files: Vec<DataFile>,
}

/// A file that is being written.
struct Open {
    writer: ParquetWriter<BufWriter<File>>,
    aside: Aside,
    rows: u64,
}

impl<'a> SegmentWriter<'a> {
    pub fn new(store: &'a Store, tables: &'a [&'static dyn Table], id: &'a str) -> Self {
        Self {
            store,
            tables,
            id,
            group: Group::default(),
            open: BTreeMap::new(),
            files: Vec::new(),
        }
    }

    /// Adds all rows of a recording. A table that wants the header alone is made of that: then it says the same as
    /// one that is made of the recording while a query runs.
    pub fn add(&mut self, header: &Source, full: &Source) -> Result<(), ArrowError> {
        let group = group(header);
        if group != self.group {
            self.close()?;
            self.group = group;
        }
        if self.tables.iter().any(|table| table.name() == "stats") {
            full.stats();
        }
        let format = full.recording.format();
        for table in self.tables.iter().filter(|table| table.is_of(format)) {
            let options = TableOptions {
                columns: Some(stored_columns(&table.schema())),
                ..TableOptions::default()
            };
            let source = match table.depth() {
                Depth::Header => header,
                Depth::Index | Depth::Full => full,
            };
            let name = table.name();
            table.fill(source, &options, &mut |batch| self.write(name, &batch))?;
        }
        Ok(())
    }

    fn write(&mut self, table: &'static str, batch: &RecordBatch) -> Result<(), ArrowError> {
        if !self.open.contains_key(table) {
            let aside = self.store.begin()?;
            // Pages come in small pieces, and each would be a call to the system.
            let file = BufWriter::with_capacity(FILE_BUFFER_BYTES, aside.file.try_clone()?);
            let writer = ParquetWriter::new(&batch.schema(), file)?;
            let open = Open {
                writer,
                aside,
                rows: 0,
            };
            self.open.insert(table, open);
        }
        if let Some(open) = self.open.get_mut(table) {
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

    /// Moves the open files to where they belong. No list names them yet.
    fn close(&mut self) -> Result<(), ArrowError> {
        let (game, month) = &self.group;
        let folder = month.as_deref().unwrap_or(UNKNOWN);
        for (table, open) in std::mem::take(&mut self.open) {
            let Open {
                writer,
                aside,
                rows,
            } = open;
            writer.close()?;
            let bytes = aside.file.metadata()?.len();
            let path = format!("{table}/game={game}/month={folder}/{}.parquet", self.id);
            self.store.publish(aside, &path)?;
            self.files.push(DataFile {
                table: table.to_owned(),
                game: (*game).to_owned(),
                month: month.clone(),
                path,
                rows,
                bytes,
            });
        }
        Ok(())
    }

    /// The files, for the list.
    pub fn finish(mut self) -> Result<Vec<DataFile>, ArrowError> {
        self.close()?;
        let mut files = std::mem::take(&mut self.files);
        files.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(files)
    }
}

impl Drop for SegmentWriter<'_> {
    /// What was not finished leaves nothing behind.
    fn drop(&mut self) {
        for file in &self.files {
            // There was an error, which is the one to tell; what stays is removed by the next run.
            drop(self.store.remove(&file.path));
        }
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
