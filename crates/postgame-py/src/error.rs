//! Exceptions.

use postgame::error::{Place, Space};
use postgame::report::Finding;
use postgame::{Format, Severity};
use postgame_files::Failure;
use pyo3::prelude::*;

/// The fields of a `postgame.Error`.
struct Facts<'a> {
    message: String,
    file: Option<&'a str>,
    format: Option<Format>,
    path: String,
    place: Option<Place>,
}

/// The exception for a library error.
pub fn raised(py: Python<'_>, error: &postgame::Error, file: Option<&str>) -> PyErr {
    let facts = Facts {
        message: error.to_string(),
        file,
        format: error.format(),
        path: error.path(),
        place: error.place(),
    };
    facts.into_exception(py)
}

/// The exception for lost data in strict mode: the first such finding.
pub fn lost(
    py: Python<'_>,
    report: &postgame::Report,
    format: Format,
    file: Option<&str>,
) -> Option<PyErr> {
    let is_lost = |finding: &&Finding| finding.severity == Severity::Lost;
    let finding = report.findings().iter().find(is_lost)?;
    let facts = Facts {
        message: format!("{format}: {finding}"),
        file,
        format: Some(format),
        path: finding.path.clone(),
        place: finding.place,
    };
    Some(facts.into_exception(py))
}

/// The exception for an operation that a recording of this format does not support.
pub fn refused(py: Python<'_>, format: Format, message: impl Into<String>) -> PyErr {
    raised(
        py,
        &postgame::Error::invalid(message).in_format(format),
        None,
    )
}

/// The exception for a recording of a scan that could not be read.
pub fn unread(py: Python<'_>, failure: &Failure) -> PyErr {
    let facts = Facts {
        message: failure.message.clone(),
        file: Some(&failure.name),
        format: None,
        path: String::new(),
        place: None,
    };
    facts.into_exception(py)
}

impl Facts<'_> {
    fn into_exception(self, py: Python<'_>) -> PyErr {
        self.exception(py).unwrap_or_else(|error| error)
    }

    fn exception(self, py: Python<'_>) -> PyResult<PyErr> {
        let message = match self.file {
            Some(file) => format!("{file}: {}", self.message),
            None => self.message,
        };
        let class = py.import("postgame._error")?.getattr("Error")?;
        let exception = class.call1((message,))?;
        exception.setattr("file", self.file)?;
        exception.setattr("format", self.format.map(Format::id))?;
        exception.setattr("path", self.path)?;
        exception.setattr("offset", self.place.map(|place| place.offset))?;
        exception.setattr("bit", self.place.and_then(|place| place.bit))?;
        exception.setattr("space", self.place.map(|place| space(place.space)))?;
        Ok(PyErr::from_value(exception))
    }
}

/// The data in which an offset counts.
pub fn space(space: Space) -> &'static str {
    match space {
        Space::File => "file",
        Space::Inflated => "inflated",
    }
}
