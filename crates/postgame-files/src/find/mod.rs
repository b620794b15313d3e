//! Finding recordings: files, folders, patterns, archives, object stores, standard input.
//!
//! - `archive`: `.zip`, `.tar`, `.gz`, `.zst`, `.xz`
//! - `member`: one recording of an archive, by its name
//! - `objects`: object stores
//! - `inputs`: all of them as an iterator

mod archive;
mod inputs;
mod member;
mod objects;

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use postgame::Format;
use postgame::limits::Limits;

pub use inputs::{Inputs, the_only};

use crate::contents::Input;
use crate::input::{self, Kind, Skipped, walk_folder};
use crate::{Failure, bucket};

/// The name that means standard input.
pub const STANDARD_INPUT: &str = "-";

/// The characters that make a path a pattern.
const WILDCARDS: [char; 3] = ['*', '?', '['];

/// Called for each input; a break ends the walk.
pub type Visit<'a> = &'a mut dyn FnMut(Result<Input, Failure>) -> ControlFlow<()>;

/// Continues with the number of recordings that were found.
type Counted = ControlFlow<(), usize>;

/// Visits the recordings at some paths: in the order of the paths, in folders by name, in archives in the archive's own
/// order.
///
/// - A file is taken whatever its name is. It can be a FIFO, but not a device or a socket.
/// - In a folder, regular files with the extension of a recording or an archive are taken. All other kinds of files, and
///   archives without recordings, are counted and reported once per folder, as a [`Failure`] with `skipped` above 0.
/// - `season.zip` means all recordings in an archive, `season.zip/finals/1.replay` one of them. Members are unpacked one at
///   a time, within the limits.
/// - A path that does not exist may be a pattern with `*`, `**` and `?`.
/// - `s3://BUCKET/PREFIX` means a file, a folder or a pattern in an object store, `-` standard input.
pub fn walk(paths: &[PathBuf], limits: &Limits, visit: Visit<'_>) -> ControlFlow<()> {
    for path in paths {
        if path.as_os_str() == STANDARD_INPUT {
            standard_input(visit)?;
        } else if let Some(address) = bucket::address(path) {
            objects::walk(address, limits, visit)?;
        } else if path.is_dir() {
            folder(path, limits, visit)?;
        } else if let Some((archive, member)) = member::of(path) {
            member::walk(path, &archive, &member, limits, visit)?;
        } else if !path.exists() && is_pattern(path) {
            pattern(path, limits, visit)?;
        } else if one(path, limits, visit)? == 0 {
            visit(Err(Failure::new(path.display(), NOTHING_INSIDE)))?;
        }
    }
    ControlFlow::Continue(())
}

/// True if a path means the file of that name, and not an archive, a pattern or an address.
pub fn is_plain_file(path: &Path) -> bool {
    bucket::address(path).is_none()
        && archive::Kind::of(path).is_none()
        && (path.exists() || !is_pattern(path) && member::of(path).is_none())
}

/// The message for an archive that was asked for.
const NOTHING_INSIDE: &str = "there are no recordings in this archive";

/// The total size of the files at some paths, for progress; archives count with their packed size.
pub fn total_bytes(paths: &[PathBuf]) -> u64 {
    let addresses = paths.iter().filter_map(|path| bucket::address(path));
    let in_stores: u64 = addresses.map(objects::total_bytes).sum();
    let mut on_disk = 0;
    let mut add = |path: &Path| on_disk += path.metadata().map_or(0, |file| file.len());
    for path in paths {
        if !path.is_dir() {
            add(path);
            continue;
        }
        let _whole = walk_folder(path, &is_wanted, &mut Skipped::default(), &mut |found| {
            if let Ok(path) = found {
                add(&path);
            }
            ControlFlow::Continue(())
        });
    }
    in_stores + on_disk
}

fn standard_input(visit: Visit<'_>) -> ControlFlow<()> {
    visit(match input::read_stream(io::stdin().lock()) {
        Ok(bytes) => Ok(Input::bytes(STANDARD_INPUT, bytes)),
        Err(error) => Err(Failure::new(STANDARD_INPUT, error)),
    })
}

/// A file, or all recordings of an archive.
fn one(path: &Path, limits: &Limits, visit: Visit<'_>) -> Counted {
    match archive::Kind::of(path) {
        Some(kind) => archived(path, kind, limits, &Format::is_plausible_name, visit),
        None => {
            visit(Ok(Input::file(path)))?;
            ControlFlow::Continue(1)
        }
    }
}

/// The wanted members of an archive on disk.
fn archived(
    path: &Path,
    kind: archive::Kind,
    limits: &Limits,
    is_wanted: &dyn Fn(&str) -> bool,
    visit: Visit<'_>,
) -> Counted {
    let name = path.display().to_string();
    let file = match Kind::of(path) {
        // Archives are not read from the beginning to the end.
        Ok(Kind::Fifo) => Err(io::Error::other("a FIFO cannot be read as an archive")),
        _ => input::open(path),
    };
    match file {
        Ok(file) => {
            let file = io::BufReader::with_capacity(1 << 16, file);
            archive::walk(&name, kind, file, limits, is_wanted, visit)
        }
        Err(error) => {
            visit(Err(Failure::new(name, error)))?;
            ControlFlow::Continue(1)
        }
    }
}

/// True for the names of files that are taken from folders.
fn is_wanted(name: &str) -> bool {
    Format::is_plausible_name(name) || archive::Kind::of_name(name).is_some()
}

fn folder(path: &Path, limits: &Limits, visit: Visit<'_>) -> ControlFlow<()> {
    let (mut count, mut empty_archives) = (0, 0);
    let mut skipped = Skipped::default();
    walk_folder(path, &is_wanted, &mut skipped, &mut |found| {
        count += 1;
        match found {
            Ok(path) => empty_archives += usize::from(one(&path, limits, visit)? == 0),
            Err((path, error)) => visit(Err(Failure::new(path.display(), error)))?,
        }
        ControlFlow::Continue(())
    })?;
    skipped.archives = empty_archives;
    if skipped.count() > 0 {
        visit(Err(Failure::skipped(path, skipped)))?;
    }
    if count == empty_archives {
        let message = "there are no recordings in this folder";
        visit(Err(Failure::new(path.display(), message)))?;
    }
    ControlFlow::Continue(())
}

fn is_pattern(path: &Path) -> bool {
    path.to_str().is_some_and(|path| path.contains(WILDCARDS))
}

fn pattern(path: &Path, limits: &Limits, visit: Visit<'_>) -> ControlFlow<()> {
    let name = path.display().to_string();
    let found = match glob::glob(&name) {
        Ok(found) => found,
        Err(error) => return visit(Err(Failure::new(name, error.msg))),
    };
    let (mut count, mut empty_archives) = (0, 0);
    for path in found {
        count += 1;
        match path {
            Ok(path) if path.is_dir() => folder(&path, limits, visit)?,
            Ok(path) => empty_archives += usize::from(one(&path, limits, visit)? == 0),
            Err(error) => visit(Err(Failure::new(error.path().display(), error.error())))?,
        }
    }
    if empty_archives > 0 {
        let skipped = Skipped {
            archives: empty_archives,
            ..Skipped::default()
        };
        visit(Err(Failure::skipped(path, skipped)))?;
    }
    if count == empty_archives {
        let message = match count {
            0 => "nothing matches this pattern",
            _ => "there are no recordings in the files that match this pattern",
        };
        visit(Err(Failure::new(name, message)))?;
    }
    ControlFlow::Continue(())
}
