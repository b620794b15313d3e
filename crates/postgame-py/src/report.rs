//! Findings.

use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList};

use crate::error::space;

/// A finding about a recording: a note, something odd, or lost data.
#[pyclass(frozen, module = "postgame")]
pub struct Finding(postgame::Finding);

#[pymethods]
impl Finding {
    /// ``"note"`` (for information), ``"odd"`` (a contradiction) or ``"lost"`` (data that could not be read).
    #[getter]
    fn severity(&self) -> String {
        self.0.severity.to_string()
    }

    /// A short stable name for this kind of finding.
    #[getter]
    fn code(&self) -> &str {
        self.0.code
    }

    /// The path through the file's structure; empty for the file as a whole.
    #[getter]
    fn path(&self) -> &str {
        &self.0.path
    }

    /// The byte offset, if there is one.
    #[getter]
    fn offset(&self) -> Option<u64> {
        self.0.place.map(|place| place.offset)
    }

    /// The data in which the offset counts: ``"file"``, or ``"inflated"`` for the contents after decompression.
    #[getter]
    fn space(&self) -> Option<&'static str> {
        self.0.place.map(|place| space(place.space))
    }

    /// The finding as text.
    #[getter]
    fn message(&self) -> &str {
        &self.0.message
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Finding {}>", self.0)
    }
}

/// All findings about a recording, in the order they were added.
///
/// >>> report = postgame.read("samples/bout.replay").check()
/// >>> report.is_clean, len(report)
/// (True, 0)
#[pyclass(frozen, sequence, module = "postgame")]
pub struct Report(pub postgame::Report);

#[pymethods]
impl Report {
    /// True if no finding is more serious than a note.
    #[getter]
    fn is_clean(&self) -> bool {
        self.0.is_clean()
    }

    /// The most serious finding's severity; ``None`` if there are no findings.
    #[getter]
    fn worst(&self) -> Option<String> {
        self.0.worst().map(|severity| severity.to_string())
    }

    /// The findings.
    #[getter]
    fn findings(&self) -> Vec<Finding> {
        self.0.findings().iter().cloned().map(Finding).collect()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.findings())?.try_iter()
    }

    fn __len__(&self) -> usize {
        self.0.findings().len()
    }

    fn __getitem__(&self, index: isize) -> PyResult<Finding> {
        let findings = self.0.findings();
        let from_end = || index.checked_add_unsigned(findings.len());
        let index = if index < 0 { from_end() } else { Some(index) };
        index
            .and_then(|index| findings.get(usize::try_from(index).ok()?))
            .map(|finding| Finding(finding.clone()))
            .ok_or_else(|| pyo3::exceptions::PyIndexError::new_err("there is no such finding"))
    }

    fn __str__(&self) -> String {
        let lines: Vec<String> = self.0.findings().iter().map(ToString::to_string).collect();
        lines.join("\n")
    }

    fn __repr__(&self) -> String {
        match self.0.worst() {
            Some(worst) => format!("<Report: {} findings, worst {worst}>", self.__len__()),
            None => "<Report: clean>".to_owned(),
        }
    }
}
