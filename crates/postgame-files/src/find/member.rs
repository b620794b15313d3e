//! One recording of an archive, by its name: `season.zip/finals/1.replay`.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use glob::{MatchOptions, Pattern};
use postgame::Format;
use postgame::limits::Limits;

use super::{Visit, WILDCARDS, archive, archived};
use crate::Failure;

/// The archive in a path that does not exist itself, and the name after it.
pub(super) fn of(path: &Path) -> Option<(PathBuf, String)> {
    if path.exists() {
        return None;
    }
    let archive = path.ancestors().skip(1).find(|path| path.is_file())?;
    archive::Kind::of(archive)?;
    let parts = path.strip_prefix(archive).ok()?.iter();
    let parts: Vec<_> = parts.map(|part| part.to_string_lossy()).collect();
    Some((archive.to_owned(), parts.join("/")))
}

/// Visits the member with this name, those in a folder of the archive, or those that match a pattern.
pub(super) fn walk(
    path: &Path,
    archive: &Path,
    member: &str,
    limits: &Limits,
    visit: Visit<'_>,
) -> ControlFlow<()> {
    let pattern = match member.contains(WILDCARDS) {
        true => Pattern::new(member).ok(),
        false => None,
    };
    let options = MatchOptions {
        require_literal_separator: true,
        ..MatchOptions::new()
    };
    let is_wanted = |name: &str| {
        let below = name.strip_prefix(member);
        let is_in_folder = below.is_some_and(|rest| rest.starts_with('/'));
        let is_match = pattern.as_ref();
        let is_match = is_match.is_some_and(|pattern| pattern.matches_with(name, options));
        name == member || (is_in_folder || is_match) && Format::is_plausible_name(name)
    };
    let Some(kind) = archive::Kind::of(archive) else {
        return ControlFlow::Continue(());
    };
    match archived(archive, kind, limits, &is_wanted, visit)? {
        0 => visit(Err(Failure::new(
            path.display(),
            "there is no such recording in the archive",
        ))),
        _ => ControlFlow::Continue(()),
    }
}
