//! NumPy matrices for machine learning: rows by columns of 32-bit floats, with a list of column names.

use std::io::{self, Write};

use arrow::array::{Array as _, AsArray as _, Float32Array};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Float32Type, SchemaRef};
use arrow::error::ArrowError;
use arrow::record_batch::RecordBatch;

/// The numeric and boolean columns of a table, by name.
pub fn numeric_columns(schema: &SchemaRef) -> Vec<String> {
    let is_number =
        |data_type: &DataType| data_type.is_numeric() || *data_type == DataType::Boolean;
    schema
        .fields()
        .iter()
        .filter(|field| is_number(field.data_type()))
        .map(|field| field.name().clone())
        .collect()
}

/// Collects rows for a matrix. The file's header states the number of rows, so they are written at the end.
#[derive(Debug)]
pub struct Matrix {
    columns: Vec<String>,
    values: Vec<f32>,
}

impl Matrix {
    /// An empty matrix with these columns.
    pub fn new(columns: Vec<String>) -> Self {
        Self {
            columns,
            values: Vec::new(),
        }
    }

    /// Adds the rows of a batch; null becomes NaN.
    ///
    /// # Errors
    /// When a column is missing or not numeric.
    pub fn add(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        let mut columns: Vec<Float32Array> = Vec::with_capacity(self.columns.len());
        for name in &self.columns {
            let missing = || ArrowError::SchemaError(format!("there is no column {name}"));
            let column = batch.column_by_name(name).ok_or_else(missing)?;
            columns.push(
                cast(column, &DataType::Float32)?
                    .as_primitive::<Float32Type>()
                    .clone(),
            );
        }
        self.values.reserve(batch.num_rows() * columns.len());
        for row in 0..batch.num_rows() {
            let cells = columns.iter().map(|column| {
                if column.is_null(row) {
                    f32::NAN
                } else {
                    column.value(row)
                }
            });
            self.values.extend(cells);
        }
        Ok(())
    }

    /// Adds several rows in row-major order.
    pub fn add_rows(&mut self, values: &[f32]) {
        self.values.extend_from_slice(values);
    }

    /// The names of the columns.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The values, row by row.
    pub fn into_values(self) -> Vec<f32> {
        self.values
    }

    /// Writes the `.npy` file, format version 1.0.
    ///
    /// # Errors
    /// When the output fails.
    pub fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let width = self.columns.len();
        let rows = self.values.len().checked_div(width).unwrap_or(0);
        let mut header =
            format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {width}), }}");
        // The data starts at a multiple of 64; ten bytes precede the header, and a line feed ends it.
        let padding = (64 - (10 + header.len() + 1) % 64) % 64;
        header.extend(std::iter::repeat_n(' ', padding));
        header.push('\n');
        output.write_all(b"\x93NUMPY\x01\x00")?;
        output.write_all(&(header.len() as u16).to_le_bytes())?;
        output.write_all(header.as_bytes())?;
        for value in &self.values {
            output.write_all(&value.to_le_bytes())?;
        }
        Ok(())
    }
}
