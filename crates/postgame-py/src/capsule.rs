//! Arrow's C interface in capsules, which pyarrow, Polars, pandas and DuckDB read without copying.

use std::ffi::CStr;

use arrow::array::{ArrayRef, RecordBatchReader};
use arrow::datatypes::{Field, Schema};
use arrow::error::ArrowError;
use arrow::ffi::{FFI_ArrowSchema, to_ffi};
use arrow::ffi_stream::FFI_ArrowArrayStream;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// A stream of record batches.
pub fn stream<'py>(
    py: Python<'py>,
    batches: Box<dyn RecordBatchReader + Send>,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(batches), STREAM)
}

/// The types of a table's columns.
pub fn schema<'py>(py: Python<'py>, schema: &Schema) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(schema).map_err(failed)?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// The type of a column.
pub fn field<'py>(py: Python<'py>, field: &Field) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(field).map_err(failed)?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// A column: its type and its values.
pub fn array<'py>(
    py: Python<'py>,
    of: &Field,
    array: &ArrayRef,
) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    let (values, _) = to_ffi(&array.to_data()).map_err(failed)?;
    Ok((
        field(py, of)?,
        PyCapsule::new_with_value(py, values, ARRAY)?,
    ))
}

/// The exception for an Arrow error.
pub fn failed(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
