//! Options of the server.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use postgame_files::Input;

/// Limits that keep one client from blocking all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of open connections. Beyond it, a new connection replaces the one that has been idle longest.
    pub connections: usize,
    /// Time limit for a request head, counted from the end of the previous request or from connecting.
    pub head: Duration,
    /// Time limit for a client to read a pending response before its connection is closed.
    pub stalled: Duration,
    /// Maximum number of recordings that are read at the same time.
    pub readers: usize,
    /// Maximum number of responses that are computed at the same time.
    pub answers: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            // A browser opens six per host. With 256 descriptors, the default of some systems, more than half are left
            // for files.
            connections: 100,
            // The page responds at once; a computer that was asleep reconnects.
            head: Duration::from_secs(15),
            stalled: Duration::from_secs(30),
            // Each can take gigabytes for the largest saves.
            readers: 4,
            answers: 4,
        }
    }
}

/// Called before a recording is read.
pub type BeforeReading = Arc<dyn Fn(&Input) + Send + Sync>;

/// Options of the server.
#[derive(Clone, Default)]
pub struct Options {
    /// Limits for clients.
    pub limits: Limits,
    /// Memory limit for each recording.
    pub memory: postgame::limits::Limits,
    /// Called before each recording is read: tests wait or panic here.
    pub before_reading: Option<BeforeReading>,
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
