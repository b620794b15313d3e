//! One error type for all formats: what went wrong, in which format, where in its structure, at which offset.
//!
//! An [`Error`] is one machine word, so that a `Result<u32>` stays in registers on the hot paths of the decoders.
//! Everything is built on the cold path; the path through the structure is added while the error is passed up.

use std::{fmt, io};

use crate::format::Format;
use crate::limits;

/// The result of every fallible function of this library.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a recording could not be read or written, and where.
///
/// ```
/// let error = postgame::read(b"RGZP", &postgame::ReadOptions::default()).unwrap_err();
/// assert_eq!(error.to_string(), "rumble: container.inflated_size: data ends early (wanted 4 bytes, 0 left) at 0x4");
/// ```
pub struct Error(Box<Inner>);

struct Inner {
    format: Option<Format>,
    /// Innermost step first: steps are added as the error is passed up.
    path: Vec<Step>,
    place: Option<Place>,
    problem: Problem,
}

enum Step {
    Field(&'static str),
    Named(String),
    Index(usize),
}

/// A place in the data: a byte offset, a bit inside that byte, and the data in which the offset counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Byte offset.
    pub offset: u64,
    /// Bit within that byte, for bit streams.
    pub bit: Option<u8>,
    /// The data the offset counts in.
    pub space: Space,
}

/// The data in which an offset counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Space {
    /// The file itself.
    File,
    /// The file's contents after decompression.
    Inflated,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// The data is shorter than its structure requires.
    EndsEarly {
        /// Number of units needed.
        wanted: u64,
        /// Number of units left.
        left: u64,
        /// `"bytes"` or `"bits"`.
        unit: &'static str,
    },
    /// A size or count is larger than the data, or an option, allows.
    TooLarge {
        /// The meaning of the number.
        what: &'static str,
        /// The number found.
        claimed: u64,
        /// The maximum here.
        limit: u64,
    },
    /// Reading would take more memory than is allowed; see [`Limits`](crate::limits::Limits).
    OutOfMemory {
        /// Minimum memory needed, in bytes.
        needed: u64,
        /// Memory allowed, in bytes.
        allowed: u64,
    },
    /// The data contradicts the format.
    Invalid(String),
    /// The data is of a kind or version that Postgame does not read.
    Unsupported(String),
    /// The bytes are not a recording that Postgame knows.
    Unknown(String),
    /// The format cannot represent a value of the model.
    Unwritable(String),
    /// The bytes could not be read from where they are stored; see [`Error::into_io`].
    Io(IoProblem),
}

/// An error of the input, such as a missing file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IoProblem {
    /// Its kind.
    pub kind: io::ErrorKind,
    /// The number that the operating system gave it, if it came from there.
    pub raw_os_error: Option<i32>,
    /// The message.
    pub message: String,
}

impl Error {
    /// An error of the given kind, without a place.
    #[cold]
    pub fn new(problem: Problem) -> Self {
        Self(Box::new(Inner {
            format: None,
            path: Vec::new(),
            place: None,
            problem,
        }))
    }

    /// The data contradicts the format.
    #[cold]
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(Problem::Invalid(message.into()))
    }

    /// The data is of a kind or version that Postgame does not read.
    #[cold]
    pub fn unsupported(message: impl Into<String>) -> Self {
        Self::new(Problem::Unsupported(message.into()))
    }

    /// The format cannot represent a value of the model.
    #[cold]
    pub fn unwritable(message: impl Into<String>) -> Self {
        Self::new(Problem::Unwritable(message.into()))
    }

    /// A size or count is larger than possible.
    #[cold]
    pub fn too_large(what: &'static str, claimed: u64, limit: u64) -> Self {
        Self::new(Problem::TooLarge {
            what,
            claimed,
            limit,
        })
    }

    /// Sets the place, unless a deeper reader has already set a more exact one.
    #[cold]
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.0.place.get_or_insert(place);
        self
    }

    /// Sets the format, unless it is already known or the input itself failed.
    #[cold]
    #[must_use]
    pub fn in_format(mut self, format: Format) -> Self {
        if !matches!(self.0.problem, Problem::Io(_)) {
            self.0.format.get_or_insert(format);
        }
        self
    }

    /// Adds the field in which the error happened; called from the inside out.
    #[cold]
    #[must_use]
    pub fn in_field(mut self, name: &'static str) -> Self {
        self.0.path.push(Step::Field(name));
        self
    }

    /// Adds a step whose name is only known at run time.
    #[cold]
    #[must_use]
    pub fn in_named(mut self, name: impl Into<String>) -> Self {
        self.0.path.push(Step::Named(name.into()));
        self
    }

    /// Adds the list index at which the error happened; called from the inside out.
    #[cold]
    #[must_use]
    pub fn in_index(mut self, index: usize) -> Self {
        self.0.path.push(Step::Index(index));
        self
    }

    /// The format, once it is known.
    pub fn format(&self) -> Option<Format> {
        self.0.format
    }

    /// The place in the data.
    pub fn place(&self) -> Option<Place> {
        self.0.place
    }

    /// The kind of error.
    pub fn problem(&self) -> &Problem {
        &self.0.problem
    }

    /// True when reading would have taken more memory than is allowed.
    pub fn is_out_of_memory(&self) -> bool {
        matches!(self.0.problem, Problem::OutOfMemory { .. })
    }

    /// The input's own error, if the bytes could not be read from where they are stored.
    ///
    /// # Errors
    /// Any other error, unchanged.
    pub fn into_io(self) -> Result<io::Error> {
        match self.0.problem {
            Problem::Io(IoProblem {
                raw_os_error: Some(number),
                ..
            }) => Ok(io::Error::from_raw_os_error(number)),
            Problem::Io(IoProblem { kind, message, .. }) => Ok(io::Error::new(kind, message)),
            _ => Err(self),
        }
    }

    /// The path through the file's structure, such as `frames[3].players[0].health`; empty at the top.
    pub fn path(&self) -> String {
        use fmt::Write as _;
        let mut path = String::new();
        for step in self.0.path.iter().rev() {
            let dot = if path.is_empty() { "" } else { "." };
            // Writing to a String cannot fail.
            let written = match step {
                Step::Field(name) => write!(path, "{dot}{name}"),
                Step::Named(name) => write!(path, "{dot}{name}"),
                Step::Index(index) => write!(path, "[{index}]"),
            };
            debug_assert!(written.is_ok());
        }
        path
    }
}

/// Adds structure to an error as it is passed up.
pub trait Context<T> {
    /// Names the field being read or written.
    fn field(self, name: &'static str) -> Result<T>;
    /// Names the list index being read or written.
    fn index(self, index: usize) -> Result<T>;
}

impl<T> Context<T> for Result<T> {
    #[inline]
    fn field(self, name: &'static str) -> Result<T> {
        self.map_err(|error| error.in_field(name))
    }

    #[inline]
    fn index(self, index: usize) -> Result<T> {
        self.map_err(|error| error.in_index(index))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(format) = self.0.format {
            write!(f, "{}: ", format.id())?;
        }
        if !self.0.path.is_empty() {
            write!(f, "{}: ", self.path())?;
        }
        write!(f, "{}", self.0.problem)?;
        match self.0.place {
            Some(place) => write!(f, " at {place}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}

impl From<io::Error> for Error {
    #[cold]
    fn from(error: io::Error) -> Self {
        Self::new(Problem::Io(IoProblem {
            kind: error.kind(),
            raw_os_error: error.raw_os_error(),
            message: error.to_string(),
        }))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EndsEarly { wanted, left, unit } => {
                write!(f, "data ends early (wanted {wanted} {unit}, {left} left)")
            }
            Self::TooLarge {
                what,
                claimed,
                limit,
            } => {
                write!(
                    f,
                    "{what} of {claimed} is more than the {limit} possible here"
                )
            }
            Self::OutOfMemory { needed, allowed } => write!(
                f,
                "needs {} of memory or more, but {} are allowed for this file (to allow more: --max-memory {})",
                limits::in_words(*needed),
                limits::in_words(*allowed),
                limits::suggestion(*needed)
            ),
            Self::Invalid(message) | Self::Unknown(message) | Self::Unwritable(message) => {
                f.write_str(message)
            }
            Self::Unsupported(message) => write!(f, "not supported: {message}"),
            Self::Io(IoProblem { message, .. }) => f.write_str(message),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.space {
            Space::File => write!(f, "{:#x}", self.offset)?,
            Space::Inflated => write!(f, "inflated {:#x}", self.offset)?,
        }
        match self.bit {
            Some(bit) => write!(f, " bit {bit}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_word() {
        assert_eq!(size_of::<Error>(), size_of::<usize>());
        assert_eq!(size_of::<Result<()>>(), size_of::<usize>());
    }

    #[test]
    fn a_message_has_format_path_problem_and_place() {
        let error = Error::new(Problem::EndsEarly {
            wanted: 4,
            left: 2,
            unit: "bytes",
        })
        .at(Place {
            offset: 0x1f3a2,
            bit: None,
            space: Space::File,
        })
        .in_field("velocities")
        .in_field("post")
        .in_index(1042)
        .in_field("events")
        .in_format(Format::Rumble);
        assert_eq!(
            error.to_string(),
            "rumble: events[1042].post.velocities: data ends early (wanted 4 bytes, 2 left) at 0x1f3a2"
        );
    }

    #[test]
    fn an_error_of_the_input_comes_back() {
        let missing = io::Error::from_raw_os_error(2);
        let text = missing.to_string();
        let error = Error::from(missing);
        assert_eq!(error.to_string(), text);
        let back = error.into_io().unwrap();
        assert_eq!((back.raw_os_error(), back.to_string()), (Some(2), text));
        let own = Error::from(io::Error::new(io::ErrorKind::TimedOut, "no answer"));
        assert_eq!(own.into_io().unwrap().kind(), io::ErrorKind::TimedOut);
        assert!(Error::invalid("odd").into_io().is_err());
    }

    #[test]
    fn the_innermost_place_wins() {
        let inner = Place {
            offset: 5,
            bit: Some(3),
            space: Space::Inflated,
        };
        let outer = Place {
            offset: 1,
            bit: None,
            space: Space::File,
        };
        let error = Error::invalid("odd").at(inner).at(outer);
        assert_eq!(error.place(), Some(inner));
        assert_eq!(error.to_string(), "odd at inflated 0x5 bit 3");
    }
}
