//! Finding and reading files.

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

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
    let file = files::open(path).map_err(|error| Failure::at(path, error))?;
    Ok(Box::new(io::BufReader::with_capacity(1 << 16, file)))
}
