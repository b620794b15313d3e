//! Follows games while they are being played.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use postgame_files::live::{Address, Look, Options, Session};
use pyo3::exceptions::{PyTimeoutError, PyValueError};
use pyo3::prelude::*;

use crate::input::os_error;
use crate::json;
use crate::recording::Recording;

/// Interval between checks for signals, so that Ctrl-C works immediately.
const PATIENCE: Duration = Duration::from_millis(50);

/// An iterator over a Slippi game that is being played. It ends with the game.
#[pyclass(frozen, module = "postgame")]
pub struct Follow {
    source: PathBuf,
    timeout: Option<f64>,
    state: Mutex<State>,
}

struct State {
    session: Session,
    is_over: bool,
    saved: Option<PathBuf>,
}

/// Follows a Slippi game that is being played: an iterator over its events, one dictionary each, until the game ends.
/// ``source`` is a replay that is being recorded, or ``console://HOST[:PORT]``, ``relay://HOST[:PORT]`` or
/// ``dolphin://HOST[:PORT]``. A file that is truncated or replaced is read from its beginning again; a connection that is
/// lost is made again and goes on where it ended. Raises :class:`TimeoutError` if nothing new arrives for ``timeout``
/// seconds. With ``save``, games from the network are written to that folder.
///
/// >>> frames = [event["frame"] for event in postgame.follow("samples/duel.slp") if event["event"] == "finalised"]
/// >>> frames[0], frames[-1]
/// (-123, 1076)
#[pyfunction]
#[pyo3(signature = (source, *, timeout = None, save = None))]
pub fn follow(
    py: Python<'_>,
    source: PathBuf,
    timeout: Option<f64>,
    save: Option<PathBuf>,
) -> PyResult<Follow> {
    if timeout.is_some_and(|seconds| seconds.is_nan() || seconds < 0.0) {
        return Err(PyValueError::new_err("a timeout is a number from 0 up"));
    }
    let address = match source.to_str() {
        Some(text) => Address::parse(text).map_err(PyValueError::new_err)?,
        None => Address::File(source.clone()),
    };
    let session = py.detach(|| {
        let mut session = Session::open(address, Options::default())?;
        if let Some(folder) = save {
            session.save_to(folder)?;
        }
        Ok(session)
    });
    let session = session.map_err(|error: std::io::Error| os_error(&error, &source))?;
    Ok(Follow {
        source,
        timeout,
        state: Mutex::new(State {
            session,
            is_over: false,
            saved: None,
        }),
    })
}

impl Follow {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Follow {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        loop {
            py.check_signals()?;
            let look = py.detach(|| {
                let mut state = self.lock();
                if state.is_over {
                    return Ok(None);
                }
                let look = state.session.look(PATIENCE)?;
                if let Look::Ended { saved, .. } = look {
                    state.is_over = true;
                    state.saved = saved;
                    return Ok(None);
                }
                let silence = state.session.silence().as_secs_f64();
                Ok(Some((look, silence)))
            });
            match look.map_err(|error| os_error(&error, &self.source))? {
                None => return Ok(None),
                Some((Look::Event(event), _)) => {
                    let text = serde_json::to_string(&event);
                    return json::loads(py, &text.map_err(json::broken)?).map(Some);
                }
                Some((Look::Nothing | Look::Disconnected(_), silence))
                    if self.timeout.is_some_and(|timeout| silence >= timeout) =>
                {
                    let source = self.source.display();
                    return Err(PyTimeoutError::new_err(format!(
                        "{source}: nothing more came"
                    )));
                }
                Some(_) => {}
            }
        }
    }

    /// Everything that has arrived so far, as a recording; ``None`` before the game's start has arrived. The iterator
    /// then starts again: a file from the beginning, the network with the next game.
    fn finish(&self, py: Python<'_>) -> PyResult<Option<Recording>> {
        let replay = py.detach(|| {
            let mut state = self.lock();
            state.is_over = false;
            state.session.finish()
        });
        let replay = replay.map_err(|error: std::io::Error| os_error(&error, &self.source))?;
        Ok(replay.map(|replay| {
            Recording::new(
                postgame::Recording::Slippi(Box::new(replay)),
                postgame::Report::default(),
                &self.source.display().to_string(),
            )
        }))
    }

    /// The file that the game was saved to, once it is over.
    #[getter]
    fn saved(&self) -> Option<PathBuf> {
        self.lock().saved.clone()
    }
}
