//! The result of adding recordings.

use std::error::Error;
use std::fmt;
use std::io;

use super::manifest::Damage;
use postgame_files::Failure;

/// The result of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Number of recordings added.
    pub added: usize,
    /// Number of recordings that were already there.
    pub known: usize,
    /// Recordings that could not be read, in order.
    pub failures: Vec<Failure>,
    /// Number of folder entries that were not opened, because they are not regular files.
    pub skipped: usize,
    /// The folders they are in.
    pub skips: Vec<Failure>,
    /// Segments that are still damaged, because not all of their recordings were among the inputs.
    pub damaged: Vec<Damage>,
    /// Lists that are still damaged.
    pub unreadable: Vec<Failure>,
}

/// A number of segments and recordings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Number of segments.
    pub segments: usize,
    /// Number of recordings.
    pub recordings: usize,
}

impl Count {
    pub(super) fn add(&mut self, recordings: usize) {
        self.segments += 1;
        self.recordings += recordings;
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let Self {
            segments,
            recordings,
        } = *self;
        write!(
            f,
            "{segments} segment{} ({recordings} recording{})",
            plural(segments),
            plural(recordings)
        )
    }
}

/// Why a run ended early, and its state at that time.
#[derive(Debug)]
pub struct IngestError {
    /// The first error.
    pub cause: io::Error,
    /// The state; `None` if nothing had begun.
    pub halted: Option<Halted>,
}

/// The state of a run that ended early.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Halted {
    /// Added to the data set.
    pub added: Count,
    /// Not added.
    pub not_added: Count,
    /// Uncertain, because the object store does not respond, or the disk may not keep them.
    pub unsure: Count,
}

impl fmt::Display for IngestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cause = self.cause.to_string();
        // "(os error 28)" is meaningless to most users.
        write!(f, "{}", cause.split(" (os error").next().unwrap_or(&cause))?;
        let Some(halted) = &self.halted else {
            return Ok(());
        };
        let Halted {
            added,
            not_added,
            unsure,
        } = halted;
        let were = |count: &Count| if count.segments == 1 { "was" } else { "were" };
        write!(
            f,
            "; {added} {} added, {not_added} {} not",
            were(added),
            were(not_added)
        )?;
        if unsure.segments > 0 {
            write!(f, ", for {unsure} it is not certain")?;
        }
        write!(
            f,
            "; the data set is readable, run it again to add the rest"
        )
    }
}

impl Error for IngestError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.cause)
    }
}

impl From<io::Error> for IngestError {
    fn from(cause: io::Error) -> Self {
        Self {
            cause,
            halted: None,
        }
    }
}
