//! Finding and reading files.

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use postgame::limits::Limits;
use postgame::{Format, ReadOptions, Recording, Report};
use postgame_files::input::{self as files, Skipped, walk_folder};

use crate::output::{Failure, complain};

/// The name that means standard input.
const STANDARD_INPUT: &str = "-";

/// The files that some paths mean: files as they are, folders with all recordings in them, in order of their names.
///
/// In folders only regular files with a recording's extension are taken; FIFOs, sockets and devices are counted on
/// standard error. A file that is named is taken whatever it is called.
pub fn files(paths: &[PathBuf]) -> Vec<Result<PathBuf, Failure>> {
    let mut files = Vec::new();
    for path in paths {
        if path.as_os_str() == STANDARD_INPUT || !path.is_dir() {
            files.push(Ok(path.clone()));
            continue;
        }
        let before = files.len();
        let mut skipped = Skipped::default();
        let is_wanted = Format::is_plausible_name;
        let _whole = walk_folder(path, &is_wanted, &mut skipped, &mut |found| {
            files.push(found.map_err(|(at, error)| Failure::at(&at, error)));
            ControlFlow::Continue(())
        });
        if skipped.count() > 0 {
            complain(Failure::at(path, skipped));
        }
        if files.len() == before {
            files.push(Err(Failure::at(
                path,
                "there are no recordings in this folder",
            )));
        }
    }
    files
}

/// The bytes of a file or of standard input.
pub fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let read = match path.as_os_str() == STANDARD_INPUT {
        true => files::read_stream(io::stdin().lock()),
        false => files::read(path),
    };
    read.map_err(|error| Failure::at(path, error))
}

/// How much memory each recording may take: set once, before anything is read.
static LIMITS: OnceLock<Limits> = OnceLock::new();

/// Sets how much memory each recording may take, in bytes; `None` for the default. Only the first call counts.
pub fn limit_memory(max_memory_bytes: Option<u64>) {
    LIMITS.get_or_init(|| Limits { max_memory_bytes });
}

/// How much memory each recording may take.
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

/// A recording with what there is to say about it.
pub fn recording(path: &Path, options: &ReadOptions) -> Result<(Recording, Report), Failure> {
    let options = &ReadOptions {
        limits: limits(),
        ..*options
    };
    postgame::read(&bytes(path)?, options).map_err(|error| Failure::at(path, error))
}

/// A recording's header, with what there is to say about it. Of a file no more is read than its format needs.
pub fn header(path: &Path) -> Result<(Recording, Report), Failure> {
    if path.as_os_str() == STANDARD_INPUT || !path.is_file() {
        // A pipe cannot be read from its end.
        return recording(path, &ReadOptions::header());
    }
    let file = fs::File::open(path).map_err(|error| Failure::at(path, error))?;
    postgame::read_header(file, &limits()).map_err(|error| Failure::at(path, error))
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
