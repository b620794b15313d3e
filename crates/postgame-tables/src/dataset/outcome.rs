//! What became of recordings that were to be added.

use std::error::Error;
use std::fmt;
use std::io;

use super::manifest::Damage;
use crate::input::Failure;

/// What became of the recordings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// How many were added.
    pub added: usize,
    /// How many were there already.
    pub known: usize,
    /// Which could not be read, in order.
    pub failures: Vec<Failure>,
    /// How many entries of folders were not opened, because they are not regular files.
    pub skipped: usize,
    /// The folders they are in.
    pub skips: Vec<Failure>,
    /// Segments that are damaged still, because not all of their recordings were among the inputs.
    pub damaged: Vec<Damage>,
    /// Lists that are damaged still.
    pub unreadable: Vec<Failure>,
}

/// Some segments, and the recordings in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// How many segments.
    pub segments: usize,
    /// How many recordings.
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

/// Why a run ended early, and what it had done by then.
#[derive(Debug)]
pub struct IngestError {
    /// The first error.
    pub cause: io::Error,
    /// How far it was; `None` if nothing had begun.
    pub halted: Option<Halted>,
}

/// What a run had done when it ended early.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Halted {
    /// They are in the data set.
    pub added: Count,
    /// They are not.
    pub not_added: Count,
    /// Whether they are in the data set is not certain: the object store does not answer, or the disk may not keep them.
    pub unsure: Count,
}

impl fmt::Display for IngestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cause = self.cause.to_string();
        // "(os error 28)" says nothing to a person.
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
