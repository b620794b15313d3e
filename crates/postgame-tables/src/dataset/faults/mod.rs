//! Tests of a data set when operations fail, when the power fails, and when another process takes over.
//!
//! - `disk`: in a folder, with a model of a file system that forgets unsynced changes
//! - `objects`: in an object store

mod disk;
#[cfg(feature = "s3")]
mod objects;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::ingest::Progress;
use super::{IngestError, IngestOptions, LOCK, Manifest, Outcome, Store, ingest};
use crate::find;

/// A data set's files, except for its lock.
type Files = BTreeMap<String, Vec<u8>>;

/// Recordings in two folders: some that the data set already has, and more, for two and a half segments.
struct Inputs {
    folder: tempfile::TempDir,
}

impl Inputs {
    const OLD: usize = 1;
    const NEW: usize = 5;

    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
        let copies = [("old", Self::OLD, 100), ("new", Self::NEW, 200)];
        for (name, count, first) in copies {
            let inner = folder.path().join(name);
            fs::create_dir(&inner).unwrap();
            for number in first..first + count {
                let sample = ["duel.slp", "bout.replay"][number % 2];
                let mut bytes = fs::read(samples.join(sample)).unwrap();
                bytes.extend(format!("copy {number}").bytes());
                fs::write(inner.join(format!("{number}-{sample}")), bytes).unwrap();
            }
        }
        Self { folder }
    }

    fn old(&self) -> PathBuf {
        self.folder.path().join("old")
    }

    fn new_ones(&self) -> PathBuf {
        self.folder.path().join("new")
    }
}

/// Small segments of tables that are quick to build.
fn run(store: &Store, input: PathBuf) -> Result<Outcome, IngestError> {
    let options = IngestOptions {
        tables: ["recordings", "players"]
            .into_iter()
            .filter_map(find)
            .collect(),
        threads: 1,
        segment_files: 2,
        ..IngestOptions::default()
    };
    ingest(&[input], store, &options, &Progress::default())
}

/// The complete contents of a data set.
fn contents(store: &Store) -> Files {
    let mut paths = store.list("").unwrap();
    paths.retain(|path| path != LOCK);
    let contents = store.read(&paths).unwrap();
    paths.into_iter().zip(contents).collect()
}

/// Asserts that a data set is readable, and that everything it lists equals an uninterrupted one. Returns the number of
/// segments and recordings.
fn verify(store: &Store, expected: &Files) -> (usize, usize) {
    let now = contents(store);
    let mut manifest = Manifest::read(store).unwrap();
    assert_eq!(manifest.unreadable, []);
    assert_eq!(manifest.take_damaged(store).unwrap(), []);
    let mut recordings = 0;
    for segment in &manifest.segments {
        recordings += segment.recordings.len();
        let list = super::manifest::list_path(&segment.id);
        for path in segment.paths().into_iter().chain([list.as_str()]) {
            assert_eq!(now.get(path), expected.get(path), "{path}");
        }
    }
    (manifest.segments.len(), recordings)
}

/// Asserts that the outcome of a run describes a data set correctly that had one segment of old recordings.
fn verify_claims(result: &Result<Outcome, IngestError>, now: (usize, usize)) {
    let (segments, recordings) = (now.0 - 1, now.1 - Inputs::OLD);
    match result {
        Ok(outcome) => {
            assert_eq!(outcome.added, Inputs::NEW);
            assert_eq!((segments, recordings), (3, Inputs::NEW));
        }
        Err(error) => {
            let halted = error.halted.unwrap_or_default();
            let (added, unsure) = (halted.added, halted.unsure);
            assert!(
                (added.segments..=added.segments + unsure.segments).contains(&segments),
                "{error}, but there are {segments}"
            );
            assert!(
                (added.recordings..=added.recordings + unsure.recordings).contains(&recordings)
            );
            assert!(halted.not_added.segments + added.segments + unsure.segments <= 3);
        }
    }
}

fn injected() -> io::Error {
    io::Error::new(io::ErrorKind::StorageFull, "injected")
}
