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
use crate::input::is_told_by_frames;
use crate::parquet::ParquetWriter;
use crate::source::Source;
use crate::table::{Table, TableOptions};

/// If the open files together hold more than this, the largest one writes a row group.
const MAX_OPEN_BYTES: usize = 64 << 20;

/// Number of bytes written to a file at a time.
const FILE_BUFFER_BYTES: usize = 256 << 10;

/// Recordings that share files: those of the same game and month.
pub(super) type Group = (&'static str, Option<String>);

/// The group of a recording. Its header decides, as it does for a query on the recording itself.
pub(super) fn group(header: &Source) -> Group {
    let game = header.recording.format().id();
    (game, header.month().map(str::to_owned))
}

/// Writes the rows of a segment. Only the files of one group are open at a time, so recordings come group by group:
/// there may be many months, and each open file takes memory for each of its columns.
pub(super) struct SegmentWriter<'a> {
    dataset: &'a Writer<'a>,
    tables: &'a [&'static dyn Table],
    /// The segment's name, which is also the name of its files.
    id: &'a str,
    group: Group,
    /// The open files, by table.
    open: BTreeMap<&'static str, Open>,
    files: Vec<DataFile>,
    /// The files that may exist, until a journal lists them.
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

    /// Adds all rows of a recording. A table that needs only the header is built from the header alone, where that
    /// tells enough, so that it equals the table of a query on the recording.
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
                Depth::Header if !is_told_by_frames(format) => header,
                Depth::Header | Depth::Index | Depth::Full => full,
            };
            let name = table.name();
            table.fill(source, &options, &mut |batch| self.write(name, &batch))?;
        }
        Ok(())
    }

    fn write(&mut self, table: &'static str, batch: &RecordBatch) -> Result<(), ArrowError> {
        if !self.open.contains_key(table) {
            let aside = self.dataset.store.begin()?;
            // Pages are written in small pieces, each of which would be a system call.
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

    /// Moves the open files into place. They are in a journal, but not in a list yet.
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
            // Recorded before publishing, because a failure can happen before or after that.
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
    /// An unfinished segment leaves nothing behind.
    fn drop(&mut self) {
        if self.planned.is_none() && !self.is_finished {
            let files = self.files.iter().map(|file| file.path.as_str());
            self.dataset.roll_back(self.id, &files.collect::<Vec<_>>());
        }
    }
}

/// The columns of the files: all but those encoded in folder names.
fn stored_columns(schema: &SchemaRef) -> Vec<usize> {
    let fields = schema.fields().iter().enumerate();
    fields
        .filter(|(_, field)| !PARTITIONS.contains(&field.name().as_str()))
        .map(|(place, _)| place)
        .collect()
}

/// The I/O error behind an Arrow error.
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
