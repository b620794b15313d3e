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
use super::segment::{SegmentWriter, group, io_error};
use super::store::Store;
use crate::bucket;
use crate::input::{Failure, objects, walk};
use crate::panics::caught;
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

impl New {
    /// Reads it, as deep as is needed.
    fn read(&self, depth: Depth) -> Result<Source, Failure> {
        let read = || Source::read_known(&self.name, &self.bytes, self.sha256.clone(), depth);
        caught(&self.name, read)?.map_err(|error| Failure::new(&self.name, error))
    }
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
    fn fail(&self, new: &New, failure: Failure) {
        lock(&self.failures).push((new.number, failure));
        self.progress.done(new.bytes.len() as u64);
    }

    /// True when a table is to be made of more than a recording's header.
    fn wants_all_of(&self, header: &Source) -> bool {
        let format = header.recording.format();
        let mut tables = self.options.tables.iter();
        tables.any(|table| table.is_of(format) && table.depth() == Depth::Full)
    }

    fn breaks(&self, error: io::Error) {
        lock(&self.broken).get_or_insert(error);
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
    let (written, to_list) = sync_channel::<Segment>(threads);
    thread::scope(|scope| {
        for _ in 0..threads {
            let (written, work, shared) = (written.clone(), &work, &shared);
            scope.spawn(move || {
                loop {
                    let segment = lock(work).recv();
                    let Ok(segment) = segment else { return };
                    // The others' segments are taken too, so that nobody waits for ever; but nothing is done with them.
                    if shared.is_broken() {
                        continue;
                    }
                    match add(shared, segment) {
                        Ok(Some(segment)) => drop(written.send(segment)),
                        Ok(None) => {}
                        Err(error) => shared.breaks(error),
                    }
                }
            });
        }
        drop(written);
        // Waiting for the disk is left to a thread that has nothing else to do.
        scope.spawn(|| {
            for segment in to_list {
                if let Err(error) = list(&shared, &segment) {
                    shared.breaks(error);
                }
            }
        });
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
                lock(&shared.failures).push((number, failure));
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

/// Writes the files of a segment; `None` where nothing in it could be read.
fn add(shared: &Shared<'_>, segment: Vec<New>) -> io::Result<Option<Segment>> {
    let digests: Vec<&str> = segment.iter().map(|one| one.sha256.as_str()).collect();
    let id = sha256(digests.concat().as_bytes());
    let id = id.get(..16).unwrap_or_default();
    let mut headers = Vec::new();
    for new in segment {
        let header = new.read(Depth::Header).and_then(|header| {
            let group = caught(&new.name, || group(&header))?;
            Ok((group, header))
        });
        match header {
            Ok((group, header)) => headers.push((group, header, new)),
            Err(failure) => shared.fail(&new, failure),
        }
    }
    // Group by group; in a group they stay in order.
    headers.sort_by(|one, other| one.0.cmp(&other.0));
    let mut writer = SegmentWriter::new(shared.store, &shared.options.tables, id);
    let mut recordings = Vec::new();
    for (_, header, new) in headers {
        let read = match shared.wants_all_of(&header) {
            true => new.read(Depth::Full).map(Some),
            false => Ok(None),
        };
        match read {
            Ok(full) => {
                let full = full.as_ref().unwrap_or(&header);
                // What breaks in the middle has left rows behind: the segment cannot be used.
                caught(&new.name, || writer.add(&header, full))
                    .map_err(io::Error::other)?
                    .map_err(io_error)?;
                shared.progress.done(new.bytes.len() as u64);
                let New {
                    number,
                    name,
                    sha256,
                    ..
                } = new;
                recordings.push((number, Entry { sha256, file: name }));
            }
            Err(failure) => shared.fail(&new, failure),
        }
        if shared.is_broken() {
            return Ok(None);
        }
    }
    if recordings.is_empty() {
        return Ok(None);
    }
    recordings.sort_by_key(|(number, _)| *number);
    let files = writer.finish().map_err(io_error)?;
    Ok(Some(Segment {
        id: id.to_owned(),
        recordings: recordings.into_iter().map(|(_, entry)| entry).collect(),
        files,
    }))
}

/// Lists a segment, which makes it a part of the data set; or removes its files, when that cannot be.
fn list(shared: &Shared<'_>, segment: &Segment) -> io::Result<()> {
    let written = || {
        // A list must not be on disk before what it lists.
        let mut paths = segment.files.iter().map(|file| file.path.as_str());
        paths.try_for_each(|path| shared.store.sync(path))?;
        segment.write(shared.store)
    };
    let listed = match shared.is_broken() {
        true => Ok(false),
        false => written().map(|()| true),
    };
    if let Ok(true) = listed {
        lock(&shared.outcome).added += segment.recordings.len();
    } else {
        for file in &segment.files {
            // The first error is the one to tell; what stays is removed by the next run.
            drop(shared.store.remove(&file.path));
        }
    }
    listed.map(drop)
}

/// The sizes of all files that some paths mean, for those who watch; archives count as they are.
pub fn total_bytes(paths: &[PathBuf]) -> u64 {
    let addresses = paths.iter().filter_map(|path| bucket::address(path));
    let in_stores: u64 = addresses.map(objects::total_bytes).sum();
    let files = paths
        .iter()
        .flat_map(|path| walkdir::WalkDir::new(path).into_iter());
    let on_disk: u64 = files
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
        .sum();
    in_stores + on_disk
}
