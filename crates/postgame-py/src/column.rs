//! A column of a table, and its numbers as a NumPy array.

use arrow::array::{Array as _, ArrayRef, AsArray as _};
use arrow::buffer::Buffer;
use arrow::compute::{cast, concat};
use arrow::datatypes::{DataType, FieldRef, Float32Type, Float64Type, Int64Type, TimeUnit};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

use crate::arrays::Numbers;
use crate::capsule;

/// A column of a table. ``pyarrow.array(column)`` and ``polars.Series(column)`` take it without copying.
///
/// >>> table = postgame.read("samples/duel.slp").table("frames")
/// >>> table["frame"].to_numpy()[:3].tolist()
/// [-123, -122, -121]
#[pyclass(frozen, module = "postgame")]
pub struct Column {
    field: FieldRef,
    values: ArrayRef,
}

impl Column {
    /// A column from its chunks; several of them are concatenated.
    pub fn of(py: Python<'_>, field: FieldRef, chunks: &[ArrayRef]) -> PyResult<Self> {
        let values = match chunks {
            [one] => ArrayRef::clone(one),
            [] => arrow::array::new_empty_array(field.data_type()),
            many => {
                let many: Vec<&dyn arrow::array::Array> = many.iter().map(AsRef::as_ref).collect();
                py.detach(|| concat(&many)).map_err(capsule::failed)?
            }
        };
        Ok(Self { field, values })
    }
}

#[pymethods]
impl Column {
    /// Its name, with the unit.
    #[getter]
    fn name(&self) -> &str {
        self.field.name()
    }

    /// Its Arrow type.
    #[getter]
    fn r#type(&self) -> String {
        self.field.data_type().to_string()
    }

    /// Number of absent values.
    #[getter]
    fn null_count(&self) -> usize {
        self.values.null_count()
    }

    /// The values as an array. Numbers without absent values are not copied, and that array is read-only; otherwise
    /// absent values are NaN. Text is an array of objects, with ``None``.
    fn to_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let numpy = py.import("numpy")?;
        let data_type = self.values.data_type();
        if self.values.null_count() == 0
            && let Some(typestr) = numpy_type(data_type)
        {
            return numpy.call_method1("asarray", (View::of(&self.values, typestr),));
        }
        let to = |data_type| cast(&self.values, &data_type).map_err(capsule::failed);
        match data_type {
            DataType::Timestamp(unit, _) => {
                let unit = time_unit(*unit);
                let values = to(DataType::Int64)?;
                // The minimum is NumPy's "not a time".
                let values = values.as_primitive::<Int64Type>().iter();
                let numbers: Vec<i64> = values.map(|value| value.unwrap_or(i64::MIN)).collect();
                let array = numpy.call_method1("array", (numbers, "<i8"))?;
                array.call_method1("view", (format!("<M8[{unit}]"),))
            }
            DataType::Boolean if self.values.null_count() == 0 => {
                let flags: Vec<bool> = self.values.as_boolean().values().iter().collect();
                numpy.call_method1("array", (flags, "?"))
            }
            DataType::Float32 => {
                let values = self.values.as_primitive::<Float32Type>().iter();
                let values = values.map(|value| value.unwrap_or(f32::NAN)).collect();
                Numbers::Single {
                    values,
                    width: None,
                }
                .into_array(py)
            }
            number if number.is_numeric() || *number == DataType::Boolean => {
                let values = to(DataType::Float64)?;
                let values = values.as_primitive::<Float64Type>().iter();
                let values = values.map(|value| value.unwrap_or(f64::NAN)).collect();
                Numbers::Double(values).into_array(py)
            }
            DataType::Utf8
            | DataType::LargeUtf8
            | DataType::Utf8View
            | DataType::Dictionary(..) => {
                let values = to(DataType::Utf8)?;
                let texts = values.as_string::<i32>().iter();
                Numbers::Names(texts.map(|text| text.map(str::to_owned)).collect()).into_array(py)
            }
            other => Err(PyTypeError::new_err(format!(
                "NumPy has no type for {other}: use pyarrow.array(column)"
            ))),
        }
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::field(py, &self.field)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        // A requested type may be ignored; the consumer converts the column.
        let _ = requested_schema;
        capsule::array(py, &self.field, &self.values)
    }

    fn __len__(&self) -> usize {
        self.values.len()
    }

    fn __repr__(&self) -> String {
        let (name, data_type) = (self.field.name(), self.field.data_type());
        format!("<Column {name}: {data_type}, {} values>", self.values.len())
    }
}

fn time_unit(unit: TimeUnit) -> &'static str {
    match unit {
        TimeUnit::Second => "s",
        TimeUnit::Millisecond => "ms",
        TimeUnit::Microsecond => "us",
        TimeUnit::Nanosecond => "ns",
    }
}

/// NumPy's name of a numeric type with the same memory layout.
fn numpy_type(data_type: &DataType) -> Option<&'static str> {
    Some(match data_type {
        DataType::Int8 => "|i1",
        DataType::Int16 => "<i2",
        DataType::Int32 => "<i4",
        DataType::Int64 => "<i8",
        DataType::UInt8 => "|u1",
        DataType::UInt16 => "<u2",
        DataType::UInt32 => "<u4",
        DataType::UInt64 => "<u8",
        DataType::Float32 => "<f4",
        DataType::Float64 => "<f8",
        _ => return None,
    })
}

/// A column's numbers in place; NumPy keeps this object alive as long as its array.
#[pyclass(frozen)]
struct View {
    buffer: Buffer,
    length: usize,
    typestr: &'static str,
}

impl View {
    fn of(values: &ArrayRef, typestr: &'static str) -> Self {
        let data = values.to_data();
        let width = values.data_type().primitive_width().unwrap_or(1);
        let bytes = data.buffers().first().cloned().unwrap_or_default();
        Self {
            buffer: bytes.slice_with_length(data.offset() * width, data.len() * width),
            length: data.len(),
            typestr,
        }
    }
}

#[pymethods]
impl View {
    /// NumPy's array interface for foreign memory: an address, read-only.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("shape", (self.length,))?;
        interface.set_item("typestr", self.typestr)?;
        interface.set_item("data", (self.buffer.as_ptr() as usize, true))?;
        Ok(interface)
    }
}
