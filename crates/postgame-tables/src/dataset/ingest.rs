//! Adding recordings to a data set, on several threads.

use std::collections::HashSet;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Mutex, PoisonError};
use std::thread;

use postgame::wire::packed::sha256;
use postgame::{Depth, Format};

use super::manifest::{Entry, Manifest, Segment};
use super::segment::{SegmentWriter, io_error};
use super::store::Store;
use crate::input::{Failure, walk};
use crate::scan::all_threads;
use crate::source::Source;
use crate::table::Table;

/// How recordings are added.
#[derive(Clone)]
pub struct IngestOptions {
    /// Which tables; all of them by default.
    pub tables: Vec<&'static dyn Table>,
    /// How many threads; 0 for as many as the machine has.
    pub threads: usize,
    /// A segment has recordings of about this size, in bytes: memory is bounded by it and the number of threads.
    pub segment_bytes: u64,
    /// And not more than so many.
    pub segment_files: usize,
}

impl Default for IngestOptions {
    fn default() -> Self {
        Self {
            tables: crate::ALL.to_vec(),
            threads: 0,
            segment_bytes: 32 << 20,
            segment_files: 512,
        }
    }
}

/// What became of the recordings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// How many were added.
    pub added: usize,
    /// How many were there already.
    pub known: usize,
    /// What could not be read, in order.
    pub failures: Vec<Failure>,
}

/// How far it is, for those who watch.
#[derive(Debug, Default)]
pub struct Progress {
    /// Recordings that are done, whether added, known or failed.
    pub files: AtomicU64,
    /// Their size.
    pub bytes: AtomicU64,
}

impl Progress {
    fn done(&self, bytes: u64) {
        self.files.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// A recording on its way: its number among all inputs, its name, its digest and its bytes.
struct New {
    number: usize,
    name: String,
    sha256: String,
    bytes: Vec<u8>,
}

/// What all threads share.
struct Shared<'a> {
    store: &'a Store,
    options: &'a IngestOptions,
    progress: &'a Progress,
    outcome: Mutex<Outcome>,
    failures: Mutex<Vec<(usize, Failure)>>,
    /// The first error of the data set itself: it ends everything.
    broken: Mutex<Option<io::Error>>,
}

impl Shared<'_> {
    fn fail(&self, number: usize, failure: Failure) {
        lock(&self.failures).push((number, failure));
    }

    fn is_broken(&self) -> bool {
        lock(&self.broken).is_some()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Adds the recordings that some paths mean. Those that the data set has already, by their contents, are left out.
///
/// The same recordings give the same files, on any number of threads and however often a run was cut short.
///
/// # Errors
/// When the data set cannot be read or written; what it held before is untouched.
pub fn ingest(
    paths: &[PathBuf],
    store: &Store,
    options: &IngestOptions,
    progress: &Progress,
) -> io::Result<Outcome> {
    let manifest = Manifest::read(store)?;
    let files = manifest.segments.iter().flat_map(|segment| &segment.files);
    let listed: HashSet<&str> = files.map(|file| file.path.as_str()).collect();
    store.clean(|path| listed.contains(path))?;
    let threads = match options.threads {
        0 => all_threads(),
        threads => threads,
    };
    let shared = Shared {
        store,
        options,
        progress,
        outcome: Mutex::default(),
        failures: Mutex::default(),
        broken: Mutex::default(),
    };
    let (segments, work) = sync_channel::<Vec<New>>(0);
    let work = Mutex::new(work);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let segment = lock(&work).recv();
                    let Ok(segment) = segment else { return };
                    // The others' segments are taken too, so that nobody waits for ever; but nothing is done with them.
                    if shared.is_broken() {
                        continue;
                    }
                    if let Err(error) = add(&shared, segment) {
                        lock(&shared.broken).get_or_insert(error);
                    }
                }
            });
        }
        collect(paths, manifest.known(), &shared, &|segment| {
            segments.send(segment).is_ok() && !shared.is_broken()
        });
        drop(segments);
    });
    store.finish();
    if let Some(error) = lock(&shared.broken).take() {
        return Err(error);
    }
    let mut failures = std::mem::take(&mut *lock(&shared.failures));
    failures.sort_by_key(|(number, _)| *number);
    let mut outcome = std::mem::take(&mut *lock(&shared.outcome));
    outcome.failures = failures.into_iter().map(|(_, failure)| failure).collect();
    Ok(outcome)
}

/// Goes through all inputs and cuts them into segments. Where the cuts are depends on the inputs alone, not on what is
/// known already: a run after one that was cut short makes the same segments.
fn collect(
    paths: &[PathBuf],
    mut known: HashSet<String>,
    shared: &Shared<'_>,
    send: &dyn Fn(Vec<New>) -> bool,
) {
    let mut segment = Vec::new();
    let (mut number, mut bytes_so_far, mut files_so_far) = (0, 0, 0);
    let ended = walk(paths, &mut |input| {
        number += 1;
        let read = input.and_then(|input| {
            let name = input.name.clone();
            Ok((name, input.into_bytes()?))
        });
        let (name, bytes) = match read {
            Ok(read) => read,
            Err(failure) => {
                shared.fail(number, failure);
                shared.progress.done(0);
                return ControlFlow::Continue(());
            }
        };
        bytes_so_far += bytes.len() as u64;
        files_so_far += 1;
        let sha256 = sha256(&bytes);
        if known.insert(sha256.clone()) {
            segment.push(New {
                number,
                name,
                sha256,
                bytes,
            });
        } else {
            shared.progress.done(bytes.len() as u64);
            lock(&shared.outcome).known += 1;
        }
        if bytes_so_far < shared.options.segment_bytes
            && files_so_far < shared.options.segment_files
        {
            return ControlFlow::Continue(());
        }
        (bytes_so_far, files_so_far) = (0, 0);
        match segment.is_empty() || send(std::mem::take(&mut segment)) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    });
    if ended.is_continue() && !segment.is_empty() {
        send(segment);
    }
}

/// Adds a segment.
fn add(shared: &Shared<'_>, segment: Vec<New>) -> io::Result<()> {
    let mut writer = SegmentWriter::new(shared.store, &shared.options.tables);
    let mut recordings = Vec::new();
    for New {
        number,
        name,
        sha256,
        bytes,
    } in segment
    {
        let size = bytes.len() as u64;
        let read = |depth| Source::read_known(&name, &bytes, sha256.clone(), depth);
        match read(Depth::Full).and_then(|full| Ok((read(Depth::Header)?, full))) {
            Ok((header, full)) => {
                drop(bytes);
                writer.add(&header, &full).map_err(io_error)?;
                recordings.push(Entry { sha256, file: name });
            }
            Err(error) => shared.fail(number, Failure::new(name, error)),
        }
        shared.progress.done(size);
        if shared.is_broken() {
            return Ok(());
        }
    }
    if recordings.is_empty() {
        return Ok(());
    }
    let digests: Vec<&str> = recordings.iter().map(|one| one.sha256.as_str()).collect();
    let id = sha256(digests.concat().as_bytes());
    let id = id.get(..16).unwrap_or_default().to_owned();
    let files = writer.finish(&id).map_err(io_error)?;
    let added = recordings.len();
    let segment = Segment {
        id,
        recordings,
        files,
    };
    segment.write(shared.store).inspect_err(|_| {
        for file in &segment.files {
            // The first error is the one to tell; what stays is removed by the next run.
            drop(shared.store.remove(&file.path));
        }
    })?;
    lock(&shared.outcome).added += added;
    Ok(())
}

/// The sizes of all files that some paths mean, for those who watch; archives count as they are.
pub fn total_bytes(paths: &[PathBuf]) -> u64 {
    let files = paths
        .iter()
        .flat_map(|path| walkdir::WalkDir::new(path).into_iter());
    files
        .filter_map(Result::ok)
        .filter(|entry| {
            entry.depth() == 0
                || entry
                    .file_name()
                    .to_str()
                    .is_some_and(Format::is_plausible_name)
        })
        .filter_map(|entry| entry.metadata().ok())
        .filter(|metadata| metadata.is_file())
        .map(|metadata| metadata.len())
        .sum()
}
