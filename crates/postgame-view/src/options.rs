//! How the server behaves: its limits, and how it reads a file.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Limits that keep a client from taking the server away from all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Open connections. Beyond that the one that has been idle longest is closed for a new one.
    pub connections: usize,
    /// How long the head of a request may take, from the end of the request before it, or from connecting.
    pub head: Duration,
    /// How long a client may leave an answer unread before its connection is closed.
    pub stalled: Duration,
    /// Recordings that are read at the same time.
    pub readers: usize,
    /// Answers that are computed at the same time.
    pub answers: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            // A browser opens six for each host; with 256 descriptors, which is the default of some systems, more than half
            // are left for files.
            connections: 100,
            // The page answers at once; a person's computer that was asleep connects anew.
            head: Duration::from_secs(15),
            stalled: Duration::from_secs(30),
            // Each may take gigabytes, for the largest saves.
            readers: 4,
            answers: 4,
        }
    }
}

/// Returns the contents of a file.
pub type ReadFile = Arc<dyn Fn(&Path) -> io::Result<Vec<u8>> + Send + Sync>;

/// How the server behaves.
#[derive(Clone)]
pub struct Options {
    /// What a client may take.
    pub limits: Limits,
    /// How much memory each recording may take.
    pub memory: postgame::limits::Limits,
    /// How a file is read; [`std::fs::read`] by default.
    pub read_file: ReadFile,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            memory: postgame::limits::Limits::default(),
            read_file: Arc::new(|path| std::fs::read(path)),
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Options")
            .field("limits", &self.limits)
            .field("memory", &self.memory)
            .finish_non_exhaustive()
    }
}
