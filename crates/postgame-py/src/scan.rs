//! One table of many recordings, on all cores.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use arrow::array::{RecordBatch, RecordBatchReader};
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use postgame_tables::Request;
use postgame_tables::input::Failure;
use postgame_tables::scan::Progress;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::capsule;
use crate::error::unread;
use crate::table::{Table, request};

/// So long is waited between looks for a signal: Ctrl-C is answered at once.
const PATIENCE: Duration = Duration::from_millis(50);

type Item = Result<RecordBatch, Failure>;

/// A scan that is under way.
struct Run {
    table: &'static str,
    schema: SchemaRef,
    /// `None` once it is over; its threads end when nobody takes their batches any more.
    items: Mutex<Option<Receiver<Item>>>,
    failures: Mutex<Vec<Failure>>,
    is_strict: bool,
    progress: Arc<Progress>,
    callback: Option<Py<PyAny>>,
    /// What the callback was told last.
    told: Mutex<u64>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Run {
    /// The next batch. An exception ends the scan.
    fn next(&self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        let next = self.wait(py);
        if !matches!(next, Ok(Some(_))) {
            *lock(&self.items) = None;
        }
        next
    }

    fn wait(&self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        loop {
            py.check_signals()?;
            let received = py.detach(|| {
                let items = lock(&self.items);
                let closed = Err(RecvTimeoutError::Disconnected);
                items
                    .as_ref()
                    .map_or(closed, |items| items.recv_timeout(PATIENCE))
            });
            self.tell(py)?;
            match received {
                Ok(Ok(batch)) => return Ok(Some(batch)),
                Ok(Err(failure)) if self.is_strict => return Err(unread(py, &failure)),
                Ok(Err(failure)) => lock(&self.failures).push(failure),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
    }

    /// Calls back when another file is done.
    fn tell(&self, py: Python<'_>) -> PyResult<()> {
        let Some(callback) = &self.callback else {
            return Ok(());
        };
        let files = self.progress.files.load(Ordering::Relaxed);
        if std::mem::replace(&mut *lock(&self.told), files) != files {
            let bytes = self.progress.bytes.load(Ordering::Relaxed);
            callback.call1(py, (files, bytes))?;
        }
        Ok(())
    }
}

/// A table of many recordings, which is made while it is read: an iterator over pieces of it, each a :class:`Table`, in
/// the order of the recordings. Arrow libraries take it as a stream. It can be read once.
#[pyclass(frozen, module = "postgame")]
pub struct Scan(Arc<Run>);

/// Makes one table of all recordings that some paths mean: files, folders, patterns and archives, on all cores.
///
/// With ``columns``, others are not made, and what only they need is not decoded. A recording that cannot be read is
/// left out and listed in ``failures``; with ``strict`` it is an :class:`Error`. ``progress`` is called with the number
/// of files and bytes done so far.
///
/// >>> scan = postgame.scan("samples", table="recordings", columns=["game", "map"])
/// >>> sum(len(piece) for piece in scan), scan.failures
/// (7, [])
#[pyfunction]
#[pyo3(signature = (
    paths, *, table, columns = None, fps = None, progress = None, threads = 0, batch_rows = 32_768, strict = false
))]
#[allow(
    clippy::too_many_arguments,
    reason = "they are keyword arguments in Python"
)]
pub fn scan(
    paths: &Bound<'_, PyAny>,
    table: &str,
    columns: Option<Vec<String>>,
    fps: Option<f64>,
    progress: Option<Py<PyAny>>,
    threads: usize,
    batch_rows: usize,
    strict: bool,
) -> PyResult<Scan> {
    let paths = match paths.extract::<PathBuf>() {
        Ok(path) => vec![path],
        Err(_) => paths
            .try_iter()?
            .map(|path| path?.extract::<PathBuf>())
            .collect::<PyResult<Vec<PathBuf>>>()?,
    };
    if batch_rows == 0 {
        return Err(PyValueError::new_err("a batch has at least one row"));
    }
    let (table, mut options) = request(table, columns, fps)?;
    options.batch_rows = batch_rows;
    let request = Request {
        options,
        threads,
        ..Request::new(table)
    };
    let scan = postgame_tables::scan(paths, request).map_err(capsule::failed)?;
    let (schema, progress_so_far) = (scan.schema(), scan.progress());
    // Its own thread waits for the scan, so that the one that asks can look for signals meanwhile.
    let (send, items) = sync_channel(1);
    std::thread::spawn(move || {
        for item in scan {
            if send.send(item).is_err() {
                return;
            }
        }
    });
    Ok(Scan(Arc::new(Run {
        table: table.name(),
        schema,
        items: Mutex::new(Some(items)),
        failures: Mutex::default(),
        is_strict: strict,
        progress: progress_so_far,
        callback: progress,
        told: Mutex::new(0),
    })))
}

#[pymethods]
impl Scan {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Table>> {
        let batch = self.0.next(py)?;
        let table = |batch| Table::new(self.0.table, Arc::clone(&self.0.schema), vec![batch]);
        Ok(batch.map(table))
    }

    /// All that is left of it, in memory.
    fn read_all(&self, py: Python<'_>) -> PyResult<Table> {
        let mut batches = Vec::new();
        while let Some(batch) = self.0.next(py)? {
            batches.push(batch);
        }
        Ok(Table::new(
            self.0.table,
            Arc::clone(&self.0.schema),
            batches,
        ))
    }

    /// The recordings that could not be read so far: their names, and why.
    #[getter]
    fn failures(&self) -> Vec<(String, String)> {
        let failures = lock(&self.0.failures);
        let failures = failures.iter();
        failures
            .map(|failure| (failure.name.clone(), failure.message.clone()))
            .collect()
    }

    /// The names of its columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        let fields = self.0.schema.fields().iter();
        fields.map(|field| field.name().clone()).collect()
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::schema(py, &self.0.schema)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A wish that may be left unanswered; whoever takes the stream converts it.
        let _ = requested_schema;
        capsule::stream(py, Box::new(Batches(Arc::clone(&self.0))))
    }

    fn __repr__(&self) -> String {
        let files = self.0.progress.files.load(Ordering::Relaxed);
        format!("<Scan of {}: {files} files so far>", self.0.table)
    }
}

/// The scan as Arrow's C interface reads it: on any thread, with the interpreter's lock or without it.
struct Batches(Arc<Run>);

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = Python::try_attach(|py| {
            self.0.next(py).map_err(|error| {
                if error.is_instance_of::<pyo3::exceptions::PyKeyboardInterrupt>(py) {
                    // Arrow carries a message, not an exception: so it is raised once more, where Python runs next.
                    let again = py
                        .import("_thread")
                        .and_then(|thread| thread.call_method0("interrupt_main"));
                    drop(again);
                }
                ArrowError::ExternalError(Box::new(error))
            })
        });
        // The interpreter is ending.
        next.unwrap_or(Ok(None)).transpose()
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.0.schema)
    }
}
