//! Recordings in object stores.

use std::ops::ControlFlow;
use std::sync::Arc;

use glob::{MatchOptions, Pattern};
use postgame::Format;
use postgame::limits::Limits;

use super::{NOTHING_INSIDE, Visit, WILDCARDS, archive};
use crate::Failure;
use crate::bucket::{Ahead, Bucket, Listed, Object};
use crate::contents::Input;

/// Visits the recordings at an address: a file, a folder, or a pattern.
pub(super) fn walk(address: &str, limits: &Limits, visit: Visit<'_>) -> ControlFlow<()> {
    let found = match find(address) {
        Ok(found) => found,
        Err(failure) => return visit(Err(failure)),
    };
    let is_alone = found.len() == 1;
    for (name, object) in found {
        match archive::Kind::of_name(&name) {
            Some(kind) => {
                let reader = object.reader();
                let is_wanted = &Format::is_plausible_name;
                if archive::walk(&name, kind, reader, limits, is_wanted, visit)? == 0 && is_alone {
                    visit(Err(Failure::new(name, NOTHING_INSIDE)))?;
                }
            }
            None => visit(Ok(Input::object(name, object)))?,
        }
    }
    ControlFlow::Continue(())
}

/// The total size of the files at an address; 0 if it cannot be read.
pub(super) fn total_bytes(address: &str) -> u64 {
    let found = find(address).unwrap_or_default();
    found.iter().map(|(_, object)| object.bytes).sum()
}

/// The recordings and archives at an address, with their own addresses.
fn find(address: &str) -> Result<Vec<(String, Object)>, Failure> {
    let failed = |message: &dyn std::fmt::Display| Failure::new(address, message);
    let (root, files, is_wanted) = list(address).map_err(|error| failed(&error))?;
    let bucket = Arc::new(root.bucket);
    let mut found: Vec<_> = files
        .into_iter()
        .filter(|file| is_wanted(&file.path))
        .map(|file| {
            // An address of a single file has nothing below it.
            let name = match file.path.as_str() {
                "" => root.address.to_owned(),
                path => format!("{}/{path}", root.address.trim_end_matches('/')),
            };
            let object = Object {
                bucket: Arc::clone(&bucket),
                path: file.path,
                bytes: file.bytes,
                among: None,
            };
            (name, object)
        })
        .collect();
    if found.is_empty() {
        return Err(failed(&"there are no recordings at this address"));
    }
    // Archives are read piece by piece.
    let recordings = || {
        let all = found.iter().enumerate();
        all.filter(|(_, (name, _))| archive::Kind::of_name(name).is_none())
    };
    let files = recordings().map(|(_, (_, object))| (object.path.clone(), object.bytes));
    let ahead = Arc::new(Ahead::new(bucket, files.collect()));
    let places: Vec<usize> = recordings().map(|(place, _)| place).collect();
    for (number, place) in places.into_iter().enumerate() {
        if let Some((_, object)) = found.get_mut(place) {
            object.among = Some((Arc::clone(&ahead), number));
        }
    }
    Ok(found)
}

/// The part of a bucket that was listed.
struct Root<'a> {
    address: &'a str,
    bucket: Bucket,
}

/// Decides by a file's path below the listed folder.
type IsWanted = Box<dyn Fn(&str) -> bool>;

/// The files at an address, and which of them are wanted.
fn list(address: &str) -> std::io::Result<(Root<'_>, Vec<Listed>, IsWanted)> {
    let bucket = Bucket::open(address)?;
    let files = bucket.list("")?;
    let cut = address.find(WILDCARDS);
    match cut.and_then(|cut| address.get(..cut)?.rfind('/')) {
        // As on disk: a name that exists is not a pattern.
        Some(slash) if files.is_empty() => {
            let (root, pattern) = address.split_at(slash);
            let pattern = Pattern::new(pattern.trim_start_matches('/'))
                .map_err(|error| std::io::Error::other(error.msg))?;
            let bucket = Bucket::open(root)?;
            let files = bucket.list("")?;
            let root = Root {
                address: root,
                bucket,
            };
            let options = MatchOptions {
                require_literal_separator: true,
                ..MatchOptions::new()
            };
            let is_wanted = move |path: &str| pattern.matches_with(path, options);
            Ok((root, files, Box::new(is_wanted)))
        }
        _ => {
            // A file that was asked for is taken whatever its name is.
            let is_wanted = |path: &str| path.is_empty() || super::is_wanted(path);
            Ok((Root { address, bucket }, files, Box::new(is_wanted)))
        }
    }
}
