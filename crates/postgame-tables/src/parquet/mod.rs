//! Writes our tables as Parquet files.
//!
//! The general writer visits each value several times: for levels, statistics, a dictionary, its encoding. Our tables
//! are flat and use a dozen types, most columns have a value in every row, and names are numbered already. So pages are
//! encoded here, whole columns at a time, and the `parquet` crate writes the file around them.
//!
//! This encoder is 2 to 3 times as fast (bench/RESULTS.md, Our Parquet encoder). It goes when a tuned `ArrowWriter` comes
//! within 1.5 times of it on `frames_cars` and `updates`.
//!
//! - `column`: pages of values; `encode`: their encodings; `dictionary`: names
//! - `zstd`: compression

mod column;
mod dictionary;
mod encode;
#[cfg(test)]
mod tests;
mod zstd;

use std::io::Write;
use std::sync::Arc;

use arrow::datatypes::{Schema, SchemaRef};
use arrow::record_batch::RecordBatch;
use parquet::arrow::{ArrowSchemaConverter, add_encoded_arrow_schema_to_metadata};
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;

use column::Column;

/// Maximum number of rows in a row group, small enough that readers can divide a file among threads.
const ROW_GROUP_ROWS: usize = 512 * 1024;

/// Writes batches to a Parquet file.
pub struct ParquetWriter<W: Write + Send> {
    file: SerializedFileWriter<W>,
    columns: Vec<Column>,
    /// The rows of the row group so far.
    rows: usize,
}

impl<W: Write + Send> ParquetWriter<W> {
    /// True if tables of a schema can be written: flat ones, with the types in [`crate::kinds`].
    pub fn has(schema: &Schema) -> bool {
        let mut fields = schema.fields().iter();
        fields.all(|field| Column::has(field.data_type()))
    }

    /// Starts a file.
    ///
    /// # Errors
    /// When the output fails, or a column has a type that cannot be written.
    pub fn new(schema: &SchemaRef, output: W) -> Result<Self> {
        let mut properties = WriterProperties::default();
        add_encoded_arrow_schema_to_metadata(schema, &mut properties);
        let described = ArrowSchemaConverter::new().convert(schema)?;
        let root = described.root_schema_ptr();
        let file = SerializedFileWriter::new(output, root, Arc::new(properties))?;
        // The file's own schema, which chunks are checked against.
        let descriptors = file.schema_descr().columns().iter().cloned();
        let columns = schema
            .fields()
            .iter()
            .zip(descriptors)
            .map(|(field, descriptor)| Column::new(field.data_type(), descriptor));
        Ok(Self {
            columns: columns.collect::<Result<_>>()?,
            file,
            rows: 0,
        })
    }

    /// Writes a batch.
    ///
    /// # Errors
    /// When the output fails.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        if self.rows > 0 && self.rows + batch.num_rows() > ROW_GROUP_ROWS {
            self.flush()?;
        }
        for (column, array) in self.columns.iter_mut().zip(batch.columns()) {
            column.append(array)?;
        }
        self.rows += batch.num_rows();
        Ok(())
    }

    /// Ends a row group and frees its memory.
    ///
    /// # Errors
    /// When the output fails.
    pub fn flush(&mut self) -> Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        self.rows = 0;
        let mut group = self.file.next_row_group()?;
        for column in &mut self.columns {
            let (bytes, close) = column.finish()?;
            group.append_column(&bytes, close)?;
        }
        group.close()?;
        Ok(())
    }

    /// Memory of the row group so far, in bytes.
    pub fn memory_size(&self) -> usize {
        self.columns.iter().map(Column::memory_size).sum()
    }

    /// Ends the file.
    ///
    /// # Errors
    /// When the output fails.
    pub fn close(mut self) -> Result<()> {
        self.flush()?;
        self.file.close().map(drop)
    }
}
