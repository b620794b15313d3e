//! When to connect again.

use std::time::{Duration, Instant};

/// Waits between attempts: they grow like Fibonacci numbers up to a maximum, and start over after a success.
#[derive(Clone, Copy, Debug)]
pub struct Waits {
    /// The first wait.
    pub first: Duration,
    /// The longest wait.
    pub longest: Duration,
}

impl Default for Waits {
    /// Those of other Slippi clients.
    fn default() -> Self {
        Self {
            first: Duration::from_secs(2),
            longest: Duration::from_secs(10),
        }
    }
}

/// The state of attempts.
#[derive(Debug)]
pub struct Retry {
    waits: Waits,
    last: Duration,
    next: Duration,
    due: Option<Instant>,
}

impl Retry {
    /// No attempt has been made.
    pub fn new(waits: Waits) -> Self {
        Self {
            waits,
            last: Duration::ZERO,
            next: waits.first,
            due: None,
        }
    }

    /// How long to wait until the next attempt.
    pub fn wait(&self) -> Duration {
        self.due.map_or(Duration::ZERO, |due| {
            due.saturating_duration_since(Instant::now())
        })
    }

    /// A connection was made.
    pub fn connected(&mut self) {
        (self.last, self.next) = (Duration::ZERO, self.waits.first);
        self.due = None;
    }

    /// A connection failed or was lost.
    pub fn failed(&mut self) {
        self.due = Some(Instant::now() + self.next);
        let after = (self.last + self.next).min(self.waits.longest);
        self.last = self.next;
        self.next = after;
    }
}
