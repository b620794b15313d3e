//! Inputs from Python: a path, bytes, or an open file.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use pyo3::exceptions::{PyOSError, PyTypeError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView};

/// An input.
pub enum Input {
    /// A file that has not been read yet.
    Path(PathBuf),
    /// The contents, and the name of the file they came from.
    Bytes(PyBackedBytes, Option<String>),
}

impl Input {
    /// Takes `str`, `os.PathLike`, `bytes`, `bytearray`, `memoryview`, or anything with `read()`.
    pub fn of(source: &Bound<'_, PyAny>) -> PyResult<Self> {
        if source.is_instance_of::<PyBytes>() {
            return Ok(Self::Bytes(source.extract()?, None));
        }
        if source.is_instance_of::<PyByteArray>() || source.is_instance_of::<PyMemoryView>() {
            let bytes = source.py().get_type::<PyBytes>().call1((source,))?;
            return Ok(Self::Bytes(bytes.extract()?, None));
        }
        if source.hasattr("read")? {
            let contents = source.call_method0("read")?;
            let Ok(bytes) = contents.extract::<PyBackedBytes>() else {
                return Err(PyTypeError::new_err(
                    "read() gave no bytes: open the file in binary mode",
                ));
            };
            let name = source.getattr("name").and_then(|name| name.extract());
            return Ok(Self::Bytes(bytes, name.ok()));
        }
        match source.extract::<PathBuf>() {
            Ok(path) => Ok(Self::Path(path)),
            Err(_) => Err(PyTypeError::new_err(format!(
                "a path, bytes or an open file, not {}",
                source.get_type().name()?
            ))),
        }
    }

    /// The input's name in messages.
    pub fn file(&self) -> Option<String> {
        match self {
            Self::Path(path) => Some(path.display().to_string()),
            Self::Bytes(_, name) => name.clone(),
        }
    }

    /// The contents. Call this with the GIL released.
    pub fn load(&self) -> io::Result<Cow<'_, [u8]>> {
        match self {
            Self::Path(path) => postgame_files::input::read(path).map(Cow::Owned),
            Self::Bytes(bytes, _) => Ok(Cow::Borrowed(bytes)),
        }
    }
}

/// The `OSError` for a file, of the subclass for its error number.
pub fn os_error(error: &io::Error, path: &Path) -> PyErr {
    let Some(number) = error_number(error) else {
        return PyOSError::new_err(format!("{}: {error}", path.display()));
    };
    // The system's message ends with the number, which OSError adds by itself.
    let text = error.to_string();
    let message = text.split(" (os error").next().unwrap_or_default();
    PyOSError::new_err((number, message.to_owned(), path.as_os_str().to_owned()))
}

/// The system's number of an error. Errors that were given a path on their way have only a kind; the numbers of these
/// kinds are the same on every system that Python runs on.
fn error_number(error: &io::Error) -> Option<i32> {
    error.raw_os_error().or(match error.kind() {
        io::ErrorKind::NotFound => Some(2),
        io::ErrorKind::PermissionDenied => Some(13),
        io::ErrorKind::AlreadyExists => Some(17),
        io::ErrorKind::NotADirectory => Some(20),
        io::ErrorKind::IsADirectory => Some(21),
        io::ErrorKind::StorageFull => Some(28),
        io::ErrorKind::ReadOnlyFilesystem => Some(30),
        _ => None,
    })
}

impl Input {
    /// The `OSError` for this file.
    pub fn os_error(&self, error: &io::Error) -> PyErr {
        match self {
            Self::Path(path) => os_error(error, path),
            Self::Bytes(..) => PyOSError::new_err(error.to_string()),
        }
    }
}

/// Writes a file; if that fails, an existing file is unchanged.
pub fn write_file(py: Python<'_>, path: &Path, bytes: &[u8]) -> PyResult<()> {
    py.detach(|| postgame_files::write_aside(path, |error| error, |output| output.write_all(bytes)))
        .map_err(|error| os_error(&error, path))
}
