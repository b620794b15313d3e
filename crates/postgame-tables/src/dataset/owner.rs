//! Recognises the folders that are data sets of Postgame.
//!
//! A data set has a marker file. A folder without one is only written to if it is empty, or if an earlier version made
//! it as a data set. All other folders are left alone.

use std::io;

use serde::{Deserialize, Serialize};

use super::holder::Holder;
use super::manifest::Manifest;
use super::store::Store;
use super::{ASIDE, JOURNAL, LOCK, MARKER, SEGMENTS};

/// The version of the layout that this code writes.
const VERSION: u32 = 1;

/// The kind stated in a marker.
const FORMAT: &str = "postgame data set";

#[derive(Serialize, Deserialize)]
struct Marker {
    format: String,
    version: u32,
}

/// Checks that a path is a data set, or may become one; changes nothing.
///
/// # Errors
/// When it is neither, or belongs to a later version, or the file system or the store fails.
pub(super) fn check(store: &Store) -> io::Result<()> {
    is_marked(store).map(drop)
}

/// Marks a place as a data set, if it is not marked yet.
///
/// # Errors
/// Those of [`check`], and those of writing.
pub(super) fn mark(store: &Store) -> io::Result<()> {
    if is_marked(store)? {
        return Ok(());
    }
    let marker = Marker {
        format: FORMAT.to_owned(),
        version: VERSION,
    };
    store.write(MARKER, &serde_json::to_vec(&marker)?)
}

/// True if a path is marked, false if it may be.
fn is_marked(store: &Store) -> io::Result<bool> {
    if let Some(contents) = store.read_one(MARKER)? {
        let marker: Option<Marker> = serde_json::from_slice(&contents).ok();
        return match marker {
            Some(marker) if marker.format == FORMAT && marker.version <= VERSION => Ok(true),
            Some(marker) if marker.format == FORMAT => Err(io::Error::other(format!(
                "this data set was made by a later version of Postgame (layout {}, this one knows {VERSION})",
                marker.version
            ))),
            _ => Err(io::Error::other(format!(
                "{MARKER} is not a marker of Postgame's: nothing was changed"
            ))),
        };
    }
    let top = store.top()?;
    let is_own = |name: &String| [LOCK, ASIDE, JOURNAL, SEGMENTS].contains(&name.as_str());
    let is_ours = if top.iter().all(is_own) && store.list(SEGMENTS)?.is_empty() {
        is_beginning(store)?
    } else {
        is_older(store)?
    };
    match is_ours {
        true => Ok(false),
        false => Err(io::Error::other(format!(
            "this is not empty, and not a data set of Postgame's (there is no {MARKER}): nothing was changed; \
             name an empty or a new folder"
        ))),
    }
}

/// True if a path contains only what a run leaves that is killed before it writes the marker.
fn is_beginning(store: &Store) -> io::Result<bool> {
    let lock = store.read_one(LOCK)?;
    let is_lock = lock.is_none_or(|lock| lock.is_empty() || Holder::parse(&lock).is_some());
    let is_aside = store.list(ASIDE)?.iter().all(|path| is_aside_name(path));
    Ok(is_lock && is_aside && store.list(JOURNAL)?.is_empty())
}

/// True if a path is a data set without a marker, as earlier versions made them: it has segment lists, and all of them
/// are valid.
fn is_older(store: &Store) -> io::Result<bool> {
    let manifest = Manifest::read(store)?;
    Ok(!manifest.segments.is_empty() && manifest.unreadable.is_empty())
}

/// True for the path of a file being written: a process id and a number.
pub(super) fn is_aside_name(path: &str) -> bool {
    let name = path
        .strip_prefix(ASIDE)
        .and_then(|rest| rest.strip_prefix('/'));
    let numbers = name.and_then(|name| name.split_once('-'));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    numbers.is_some_and(|(pid, number)| is_number(pid) && is_number(number))
}
