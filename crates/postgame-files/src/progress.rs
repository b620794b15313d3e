//! A line on the terminal that shows how far a command is.
//!
//! It is written to standard error, and only if that is a terminal.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::find::total_bytes;
use crate::text::printable;

/// Interval between two drawings. The first one is that long after the start, so that short commands draw nothing.
const INTERVAL: Duration = Duration::from_millis(250);

/// Moves to the start of the line and clears it.
pub const CLEAR_LINE: &str = "\r\x1b[K";

/// Number of recordings that are done, and their size.
#[derive(Debug, Default)]
pub struct Progress {
    /// Recordings, including those that could not be read.
    pub files: AtomicU64,
    /// Their size.
    pub bytes: AtomicU64,
}

impl Progress {
    /// Counts a recording.
    pub fn done(&self, bytes: u64) {
        self.files.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// The counts so far.
    pub fn status(&self) -> Status {
        Status::Done {
            files: self.files.load(Ordering::Relaxed),
            bytes: self.bytes.load(Ordering::Relaxed),
        }
    }
}

/// What the line shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// Number of recordings that are done, and their size.
    Done {
        /// Recordings.
        files: u64,
        /// Bytes.
        bytes: u64,
    },
    /// Waiting for something else.
    Waiting(String),
}

/// The line, until it is dropped.
#[derive(Debug)]
pub struct Line {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Line {
    /// Shows a line for the recordings at some paths; nothing if standard error is not a terminal.
    pub fn show(paths: Vec<PathBuf>, status: impl Fn() -> Status + Send + 'static) -> Self {
        let (end, ended) = channel();
        let draw = move || {
            let start = Instant::now();
            let total = total_bytes(&paths);
            while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                let text = match status() {
                    Status::Waiting(text) => text,
                    Status::Done { files, bytes } => {
                        line(files, bytes, total, start.elapsed().as_secs_f64())
                    }
                };
                write(&format!("{CLEAR_LINE}{}", printable(&text)));
            }
            write(CLEAR_LINE);
        };
        let thread = match io::stderr().is_terminal() {
            // Without a thread there is no line, which is no reason to stop.
            true => thread::Builder::new().spawn(draw).ok(),
            false => None,
        };
        Self {
            end: Some(end),
            thread,
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.end = None;
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

/// In one call, so that messages of other threads stay apart. A terminal that went away is no reason to stop.
fn write(text: &str) {
    let mut stderr = io::stderr().lock();
    drop(stderr.write_all(text.as_bytes()));
    drop(stderr.flush());
}

/// `[#####     ] 1200 recordings, 850 MB, 210 a second, 0:12 left`
fn line(files: u64, bytes: u64, total: u64, elapsed_s: f64) -> String {
    const WIDTH: usize = 20;
    // Recordings in archives are larger than the archive: then the rest is unknown.
    let part = (bytes as f64 / total.max(1) as f64).min(1.0);
    let filled = (part * WIDTH as f64) as usize;
    let rate = files as f64 / elapsed_s.max(1e-3);
    let left = if part > 0.01 && bytes < total {
        let left_s = (elapsed_s / part * (1.0 - part)) as u64;
        format!(", {}:{:02} left", left_s / 60, left_s % 60)
    } else {
        String::new()
    };
    format!(
        "[{}{}] {files} recordings, {} MB, {rate:.0} a second{left}",
        "#".repeat(filled),
        " ".repeat(WIDTH - filled),
        bytes / 1_000_000
    )
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn the_line_has_rate_and_time_left() {
        assert_eq!(
            line(100, 50_000_000, 200_000_000, 25.0),
            "[#####               ] 100 recordings, 50 MB, 4 a second, 1:15 left"
        );
        assert_eq!(
            line(3, 50, 10, 1.0),
            "[####################] 3 recordings, 0 MB, 3 a second"
        );
    }
}
