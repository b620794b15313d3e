//! The report of a repair.

use pyo3::prelude::*;

/// One step of a repair.
#[pyclass(frozen, module = "postgame")]
pub struct RepairStep(postgame::RepairStep);

#[pymethods]
impl RepairStep {
    /// The change, in one sentence.
    #[getter]
    fn action(&self) -> &str {
        &self.0.action
    }

    /// The lost data: a dictionary of ``frames``, ``seconds``, ``objects`` and ``bytes``, each ``None`` if it is not
    /// known; ``None`` if the step lost nothing.
    #[getter]
    fn lost<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, pyo3::types::PyDict>>> {
        let Some(postgame::Loss {
            frames,
            seconds,
            objects,
            bytes,
        }) = self.0.lost
        else {
            return Ok(None);
        };
        let lost = pyo3::types::PyDict::new(py);
        lost.set_item("frames", frames)?;
        lost.set_item("seconds", seconds)?;
        lost.set_item("objects", objects)?;
        lost.set_item("bytes", bytes)?;
        Ok(Some(lost))
    }

    /// Contents that may differ from the original recording, and why; ``None`` if the step's result is proven.
    #[getter]
    fn suspect(&self) -> Option<&str> {
        self.0.suspect.as_deref()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<RepairStep {}>", self.0)
    }
}

/// All steps of a repair.
#[pyclass(frozen, module = "postgame")]
pub struct Repair(pub postgame::Repair);

#[pymethods]
impl Repair {
    /// ``"unchanged"``, ``"proven"`` (the result is provably the original), ``"suspect"`` (nothing proves it) or
    /// ``"lost"`` (data is lost).
    #[getter]
    fn verdict(&self) -> String {
        self.0.verdict().to_string()
    }

    /// True if the result is provably the original, or nothing was wrong.
    #[getter]
    fn is_proven(&self) -> bool {
        self.0.verdict() <= postgame::Verdict::Proven
    }

    /// The steps, in order.
    #[getter]
    fn steps(&self) -> Vec<RepairStep> {
        self.0.steps.iter().cloned().map(RepairStep).collect()
    }

    fn __len__(&self) -> usize {
        self.0.steps.len()
    }

    fn __str__(&self) -> String {
        let lines: Vec<String> = self.0.steps.iter().map(ToString::to_string).collect();
        lines.join("\n")
    }

    fn __repr__(&self) -> String {
        format!(
            "<Repair: {}, {} steps>",
            self.0.verdict(),
            self.0.steps.len()
        )
    }
}
