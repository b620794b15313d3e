//! Tables: rows and columns that other libraries read without copying.

use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, RecordBatchIterator};
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use postgame_tables::npy::{Matrix, numeric_columns};
use postgame_tables::{Source, TableOptions, find};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyString};

use crate::arrays::Numbers;
use crate::capsule;
use crate::column::Column;

/// Maximum number of rows in a batch. A table of one recording is usually a single batch, so columns need not be
/// concatenated.
const BATCH_ROWS: usize = 1 << 22;

/// Maximum rate. No game computes more frames per second, and memory is bounded by it.
const MAX_FPS: f64 = 1000.0;

/// A table of a recording, or a piece of a scan. ``pyarrow.table(table)``, ``polars.DataFrame(table)``,
/// ``pandas.DataFrame.from_arrow(table)`` and DuckDB take it without copying.
///
/// >>> table = postgame.read("samples/duel.slp").table("players")
/// >>> table
/// <Table players: 2 rows, 6 columns>
/// >>> table["name"].to_numpy().tolist()
/// ['Ada', 'Ben']
#[pyclass(frozen, mapping, module = "postgame")]
pub struct Table {
    name: &'static str,
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl Table {
    /// A table of some batches.
    pub fn new(name: &'static str, schema: SchemaRef, batches: Vec<RecordBatch>) -> Self {
        Self {
            name,
            schema,
            batches,
        }
    }

    /// A table of one recording.
    pub fn of(
        py: Python<'_>,
        source: &Source,
        name: &str,
        columns: Option<Vec<String>>,
        fps: Option<f64>,
    ) -> PyResult<Self> {
        let (table, mut options) = request(name, columns, fps)?;
        options.batch_rows = BATCH_ROWS;
        if !table.is_of(source.recording.format()) {
            let game = source.recording.format().game();
            let message = format!("recordings of {game} have no table {name}");
            return Err(PyKeyError::new_err(message));
        }
        let made = py.detach(|| {
            let mut batches = Vec::new();
            table.fill(source, &options, &mut |batch| {
                batches.push(batch);
                Ok(())
            })?;
            Ok((options.project(&table.schema())?, batches))
        });
        let (schema, batches) = made.map_err(capsule::failed)?;
        Ok(Self::new(table.name(), schema, batches))
    }

    fn row_count(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }
}

/// Rejects an invalid rate.
pub fn check_fps(fps: Option<f64>) -> PyResult<()> {
    if fps.is_some_and(|fps| !(fps > 0.0 && fps <= MAX_FPS)) {
        let message = format!("fps is a number of rows a second, up to {MAX_FPS}");
        return Err(PyValueError::new_err(message));
    }
    Ok(())
}

/// The table with a name, and options for the wanted columns.
pub fn request(
    name: &str,
    columns: Option<Vec<String>>,
    fps: Option<f64>,
) -> PyResult<(&'static dyn postgame_tables::Table, TableOptions)> {
    let Some(table) = find(name) else {
        let names: Vec<&str> = postgame_tables::ALL
            .iter()
            .map(|table| table.name())
            .collect();
        let message = format!("there is no table {name}; there are {}", names.join(", "));
        return Err(PyKeyError::new_err(message));
    };
    check_fps(fps)?;
    let schema = table.schema();
    let place = |column: &String| {
        schema
            .index_of(column)
            .map_err(|_| PyKeyError::new_err(format!("{name} has no column {column}")))
    };
    let columns = columns
        .map(|columns| columns.iter().map(place).collect::<PyResult<Vec<usize>>>())
        .transpose()?;
    let options = TableOptions {
        fps,
        columns,
        ..TableOptions::default()
    };
    Ok((table, options))
}

#[pymethods]
impl Table {
    /// The table's name.
    #[getter]
    fn name(&self) -> &'static str {
        self.name
    }

    /// The names of its columns, with units.
    #[getter]
    fn columns(&self) -> Vec<String> {
        let fields = self.schema.fields().iter();
        fields.map(|field| field.name().clone()).collect()
    }

    /// Number of rows.
    #[getter]
    fn num_rows(&self) -> usize {
        self.row_count()
    }

    /// Number of columns.
    #[getter]
    fn num_columns(&self) -> usize {
        self.schema.fields().len()
    }

    /// Numeric and boolean columns as one matrix of 32-bit floats, rows by columns, with NaN for absent values, for
    /// machine learning. By default all such columns, in their order.
    ///
    /// >>> ball = postgame.read("samples/duel.replay").table("frames_ball")
    /// >>> ball.to_numpy(["x_uu", "y_uu", "z_uu"]).shape == (len(ball), 3)
    /// True
    #[pyo3(signature = (columns = None))]
    fn to_numpy<'py>(
        &self,
        py: Python<'py>,
        columns: Option<Vec<String>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let columns = columns.unwrap_or_else(|| numeric_columns(&self.schema));
        let width = columns.len();
        if width == 0 {
            return Err(PyValueError::new_err("there is no column of numbers in it"));
        }
        let values = py.detach(|| {
            let mut matrix = Matrix::new(columns);
            for batch in &self.batches {
                matrix.add(batch)?;
            }
            Ok::<_, ArrowError>(matrix.into_values())
        });
        let numbers = Numbers::Single {
            values: values.map_err(capsule::failed)?,
            width: Some(width),
        };
        numbers.into_array(py)
    }

    fn __getitem__(&self, py: Python<'_>, column: &Bound<'_, PyAny>) -> PyResult<Column> {
        let index = if let Ok(name) = column.cast::<PyString>() {
            let name = name.to_cow()?;
            self.schema
                .index_of(&name)
                .map_err(|_| PyKeyError::new_err(format!("{} has no column {name}", self.name)))?
        } else if let Ok(index) = column.extract::<usize>() {
            index
        } else {
            return Err(PyTypeError::new_err("a column's name or place"));
        };
        let Some(field) = self.schema.fields().get(index) else {
            return Err(PyIndexError::new_err("there is no such column"));
        };
        let chunks: Vec<ArrayRef> = self
            .batches
            .iter()
            .map(|batch| Arc::clone(batch.column(index)))
            .collect();
        Column::of(py, Arc::clone(field), &chunks)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::schema(py, &self.schema)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A requested schema may be ignored; the consumer converts the table.
        let _ = requested_schema;
        let batches = self.batches.clone().into_iter().map(Ok);
        let batches = RecordBatchIterator::new(batches, Arc::clone(&self.schema));
        capsule::stream(py, Box::new(batches))
    }

    fn __len__(&self) -> usize {
        self.row_count()
    }

    fn __repr__(&self) -> String {
        let (rows, columns) = (self.row_count(), self.schema.fields().len());
        format!("<Table {}: {rows} rows, {columns} columns>", self.name)
    }
}
