//! The rows of some recordings as Parquet files.

use std::collections::BTreeMap;
use std::io::{self, BufWriter};

use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use arrow::record_batch::RecordBatch;
use postgame::{Depth, Format};

use super::folder::FileWriter;
use super::manifest::{DataFile, file_path};
use super::store::Aside;
use super::writer::Writer;
use super::{PARTITIONS, UNKNOWN};
use crate::chunks::ParquetWriter;
use crate::source::Source;
use crate::table::{Table, TableOptions};

/// When the open files together hold more than this, the largest one's rows go to its file.
const MAX_OPEN_BYTES: usize = 64 << 20;

/// What is written to a file at a time.
const FILE_BUFFER_BYTES: usize = 256 << 10;

/// Which recordings share files: those of a game and month.
pub(super) type Group = (&'static str, Option<String>);

/// The group of a recording. Its header decides, as it does where a query runs over the recording itself.
pub(super) fn group(header: &Source) -> Group {
    let game = header.recording.format().id();
    (game, header.month().map(str::to_owned))
}

/// Writes the rows of a segment. The files of one group are open at a time, so recordings come group by group: a folder
/// may have many months, and a file that is being written takes memory for each of its columns.
pub(super) struct SegmentWriter<'a> {
    dataset: &'a Writer<'a>,
    tables: &'a [&'static dyn Table],
    /// The segment's name, which its files have too.
    id: &'a str,
    group: Group,
    /// By table.
    open: BTreeMap<&'static str, Open>,
    files: Vec<DataFile>,
    /// The files that there may be, until a journal names them.
    planned: Option<Vec<String>>,
    is_finished: bool,
}

/// A file that is being written.
struct Open {
    writer: ParquetWriter<BufWriter<FileWriter>>,
    aside: Aside,
    rows: u64,
}

impl<'a> SegmentWriter<'a> {
    /// A segment of recordings of some groups and formats.
    pub fn new<'b>(
        dataset: &'a Writer<'a>,
        tables: &'a [&'static dyn Table],
        id: &'a str,
        groups: impl Iterator<Item = (&'b Group, Format)>,
    ) -> Self {
        let mut planned = Vec::new();
        for ((game, month), format) in groups {
            for table in tables.iter().filter(|table| table.is_of(format)) {
                let month = month.as_deref().unwrap_or(UNKNOWN);
                planned.push(file_path(table.name(), game, month, id));
            }
        }
        planned.sort();
        planned.dedup();
        Self {
            dataset,
            planned: Some(planned),
            is_finished: false,
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
            let aside = self.dataset.store.begin()?;
            // Pages come in small pieces, and each would be a call to the system.
            let file = BufWriter::with_capacity(FILE_BUFFER_BYTES, aside.writer()?);
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
        if self.open.values().map(held).sum::<usize>() > MAX_OPEN_BYTES
            && let Some(largest) = self.open.values_mut().max_by_key(|open| held(open))
        {
            largest.writer.flush()?;
        }
        Ok(())
    }

    /// Moves the open files to where they belong. A journal names them, but no list yet.
    fn close(&mut self) -> Result<(), ArrowError> {
        if self.open.is_empty() {
            return Ok(());
        }
        if let Some(planned) = &self.planned {
            self.dataset.journal(self.id, planned)?;
            self.planned = None;
        }
        let (game, month) = &self.group;
        let folder = month.as_deref().unwrap_or(UNKNOWN);
        for (table, open) in std::mem::take(&mut self.open) {
            let Open {
                writer,
                aside,
                rows,
            } = open;
            writer.close()?;
            let bytes = aside.bytes()?;
            let path = file_path(table, game, folder, self.id);
            // Before it is published: whether a failure comes before or after that is not known.
            self.files.push(DataFile {
                table: table.to_owned(),
                game: (*game).to_owned(),
                month: month.clone(),
                path: path.clone(),
                rows,
                bytes,
            });
            self.dataset.publish(aside, &path)?;
        }
        Ok(())
    }

    /// The files, for the list.
    pub fn finish(mut self) -> Result<Vec<DataFile>, ArrowError> {
        self.close()?;
        self.is_finished = true;
        let mut files = std::mem::take(&mut self.files);
        files.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(files)
    }
}

impl Drop for SegmentWriter<'_> {
    /// A segment that is not finished leaves nothing behind.
    fn drop(&mut self) {
        if self.planned.is_none() && !self.is_finished {
            let files = self.files.iter().map(|file| file.path.as_str());
            self.dataset.roll_back(self.id, &files.collect::<Vec<_>>());
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
