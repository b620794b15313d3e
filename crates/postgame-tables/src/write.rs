//! Writes tables as files.

use std::io::Write;

use arrow::array::{Array as _, ArrayRef};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::error::ArrowError;
use arrow::record_batch::RecordBatch;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use postgame_files::text::{Escaped, Style};

use crate::csv::guarded;
use crate::parquet::ParquetWriter;

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Comma-separated values with a header row. Text that a spreadsheet would run as a formula is prefixed with an
    /// apostrophe.
    Csv,
    /// One JSON object per line.
    Ndjson,
    /// Arrow's own file format.
    Arrow,
    /// Parquet with Zstandard.
    Parquet,
}

impl FileKind {
    /// The format of a file name's extension.
    pub fn by_extension(extension: &str) -> Option<Self> {
        match extension.to_ascii_lowercase().as_str() {
            "csv" => Some(Self::Csv),
            "ndjson" | "jsonl" => Some(Self::Ndjson),
            "arrow" | "feather" => Some(Self::Arrow),
            "parquet" | "pq" => Some(Self::Parquet),
            _ => None,
        }
    }
}

/// Writes batches of one table to a file.
pub enum TableWriter<W: Write + Send> {
    /// Comma-separated values.
    Csv(Box<arrow::csv::Writer<W>>),
    /// One JSON object per line.
    Ndjson(arrow::json::LineDelimitedWriter<Escaped<W>>),
    /// Arrow's own file format.
    Arrow(Box<arrow::ipc::writer::FileWriter<W>>),
    /// Parquet, for our own tables.
    Parquet(Box<ParquetWriter<W>>),
    /// Parquet, for any other batches, such as the result of a query.
    AnyParquet(Box<ArrowWriter<W>>),
}

impl<W: Write + Send> TableWriter<W> {
    /// Starts a file.
    ///
    /// # Errors
    /// When the output fails.
    pub fn new(kind: FileKind, schema: &SchemaRef, output: W) -> Result<Self, ArrowError> {
        Ok(match kind {
            FileKind::Csv => Self::Csv(Box::new(
                arrow::csv::WriterBuilder::new()
                    .with_header(true)
                    .build(output),
            )),
            FileKind::Ndjson => {
                let output = Escaped::new(output, Style::Json);
                Self::Ndjson(arrow::json::LineDelimitedWriter::new(output))
            }
            FileKind::Arrow => {
                // This format does not support a dictionary that grows between batches, so names are plain text.
                let plain = plain_schema(schema);
                Self::Arrow(Box::new(arrow::ipc::writer::FileWriter::try_new(
                    output, &plain,
                )?))
            }
            FileKind::Parquet if ParquetWriter::<W>::has(schema) => {
                Self::Parquet(Box::new(ParquetWriter::new(schema, output)?))
            }
            FileKind::Parquet => {
                let zstd = Compression::ZSTD(parquet::basic::ZstdLevel::default());
                let properties = WriterProperties::builder().set_compression(zstd).build();
                let writer = ArrowWriter::try_new(output, schema.clone(), Some(properties))?;
                Self::AnyParquet(Box::new(writer))
            }
        })
    }

    /// Writes a batch.
    ///
    /// # Errors
    /// When the output fails.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        match self {
            Self::Csv(writer) => writer.write(&guarded(batch)?),
            Self::Ndjson(writer) => writer.write(batch),
            Self::Arrow(writer) => writer.write(&plain(batch)?),
            Self::Parquet(writer) => Ok(writer.write(batch)?),
            Self::AnyParquet(writer) => Ok(writer.write(batch)?),
        }
    }

    /// Ends the file.
    ///
    /// # Errors
    /// When the output fails.
    pub fn finish(self) -> Result<(), ArrowError> {
        match self {
            Self::Csv(writer) => Ok(writer.into_inner().flush()?),
            Self::Ndjson(mut writer) => {
                writer.finish()?;
                Ok(writer.into_inner().flush()?)
            }
            Self::Arrow(mut writer) => writer.finish(),
            Self::Parquet(writer) => Ok(writer.close()?),
            Self::AnyParquet(writer) => Ok(writer.close().map(drop)?),
        }
    }
}

fn plain_schema(schema: &SchemaRef) -> SchemaRef {
    let fields = schema.fields().iter().map(|field| match field.data_type() {
        DataType::Dictionary(_, value) => {
            Field::new(field.name(), value.as_ref().clone(), field.is_nullable())
        }
        _ => field.as_ref().clone(),
    });
    std::sync::Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

fn plain(batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
    let schema = plain_schema(&batch.schema());
    let columns = batch
        .columns()
        .iter()
        .zip(schema.fields())
        .map(|(column, field)| {
            if column.data_type() == field.data_type() {
                return Ok::<ArrayRef, ArrowError>(column.clone());
            }
            cast(column, field.data_type())
        });
    RecordBatch::try_new(schema.clone(), columns.collect::<Result<_, _>>()?)
}
