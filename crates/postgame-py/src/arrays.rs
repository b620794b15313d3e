//! Converts numbers to NumPy arrays and back. NumPy is imported when the first array is created, not before.

use postgame::timeline::{Sample, Values};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyByteArray, PyBytes};

/// Numbers for an array: rows of `width` values, or a single row if that is `None`.
pub enum Numbers {
    Single {
        values: Vec<f32>,
        width: Option<usize>,
    },
    Double(Vec<f64>),
    /// Text is not numeric: an array of objects.
    Names(Vec<Option<String>>),
}

impl Numbers {
    /// The values of a column, unchanged.
    pub fn of_column(values: &Values) -> Self {
        let samples: Vec<_> = (0..values.len()).map(|index| values.get(index)).collect();
        Self::of_samples(values, &samples)
    }

    /// Samples of a column; an absent value is NaN, or `None` if the values are names.
    pub fn of_samples(column: &Values, samples: &[Option<Sample<'_>>]) -> Self {
        let width = match column {
            Values::Position(_) => Some(3),
            Values::Rotation(_) | Values::Packed(_) => Some(4),
            Values::Scalar(_) | Values::Flag(_) => None,
            Values::Name { .. } => {
                let name = |sample: &Option<Sample<'_>>| match sample {
                    Some(Sample::Name(name)) => Some((*name).to_owned()),
                    _ => None,
                };
                return Self::Names(samples.iter().map(name).collect());
            }
        };
        let count = width.unwrap_or(1);
        let mut values = Vec::with_capacity(samples.len() * count);
        for sample in samples {
            match sample {
                Some(Sample::Position(position)) => values.extend(position),
                Some(Sample::Rotation(rotation)) => values.extend(rotation),
                Some(Sample::Scalar(value)) => values.push(*value),
                Some(Sample::Flag(value)) => values.push(f32::from(u8::from(*value))),
                Some(Sample::Name(_)) | None => values.extend(std::iter::repeat_n(f32::NAN, count)),
            }
        }
        Self::Single { values, width }
    }

    /// The array, writable and with its own memory.
    pub fn into_array(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let numpy = py.import("numpy")?;
        match self {
            Self::Single { values, width } => {
                let array = owned(&numpy, "<f4", values.iter().flat_map(|x| x.to_le_bytes()))?;
                match width {
                    Some(width) => array.call_method1("reshape", (-1, width)),
                    None => Ok(array),
                }
            }
            Self::Double(values) => {
                owned(&numpy, "<f8", values.iter().flat_map(|x| x.to_le_bytes()))
            }
            Self::Names(names) => numpy.call_method1("array", (names, "object")),
        }
    }
}

fn owned<'py>(
    numpy: &Bound<'py, PyModule>,
    dtype: &str,
    bytes: impl Iterator<Item = u8>,
) -> PyResult<Bound<'py, PyAny>> {
    let bytes: Vec<u8> = bytes.collect();
    numpy.call_method1("frombuffer", (PyByteArray::new(numpy.py(), &bytes), dtype))
}

/// The numbers of a float, a sequence of floats, or an array; and whether it was a single float.
pub fn times(times_s: &Bound<'_, PyAny>) -> PyResult<(Vec<f64>, bool)> {
    if let Ok(time_s) = times_s.extract::<f64>() {
        return Ok((vec![time_s], true));
    }
    let array = times_s
        .py()
        .import("numpy")?
        .call_method1("ascontiguousarray", (times_s, "<f8"))?;
    let bytes = array.call_method0("tobytes")?.cast_into::<PyBytes>()?;
    let bytes: PyBackedBytes = bytes.extract()?;
    let (numbers, _) = bytes.as_chunks::<8>();
    Ok((
        numbers.iter().map(|&x| f64::from_le_bytes(x)).collect(),
        false,
    ))
}
