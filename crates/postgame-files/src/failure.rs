//! Why an input could not be read.

use std::fmt;
use std::path::Path;

use crate::input::Skipped;

/// An input that could not be read, or entries of a folder that were skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The file, the member of an archive, or the folder.
    pub name: String,
    /// The reason, in one line.
    pub message: String,
    /// Number of entries of a folder that were skipped; 0 for a failure.
    pub skipped: usize,
}

impl Failure {
    /// A failure of an input.
    pub fn new(name: impl fmt::Display, error: impl fmt::Display) -> Self {
        Self {
            name: name.to_string(),
            message: reason(error),
            skipped: 0,
        }
    }

    /// Entries of a folder that were skipped, which is not a failure.
    pub(crate) fn skipped(folder: &Path, skipped: Skipped) -> Self {
        Self {
            skipped: skipped.count(),
            ..Self::new(folder.display(), skipped)
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.message)
    }
}

impl std::error::Error for Failure {}

/// An error without "(os error 2)", which is meaningless to most users.
pub fn reason(error: impl fmt::Display) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_owned()
}
