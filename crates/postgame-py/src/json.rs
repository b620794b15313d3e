//! Converts values to Python and back via JSON, which is created with the GIL released and parsed by Python's own fast
//! parser. So a dictionary in Python has exactly the shape that `postgame --json` prints.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::Serialize;

/// A value as dictionaries, lists, text and numbers.
pub fn to_python<T: Serialize + Send>(py: Python<'_>, value: T) -> PyResult<Bound<'_, PyAny>> {
    let text = py
        .detach(move || serde_json::to_string(&value))
        .map_err(broken)?;
    loads(py, &text)
}

/// JSON as dictionaries, lists, text and numbers.
pub fn loads<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (text,))
}

/// The JSON of dictionaries, lists, text and numbers.
pub fn from_python(value: &Bound<'_, PyAny>) -> PyResult<serde_json::Value> {
    let text: String = value
        .py()
        .import("json")?
        .call_method1("dumps", (value,))?
        .extract()?;
    serde_json::from_str(&text).map_err(broken)
}

/// The exception for JSON that does not fit.
pub fn broken(error: serde_json::Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}
