//! Adding recordings to a data set, on several threads.

use std::path::PathBuf;
use std::sync::atomic::AtomicUsize;
use std::sync::{Mutex, PoisonError};
use std::thread;

use postgame::limits::Limits;
use postgame_files::progress;

use super::holder::Holder;
use super::lock::Lock;
use super::manifest::{Damage, DataFile, Entry, list_path};
use super::outcome::{IngestError, Outcome};
use super::owner;
use super::store::{Location, Store};
use super::work::{Shared, add_in_parallel, lock};
use super::writer::{Contents, Writer};
use crate::table::Table;

/// Options for adding recordings.
#[derive(Clone)]
pub struct IngestOptions {
    /// The tables; all of them by default.
    pub tables: Vec<&'static dyn Table>,
    /// Number of threads; 0 for as many as the machine has.
    pub threads: usize,
    /// Approximate size of a segment's recordings, in bytes. Memory is bounded by it and the number of threads.
    pub segment_bytes: u64,
    /// Maximum number of recordings in a segment.
    pub segment_files: usize,
    /// Wait while another process writes to the data set, instead of failing.
    pub wait: bool,
    /// Memory limit for each recording.
    pub limits: Limits,
}

impl Default for IngestOptions {
    fn default() -> Self {
        Self {
            tables: crate::ALL.to_vec(),
            threads: 0,
            segment_bytes: 32 << 20,
            segment_files: 512,
            wait: false,
            limits: Limits::default(),
        }
    }
}

/// Progress of a run.
#[derive(Debug, Default)]
pub struct Progress {
    /// The recordings that are done, whether added, known or failed.
    pub counts: progress::Progress,
    /// The process that holds the lock, while this run waits for it.
    pub waits_for: Mutex<Option<Holder>>,
}

impl Progress {
    /// What a line on the terminal shows.
    pub fn status(&self) -> progress::Status {
        match &*lock(&self.waits_for) {
            Some(holder) => progress::Status::Waiting(format!("waiting for {holder}")),
            None => self.counts.status(),
        }
    }
}

/// Releases the lock, also after a panic: the thread that renews it must end.
struct Release<'a>(&'a Lock<'a>);

impl Drop for Release<'_> {
    fn drop(&mut self) {
        self.0.release();
    }
}

/// Adds the recordings at some paths. Recordings whose contents the data set already has are skipped.
///
/// The same recordings give the same files, with any number of threads and after any number of interrupted runs.
/// Recordings of damaged segments are added again.
///
/// # Errors
/// When the path is not a data set, when another process writes to it, and when it cannot be read or written. The data
/// set stays readable, and the error lists the segments that were added.
pub fn ingest(
    paths: &[PathBuf],
    store: &Store,
    options: &IngestOptions,
    progress: &Progress,
) -> Result<Outcome, IngestError> {
    // Checked before anything is changed, and again once no other process can change it.
    owner::check(store)?;
    if let Location::Folder(folder) = &store.place {
        folder.create_root()?;
    }
    let waits_for = |holder: &Holder| *lock(&progress.waits_for) = Some(holder.clone());
    let held = Lock::take(store, options.wait, &waits_for)?;
    *lock(&progress.waits_for) = None;
    thread::scope(|scope| {
        scope.spawn(|| held.keep());
        let _release = Release(&held);
        let (writer, contents) = Writer::open(store, &held)?;
        let outcome = add_all(paths, &writer, contents, options, progress);
        store.finish();
        outcome
    })
}

fn add_all(
    paths: &[PathBuf],
    writer: &Writer<'_>,
    contents: Contents,
    options: &IngestOptions,
    progress: &Progress,
) -> Result<Outcome, IngestError> {
    let Contents { manifest, damaged } = contents;
    let mut known = manifest.known();
    // A run for fewer tables cannot recreate a complete segment.
    let is_made = |file: &DataFile| {
        options
            .tables
            .iter()
            .any(|table| table.name() == file.table)
    };
    let (damaged, left): (Vec<_>, Vec<_>) = damaged
        .into_iter()
        .partition(|(segment, _)| segment.files.iter().all(is_made));
    let entries = left.iter().flat_map(|(segment, _)| &segment.recordings);
    known.extend(entries.map(|entry| entry.sha256.clone()));
    let entries = damaged.iter().flat_map(|(segment, _)| &segment.recordings);
    let to_heal = entries.map(|entry| entry.sha256.clone());
    let to_heal = to_heal.filter(|sha256| !known.contains(sha256)).collect();
    let shared = Shared {
        writer,
        options,
        progress,
        to_heal: Mutex::new(to_heal),
        relisted: Mutex::default(),
        known: AtomicUsize::new(0),
        skips: Mutex::default(),
        failures: Mutex::default(),
        halted: Mutex::default(),
        broken: Mutex::default(),
    };
    add_in_parallel(paths, known, &shared);
    let Shared {
        to_heal,
        relisted,
        known,
        skips,
        failures,
        halted,
        broken,
        ..
    } = shared;
    let halted = take(halted);
    let halt = |cause| IngestError {
        cause,
        halted: Some(halted),
    };
    if let Some(cause) = take(broken) {
        return Err(halt(cause));
    }
    let (to_heal, relisted) = (take(to_heal), take(relisted));
    let mut still_damaged: Vec<Damage> = left.into_iter().map(|(_, damage)| damage).collect();
    for (segment, damage) in damaged {
        let is_here = |entry: &Entry| !to_heal.contains(&entry.sha256);
        if relisted.contains(&segment.id) {
            continue;
        }
        if segment.recordings.iter().all(is_here) {
            writer.retire(&segment).map_err(halt)?;
        } else {
            still_damaged.push(damage);
        }
    }
    let mut unreadable = manifest.unreadable;
    unreadable.retain(|list| {
        let is_of = |id: &String| list.name == list_path(id);
        !relisted.iter().any(is_of)
    });
    let mut failures = take(failures);
    failures.sort_by_key(|(number, _)| *number);
    let skips = take(skips);
    Ok(Outcome {
        added: halted.added.recordings,
        known: known.into_inner(),
        failures: failures.into_iter().map(|(_, failure)| failure).collect(),
        skipped: skips.iter().map(|skip| skip.skipped).sum(),
        skips,
        damaged: still_damaged,
        unreadable,
    })
}

fn take<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
