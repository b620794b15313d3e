//! Finding and reading recordings.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use postgame::limits::Limits;
use postgame::{ReadOptions, Recording, Report};
use postgame_files::find::STANDARD_INPUT;
use postgame_files::progress::{Line, Progress};
use postgame_files::{Input, Inputs, input as files, known, panics, the_only};

use crate::output::{Failure, complain};

/// When a command prints, which decides about the progress on the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prints {
    /// When all recordings are read.
    AtTheEnd,
    /// After each recording: on a terminal that is progress enough.
    Meanwhile,
}

/// The recordings at some paths. Skipped entries of folders are reported on standard error.
pub fn files(paths: &[PathBuf], prints: Prints) -> Files {
    let progress = Arc::new(Progress::default());
    let shown = Arc::clone(&progress);
    let is_apart = prints == Prints::AtTheEnd || !io::IsTerminal::is_terminal(&io::stdout());
    Files {
        inputs: Inputs::new(paths.to_vec(), limits()),
        line: is_apart.then(|| Line::show(paths.to_vec(), move || shown.status())),
        progress,
        current: None,
    }
}

/// The paths that were given, or else the folders in which the games keep their recordings.
///
/// # Errors
/// When none was given and none of these folders exists.
pub fn paths_or_known_folders(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    if !paths.is_empty() {
        return Ok(paths.to_vec());
    }
    let found = known::folders();
    for folder in &found {
        complain(format!("{}: {}", folder.game, folder.path.display()));
    }
    if !found.is_empty() {
        return Ok(found.into_iter().map(|folder| folder.path).collect());
    }
    let searched = known::searched().map(|(game, folder)| format!("\n  {folder} ({game})"));
    Err(Failure::new(format!(
        "name recordings or folders: none of the folders in which the games keep their files exists here:{}",
        searched.collect::<String>()
    )))
}

/// An iterator over recordings, with progress on the terminal.
pub struct Files {
    inputs: Inputs,
    line: Option<Line>,
    progress: Arc<Progress>,
    /// The size of the recording that is being used.
    current: Option<u64>,
}

impl Iterator for Files {
    type Item = Result<Input, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(bytes) = self.current.take() {
            self.progress.done(bytes);
        }
        loop {
            match self.inputs.next() {
                Some(Ok(input)) => {
                    self.current = Some(input.size());
                    return Some(Ok(input));
                }
                Some(Err(skip)) if skip.skipped > 0 => complain(&skip),
                Some(Err(failure)) => return Some(Err(failure.into())),
                None => {
                    // Clears the line before anything else is written.
                    self.line = None;
                    return None;
                }
            }
        }
    }
}

/// Reads an input. A panic is a failure of this recording only.
pub fn read(input: &Input, options: &ReadOptions) -> Result<(Recording, Report), Failure> {
    let options = ReadOptions {
        limits: limits(),
        ..*options
    };
    let read = panics::caught(&input.name, || input.recording(&options));
    Ok(read.flatten()?)
}

/// Reads the only recording at a path.
pub fn recording(path: &Path, options: &ReadOptions) -> Result<(Recording, Report), Failure> {
    read(&the_only(path, &limits())?, options)
}

/// The bytes of a file or of standard input.
pub fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let read = match path.as_os_str() == STANDARD_INPUT {
        true => files::read_stream(io::stdin().lock()),
        false => files::read(path),
    };
    read.map_err(|error| Failure::at(path, error))
}

/// The memory limit for each recording: set once, before anything is read.
static LIMITS: OnceLock<Limits> = OnceLock::new();

/// Sets the memory limit for each recording, in bytes; `None` for the default. Only the first call counts.
pub fn limit_memory(max_memory_bytes: Option<u64>) {
    LIMITS.get_or_init(|| Limits { max_memory_bytes });
}

/// The memory limit for each recording.
pub fn limits() -> Limits {
    LIMITS.get().copied().unwrap_or_default()
}

/// A size such as `512MB`, `2GB` or a plain number of bytes, for `--max-memory`. Units are powers of 1024.
pub fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = text.get(digits.len()..).unwrap_or_default();
    let shift = match unit.to_ascii_uppercase().as_str() {
        "" | "B" => 0,
        "K" | "KB" | "KIB" => 10,
        "M" | "MB" | "MIB" => 20,
        "G" | "GB" | "GIB" => 30,
        "T" | "TB" | "TIB" => 40,
        _ => return Err(format!("{unit} is not a unit; sizes are like 512MB or 2GB")),
    };
    let number: f64 = digits
        .parse()
        .map_err(|_| "not a size; sizes are like 512MB or 2GB".to_owned())?;
    let bytes = number * (1u64 << shift) as f64;
    if !(1.0..=1e18).contains(&bytes) {
        return Err("not a sensible size".to_owned());
    }
    Ok(bytes as u64)
}

/// A stream of a file or of standard input.
pub fn stream(path: &Path) -> Result<Box<dyn io::Read>, Failure> {
    if path.as_os_str() == STANDARD_INPUT {
        return Ok(Box::new(io::BufReader::new(io::stdin())));
    }
    if path.is_dir() {
        return Err(Failure::at(path, "this is a folder, not a file"));
    }
    let file = files::open(path).map_err(|error| Failure::at(path, error))?;
    Ok(Box::new(io::BufReader::with_capacity(1 << 16, file)))
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_have_units() {
        for (text, bytes) in [
            ("1", 1),
            ("10kb", 10 << 10),
            ("512MB", 512 << 20),
            ("1.5GiB", 3 << 29),
            ("2G", 2 << 30),
        ] {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for text in ["", "MB", "-1", "0", "5 MB", "5XB", "1e9TB", "nan"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
