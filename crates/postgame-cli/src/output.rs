//! Writing results and reporting problems.

use std::fmt;
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use postgame::{Report, Severity};
use postgame_files::failure::reason;
pub use postgame_files::printable;
use postgame_files::progress::CLEAR_LINE;
use postgame_files::text::{Escaped, Style};
use postgame_files::{bucket, write_aside};
use serde::Serialize;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Without findings.
    Fine,
    /// There are findings.
    Findings,
    /// Something could not be read or written.
    Failed,
}

impl Outcome {
    /// What a report means for the exit status.
    pub fn of(report: &Report) -> Self {
        if report.is_clean() {
            Self::Fine
        } else {
            Self::Findings
        }
    }

    /// The worse of two.
    pub fn and(&mut self, other: Self) {
        *self = (*self).max(other);
    }
}

/// Why something failed, and the file concerned.
#[derive(Debug)]
pub struct Failure {
    path: Option<PathBuf>,
    message: String,
    is_broken_pipe: bool,
}

impl Failure {
    /// A failure with a file.
    pub fn at(path: &Path, error: impl fmt::Display) -> Self {
        Self {
            path: Some(path.to_owned()),
            message: reason(error),
            is_broken_pipe: false,
        }
    }

    /// A failure with no file in particular.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            path: None,
            message: message.into(),
            is_broken_pipe: false,
        }
    }

    /// True if the reader of our output has closed it.
    pub fn is_broken_pipe(&self) -> bool {
        self.is_broken_pipe
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        let is_broken_pipe = error.kind() == io::ErrorKind::BrokenPipe;
        Self {
            path: None,
            message: format!("cannot write: {error}"),
            is_broken_pipe,
        }
    }
}

impl From<postgame_files::Failure> for Failure {
    fn from(failure: postgame_files::Failure) -> Self {
        Self {
            path: Some(failure.name.into()),
            message: failure.message,
            is_broken_pipe: false,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.path {
            Some(path) => write!(f, "{}: {}", path.display(), self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// Reports a problem on standard error, in one line.
pub fn complain(message: impl fmt::Display) {
    let line = printable(&message.to_string());
    // Where the progress may be.
    let clear = match io::stderr().is_terminal() {
        true => CLEAR_LINE,
        false => "",
    };
    // If standard error fails, there is no other place for messages.
    drop(io::stderr().write_all(format!("{clear}postgame: {line}\n").as_bytes()));
}

/// Standard output, buffered.
pub fn stdout() -> BufWriter<io::Stdout> {
    BufWriter::with_capacity(1 << 16, io::stdout())
}

/// Writes a value as JSON in one line. Characters that would act on a terminal are escaped.
pub fn write_json(output: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    let mut escaped = Escaped::new(&mut *output, Style::Json);
    serde_json::to_writer(&mut escaped, value)?;
    escaped.flush_escapes()?;
    writeln!(output)
}

/// A severity for a person: coloured on a terminal.
pub fn severity(severity: Severity) -> String {
    let is_coloured = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let colour = match severity {
        Severity::Note => "36",
        Severity::Odd => "33",
        Severity::Lost => "31",
    };
    if is_coloured {
        format!("\x1b[{colour}m{severity}\x1b[0m")
    } else {
        severity.to_string()
    }
}

/// Writes a file, also in an object store; if that fails, an existing file is unchanged. Without a path,
/// to standard output.
pub fn write_file(
    path: Option<&Path>,
    is_text: bool,
    write: impl FnOnce(&mut (dyn Write + Send)) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let Some(path) = path.filter(|path| path.as_os_str() != "-") else {
        if !is_text && io::stdout().is_terminal() {
            return Err(Failure::new(
                "binary data is not written to a terminal: name a file with -o",
            ));
        }
        if io::stdout().is_terminal() {
            let mut output = Escaped::new(stdout(), Style::Terminal);
            write(&mut output)?;
            return Ok(output.flush()?);
        }
        let mut output = stdout();
        write(&mut output)?;
        return Ok(output.flush()?);
    };
    let failed = |error| Failure::at(path, error);
    match bucket::address(path) {
        Some(address) => bucket::write_file(address, failed, write),
        None => write_aside(path, failed, write),
    }
}
