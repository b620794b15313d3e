//! Which recordings a data set has, and in which files.

use std::collections::HashSet;
use std::io;

use serde::{Deserialize, Serialize};

use super::store::Store;

/// Where the lists are.
pub(super) const SEGMENTS: &str = "_segments";

/// Recordings that were added together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// Its name: a digest of the recordings in it.
    pub id: String,
    /// The recordings, in order.
    pub recordings: Vec<Entry>,
    /// Their rows.
    pub files: Vec<DataFile>,
}

/// A recording of a segment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The SHA-256 of its file.
    pub sha256: String,
    /// The name its file had.
    pub file: String,
}

/// A file with rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataFile {
    /// The table.
    pub table: String,
    /// The game.
    pub game: String,
    /// The month; `None` where it is not known.
    pub month: Option<String>,
    /// Where it is in the data set.
    pub path: String,
    /// How many rows it has.
    pub rows: u64,
    /// Its size.
    pub bytes: u64,
}

/// All segments of a data set, in order of their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// The segments.
    pub segments: Vec<Segment>,
}

impl Manifest {
    /// Reads the lists of a data set; one that is not there yet has none.
    ///
    /// # Errors
    /// When a list cannot be read or is none.
    pub fn read(store: &Store) -> io::Result<Self> {
        let mut paths = store.list(SEGMENTS)?;
        paths.retain(|path| path.ends_with(".json"));
        let mut segments = Vec::new();
        for (path, text) in paths.iter().zip(store.read(&paths)?) {
            let segment: Segment = serde_json::from_slice(&text)
                .map_err(|error| io::Error::other(format!("{path}: {error}")))?;
            segments.push(segment);
        }
        segments.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(Self { segments })
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
    /// Writes the list: from then on the segment is a part of the data set.
    pub(super) fn write(&self, store: &Store) -> io::Result<()> {
        let text = serde_json::to_vec_pretty(self)?;
        store.write(&format!("{SEGMENTS}/{}.json", self.id), &text)
    }
}
