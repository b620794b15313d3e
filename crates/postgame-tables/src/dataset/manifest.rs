//! The recordings of a data set, and the files that contain them.

use std::collections::HashSet;
use std::fmt;
use std::io;

use serde::{Deserialize, Serialize};

use super::SEGMENTS;
use super::store::Store;
use postgame_files::Failure;

/// Recordings that were added together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// Its name: a digest of the recordings in it.
    pub id: String,
    /// The recordings, in order.
    pub recordings: Vec<Entry>,
    /// The files with their rows.
    pub files: Vec<DataFile>,
}

/// A recording of a segment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The SHA-256 of its file.
    pub sha256: String,
    /// The name of its file.
    pub file: String,
}

/// A file with rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataFile {
    /// The table.
    pub table: String,
    /// The game.
    pub game: String,
    /// The month; `None` if unknown.
    pub month: Option<String>,
    /// Its path in the data set.
    pub path: String,
    /// Number of rows.
    pub rows: u64,
    /// Its size.
    pub bytes: u64,
}

/// All segments of a data set, in order of their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// The segments.
    pub segments: Vec<Segment>,
    /// Damaged lists, and how they are damaged.
    pub unreadable: Vec<Failure>,
    /// Segments that were abandoned in an object store: the process that began them must not list them.
    pub(super) abandoned: Vec<String>,
}

/// A segment whose list names missing files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The segment's name.
    pub id: String,
    /// Number of its files that are missing or have another size than listed.
    pub missing_files: usize,
    /// Number of files in its list.
    pub files: usize,
    /// How many recordings it has.
    pub recordings: usize,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "segment {} with {} recordings is damaged: {} of its {} files are missing or incomplete",
            self.id, self.recordings, self.missing_files, self.files
        )
    }
}

/// A note that replaces the list of an abandoned segment in an object store.
#[derive(Serialize, Deserialize)]
struct Abandoned {
    /// The run that abandoned it.
    abandoned_by: String,
}

impl Manifest {
    /// Reads the lists of a data set; a data set that does not exist yet has none.
    ///
    /// # Errors
    /// When the file system or the store fails. A damaged list is not an error, but is listed in
    /// [`Manifest::unreadable`].
    pub fn read(store: &Store) -> io::Result<Self> {
        let mut paths = store.list(SEGMENTS)?;
        paths.retain(|path| id_of(path).is_some());
        let mut manifest = Self::default();
        for (path, text) in paths.iter().zip(store.read(&paths)?) {
            let id = id_of(path).unwrap_or_default();
            match Segment::parse(id, &text) {
                Ok(segment) => manifest.segments.push(segment),
                Err(_) if serde_json::from_slice::<Abandoned>(&text).is_ok() => {
                    manifest.abandoned.push(id.to_owned());
                }
                Err(problem) => manifest.unreadable.push(Failure::new(path, problem)),
            }
        }
        manifest
            .segments
            .sort_by(|one, other| one.id.cmp(&other.id));
        Ok(manifest)
    }

    /// Removes and returns the segments with missing files.
    ///
    /// # Errors
    /// When the file system or the store fails.
    pub fn take_damaged(&mut self, store: &Store) -> io::Result<Vec<(Segment, Damage)>> {
        let files = self.segments.iter().flat_map(|segment| &segment.files);
        let paths: Vec<&str> = files.map(|file| file.path.as_str()).collect();
        let mut sizes = store.sizes(&paths)?.into_iter();
        let mut damaged = Vec::new();
        for segment in std::mem::take(&mut self.segments) {
            let found = sizes.by_ref().take(segment.files.len());
            let found = found.zip(&segment.files);
            let missing_files = found
                .filter(|(size, file)| *size != Some(file.bytes))
                .count();
            if missing_files == 0 {
                self.segments.push(segment);
                continue;
            }
            let damage = Damage {
                id: segment.id.clone(),
                missing_files,
                files: segment.files.len(),
                recordings: segment.recordings.len(),
            };
            damaged.push((segment, damage));
        }
        Ok(damaged)
    }

    /// The SHA-256 of every recording.
    pub fn known(&self) -> HashSet<String> {
        let recordings = self.segments.iter().flat_map(|one| &one.recordings);
        recordings.map(|entry| entry.sha256.clone()).collect()
    }

    /// The files of a table, in order.
    pub fn files<'a>(&'a self, table: &'a str) -> impl Iterator<Item = &'a DataFile> {
        let files = self.segments.iter().flat_map(|segment| &segment.files);
        files.filter(move |file| file.table == table)
    }
}

impl Segment {
    /// Reads a list, which may only name files of this segment, because listed files may be removed later.
    pub(super) fn parse(id: &str, text: &[u8]) -> Result<Self, String> {
        let segment: Self = serde_json::from_slice(text).map_err(|error| error.to_string())?;
        if segment.id != id {
            return Err("this is the list of another segment".to_owned());
        }
        match segment
            .files
            .iter()
            .find(|file| !is_path_of(id, &file.path))
        {
            Some(file) => Err(format!("{} is not a file of this segment", file.path)),
            None => Ok(segment),
        }
    }

    /// The list's text.
    pub(super) fn to_text(&self) -> io::Result<Vec<u8>> {
        Ok(serde_json::to_vec_pretty(self)?)
    }

    /// The paths of its files.
    pub(super) fn paths(&self) -> Vec<&str> {
        self.files.iter().map(|file| file.path.as_str()).collect()
    }
}

/// The note that replaces an abandoned segment's list.
pub(super) fn abandoned_text(token: &str) -> io::Result<Vec<u8>> {
    let abandoned_by = token.to_owned();
    Ok(serde_json::to_vec(&Abandoned { abandoned_by })?)
}

/// The path of a segment's list.
pub(super) fn list_path(id: &str) -> String {
    format!("{SEGMENTS}/{id}.json")
}

/// The segment that a list's path belongs to.
fn id_of(path: &str) -> Option<&str> {
    let name = path.strip_prefix(SEGMENTS)?.strip_prefix('/')?;
    name.strip_suffix(".json")
}

/// The path of a segment's file.
pub(super) fn file_path(table: &str, game: &str, month: &str, id: &str) -> String {
    format!("{table}/game={game}/month={month}/{id}.parquet")
}

/// True if a path is valid for a segment's file.
pub(super) fn is_path_of(id: &str, path: &str) -> bool {
    let is_hex = |byte: u8| byte.is_ascii_hexdigit();
    let is_word = |text: &str| {
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
        !text.is_empty() && text.bytes().all(is_letter)
    };
    let parts: Vec<&str> = path.split('/').collect();
    let &[table, game, month, file] = parts.as_slice() else {
        return false;
    };
    !id.is_empty()
        && id.bytes().all(is_hex)
        && is_word(table)
        && game.strip_prefix("game=").is_some_and(is_word)
        && month.strip_prefix("month=").is_some_and(is_word)
        && file.strip_suffix(".parquet") == Some(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_segments_own_files_are_its_own() {
        let own = file_path("frames", "rocket-league", "2020-07", "3f2a");
        assert!(is_path_of("3f2a", &own));
        assert!(is_path_of(
            "3f2a",
            &file_path("frames", "slippi", super::super::UNKNOWN, "3f2a")
        ));
        for foreign in [
            "../game=slippi/month=2020-07/3f2a.parquet",
            "/frames/game=slippi/month=2020-07/3f2a.parquet",
            "frames/game=slippi/month=../3f2a.parquet",
            "frames/game=slippi/month=2020-07/other.parquet",
            "frames/game=slippi/3f2a.parquet",
            "_segments/3f2a.json",
            "3f2a.parquet",
        ] {
            assert!(!is_path_of("3f2a", foreign), "{foreign}");
        }
        assert!(!is_path_of(
            "..",
            "frames/game=slippi/month=2020-07/...parquet"
        ));
    }
}
