//! One table of many recordings, on all cores.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use arrow::array::{RecordBatch, RecordBatchReader};
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use postgame::limits::Limits;
use postgame_tables::Request;
use postgame_tables::input::{Failure, Only};
use postgame_tables::scan::Progress;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::capsule;
use crate::error::unread;
use crate::table::{Table, request};

/// Interval between checks for signals, so that Ctrl-C works immediately.
const PATIENCE: Duration = Duration::from_millis(50);

type Item = Result<RecordBatch, Failure>;

/// A running scan.
struct Run {
    table: &'static str,
    schema: SchemaRef,
    /// `None` once it is over; its threads end when the receiver of their batches is gone.
    items: Mutex<Option<Receiver<Item>>>,
    failures: Mutex<Vec<Failure>>,
    is_strict: bool,
    progress: Arc<Progress>,
    callback: Option<Py<PyAny>>,
    /// The last values passed to the callback.
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
                Ok(Err(failure)) if self.is_strict && failure.skipped == 0 => {
                    return Err(unread(py, &failure));
                }
                Ok(Err(failure)) => lock(&self.failures).push(failure),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
    }

    /// Calls the callback when another file is done.
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

/// A table of many recordings, which is built while it is read: an iterator over pieces of it, each a :class:`Table`,
/// in the order of the recordings. Arrow libraries read it as a stream. It can be read once.
#[pyclass(frozen, module = "postgame")]
pub struct Scan(Arc<Run>);

/// Builds one table of all recordings at some paths (files, folders, patterns and archives), on all cores.
///
/// With ``columns``, other columns are not built, and data that only they need is not decoded. A recording that cannot
/// be read is skipped and listed in ``failures``; with ``strict`` it raises an :class:`Error`. FIFOs, sockets and
/// devices in folders are not opened, which ``failures`` reports once per folder. ``progress`` is called with the
/// number of files and bytes done so far. Each recording may take ``max_memory`` bytes; the default is 64 MB plus 20
/// times the file size.
///
/// >>> scan = postgame.scan("samples", table="recordings", columns=["game", "map"])
/// >>> sum(len(piece) for piece in scan), scan.failures
/// (9, [])
#[pyfunction]
#[pyo3(signature = (
    paths, *, table, columns = None, fps = None, progress = None, threads = 0, batch_rows = 32_768, strict = false,
    max_memory = None
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
    max_memory: Option<u64>,
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
        only: Only {
            limits: Limits {
                max_memory_bytes: max_memory,
            },
            ..Only::default()
        },
        ..Request::new(table)
    };
    let scan = postgame_tables::scan(paths, request).map_err(capsule::failed)?;
    let (schema, progress_so_far) = (scan.schema(), scan.progress());
    // A separate thread waits for the scan, so that the calling thread can check for signals meanwhile.
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

    /// The rest of the table, in memory.
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

    /// The recordings that could not be read so far: their names and the reasons.
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
        // A requested schema may be ignored; the consumer converts the stream.
        let _ = requested_schema;
        capsule::stream(py, Box::new(Batches(Arc::clone(&self.0))))
    }

    fn __repr__(&self) -> String {
        let files = self.0.progress.files.load(Ordering::Relaxed);
        format!("<Scan of {}: {files} files so far>", self.0.table)
    }
}

/// The scan as read by Arrow's C interface: on any thread, with or without the GIL.
struct Batches(Arc<Run>);

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = Python::try_attach(|py| {
            self.0.next(py).map_err(|error| {
                if error.is_instance_of::<pyo3::exceptions::PyKeyboardInterrupt>(py) {
                    // Arrow passes a message, not an exception, so the exception is raised again when Python runs next.
                    let again = py
                        .import("_thread")
                        .and_then(|thread| thread.call_method0("interrupt_main"));
                    drop(again);
                }
                ArrowError::ExternalError(Box::new(error))
            })
        });
        // The interpreter is shutting down.
        next.unwrap_or(Ok(None)).transpose()
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.0.schema)
    }
}
