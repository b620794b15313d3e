//! Follows replays while they are being recorded.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use postgame::slippi::live::{LiveEvent, LiveReader};
use postgame::slippi::model::messages::Message;
use postgame_files::follow::{Follower, GRACE, PAUSE};
use pyo3::exceptions::{PyTimeoutError, PyValueError};
use pyo3::prelude::*;

use crate::input::os_error;
use crate::json;
use crate::recording::Recording;

/// Interval between checks for signals, so that Ctrl-C works immediately.
const PATIENCE: Duration = Duration::from_millis(50);

/// An iterator over a Slippi replay that is being recorded. It ends with the game.
#[pyclass(frozen, module = "postgame")]
pub struct Follow {
    path: PathBuf,
    timeout: Option<f64>,
    state: Mutex<State>,
}

struct State {
    follower: Follower,
    reader: LiveReader,
    buffer: Vec<u8>,
    last_news: Instant,
    is_over: bool,
}

/// The result of looking for the next event.
enum Look {
    Event(Result<String, serde_json::Error>),
    Nothing,
    End,
    Late,
}

/// Follows a Slippi replay that is being recorded: an iterator over its events, one dictionary each, until the game
/// ends. A file that is truncated or replaced is read from its beginning again. Raises :class:`TimeoutError` if nothing
/// new arrives for ``timeout`` seconds.
///
/// >>> frames = [event["frame"] for event in postgame.follow("samples/duel.slp") if event["event"] == "finalised"]
/// >>> frames[0], frames[-1]
/// (-123, 1076)
#[pyfunction]
#[pyo3(signature = (path, *, timeout = None))]
pub fn follow(path: PathBuf, timeout: Option<f64>) -> PyResult<Follow> {
    if timeout.is_some_and(|seconds| seconds.is_nan() || seconds < 0.0) {
        return Err(PyValueError::new_err("a timeout is a number from 0 up"));
    }
    let follower = Follower::open(&path).map_err(|error| os_error(&error, &path))?;
    Ok(Follow {
        path,
        timeout,
        state: Mutex::new(State {
            follower,
            reader: LiveReader::new(),
            buffer: vec![0; 1 << 16],
            last_news: Instant::now(),
            is_over: false,
        }),
    })
}

impl State {
    /// Looks for the next event, for at most `PATIENCE`.
    fn look(&mut self, timeout: Option<f64>) -> std::io::Result<Look> {
        let begin = Instant::now();
        loop {
            if let Some(event) = self.reader.next_event() {
                self.is_over |= matches!(
                    event,
                    LiveEvent::Message {
                        message: Message::End { .. }
                    }
                );
                return Ok(Look::Event(serde_json::to_string(&event)));
            }
            let count = self.follower.read(&mut self.buffer)?;
            if count > 0 {
                self.last_news = Instant::now();
                self.reader
                    .push(self.buffer.get(..count).unwrap_or_default());
                continue;
            }
            let silence = self.last_news.elapsed();
            if self.reader.is_done() || self.is_over && silence >= GRACE {
                return Ok(Look::End);
            }
            if self.follower.has_begun_anew()? {
                self.reader = LiveReader::new();
                self.last_news = Instant::now();
                self.is_over = false;
                continue;
            }
            if self.reader.is_broken() {
                return Ok(Look::End);
            }
            if timeout.is_some_and(|timeout| silence.as_secs_f64() >= timeout) {
                return Ok(Look::Late);
            }
            if begin.elapsed() >= PATIENCE {
                return Ok(Look::Nothing);
            }
            std::thread::sleep(PAUSE);
        }
    }
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
            let look = py.detach(|| self.lock().look(self.timeout));
            match look.map_err(|error| os_error(&error, &self.path))? {
                Look::Event(text) => {
                    return json::loads(py, &text.map_err(json::broken)?).map(Some);
                }
                Look::Nothing => {}
                Look::End => return Ok(None),
                Look::Late => {
                    let file = self.path.display();
                    return Err(PyTimeoutError::new_err(format!(
                        "{file}: nothing more came"
                    )));
                }
            }
        }
    }

    /// Everything that has arrived so far, as a recording; ``None`` before the game's start has arrived. The iterator
    /// then starts again from the beginning.
    fn finish(&self, py: Python<'_>) -> PyResult<Option<Recording>> {
        let replay = py.detach(|| {
            let mut state = self.lock();
            let fresh = Follower::open(&self.path)?;
            state.follower = fresh;
            state.is_over = false;
            state.last_news = Instant::now();
            Ok(std::mem::take(&mut state.reader).finish())
        });
        let replay = replay.map_err(|error: std::io::Error| os_error(&error, &self.path))?;
        Ok(replay.map(|replay| {
            Recording::new(
                postgame::Recording::Slippi(Box::new(replay)),
                postgame::Report::default(),
                &self.path.display().to_string(),
            )
        }))
    }
}
