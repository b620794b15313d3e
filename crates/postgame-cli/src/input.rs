//! Finding and reading files.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use postgame::{Format, ReadOptions, Recording, Report};
use walkdir::WalkDir;

use crate::output::Failure;

/// The name that means standard input.
const STANDARD_INPUT: &str = "-";

/// The files that some paths mean: files as they are, folders with all recordings in them, in order of their names.
///
/// In folders only files with a recording's extension are taken; a file that is named is taken whatever it is called.
pub fn files(paths: &[PathBuf]) -> Vec<Result<PathBuf, Failure>> {
    let mut files = Vec::new();
    for path in paths {
        if path.as_os_str() == STANDARD_INPUT || !path.is_dir() {
            files.push(Ok(path.clone()));
            continue;
        }
        let before = files.len();
        for entry in WalkDir::new(path).sort_by_file_name() {
            match entry {
                Ok(entry) if entry.file_type().is_dir() => {}
                Ok(entry) => {
                    if entry
                        .file_name()
                        .to_str()
                        .is_some_and(Format::is_plausible_name)
                    {
                        files.push(Ok(entry.into_path()));
                    }
                }
                Err(error) => {
                    let at = error.path().unwrap_or(path).to_owned();
                    files.push(Err(Failure::at(&at, io::Error::from(error))));
                }
            }
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
    if path.as_os_str() == STANDARD_INPUT {
        let mut bytes = Vec::new();
        io::stdin()
            .lock()
            .read_to_end(&mut bytes)
            .map_err(|error| Failure::at(path, error))?;
        return Ok(bytes);
    }
    if path.is_dir() {
        return Err(Failure::at(path, "this is a folder, not a recording"));
    }
    fs::read(path).map_err(|error| Failure::at(path, error))
}

/// A recording with what there is to say about it.
pub fn recording(path: &Path, options: &ReadOptions) -> Result<(Recording, Report), Failure> {
    postgame::read(&bytes(path)?, options).map_err(|error| Failure::at(path, error))
}

/// A recording's header, with what there is to say about it. Of a file no more is read than its format needs.
pub fn header(path: &Path) -> Result<(Recording, Report), Failure> {
    if path.as_os_str() == STANDARD_INPUT || !path.is_file() {
        // A pipe cannot be read from its end.
        return recording(path, &ReadOptions::header());
    }
    let file = fs::File::open(path).map_err(|error| Failure::at(path, error))?;
    let header = postgame::read_header(file).map_err(|error| Failure::at(path, error))?;
    header.map_err(|error| Failure::at(path, error))
}

/// A stream of a file or of standard input.
pub fn stream(path: &Path) -> Result<Box<dyn io::Read>, Failure> {
    if path.as_os_str() == STANDARD_INPUT {
        return Ok(Box::new(io::BufReader::new(io::stdin())));
    }
    if path.is_dir() {
        return Err(Failure::at(path, "this is a folder, not a file"));
    }
    let file = fs::File::open(path).map_err(|error| Failure::at(path, error))?;
    Ok(Box::new(io::BufReader::with_capacity(1 << 16, file)))
}
