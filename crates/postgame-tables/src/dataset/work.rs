//! The threads of `ingest`: one reads the inputs and divides them into segments, several write the segments, one lists
//! them.

use std::collections::HashSet;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use postgame::Depth;
use postgame::limits::Limits;
use postgame::sha256;
use postgame_files::panics::caught;
use postgame_files::{Failure, walk};

use super::ingest::{IngestOptions, Progress};
use super::manifest::{Entry, Segment};
use super::outcome::Halted;
use super::segment::{SegmentWriter, group, io_error};
use super::writer::{Listed, Writer};
use crate::input::is_told_by_frames;
use crate::scan::all_threads;
use crate::source::Source;

/// A recording in progress: its number among all inputs, its name, its digest and its bytes.
struct New {
    number: usize,
    name: String,
    sha256: String,
    bytes: Vec<u8>,
}

impl New {
    /// Reads it, as deep as needed.
    fn read(&self, depth: Depth, limits: &Limits) -> Result<Source, Failure> {
        let sha256 = || self.sha256.clone();
        let read = || Source::read_known(&self.name, &self.bytes, sha256(), depth, limits);
        caught(&self.name, read)?.map_err(|error| Failure::new(&self.name, error))
    }
}

/// The state shared by all threads.
pub(super) struct Shared<'a> {
    pub writer: &'a Writer<'a>,
    pub options: &'a IngestOptions,
    pub progress: &'a Progress,
    /// Recordings of damaged segments that are in no other segment yet.
    pub to_heal: Mutex<HashSet<String>>,
    /// Segments that this run has listed.
    pub relisted: Mutex<HashSet<String>>,
    /// Number of recordings that were already there.
    pub known: AtomicUsize,
    /// Folders with entries that were not opened.
    pub skips: Mutex<Vec<Failure>>,
    /// Recordings that could not be read, with their numbers.
    pub failures: Mutex<Vec<(usize, Failure)>>,
    /// The segments that were added, and those that were not.
    pub halted: Mutex<Halted>,
    /// The first error of the data set itself, which ends the run.
    pub broken: Mutex<Option<io::Error>>,
}

impl Shared<'_> {
    fn fail(&self, new: &New, failure: Failure) {
        lock(&self.failures).push((new.number, failure));
        self.progress.counts.done(new.bytes.len() as u64);
    }

    /// True if a table needs more than a recording's header.
    fn wants_all_of(&self, header: &Source) -> bool {
        let format = header.recording.format();
        let mut tables = self.options.tables.iter();
        tables.any(|table| {
            table.is_of(format) && (table.depth() == Depth::Full || is_told_by_frames(format))
        })
    }

    fn breaks(&self, error: io::Error) {
        lock(&self.broken).get_or_insert(error);
    }

    fn is_broken(&self) -> bool {
        lock(&self.broken).is_some()
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads the inputs, and writes segments on several threads.
pub(super) fn add_in_parallel(paths: &[PathBuf], known: HashSet<String>, shared: &Shared<'_>) {
    let threads = match shared.options.threads {
        0 => all_threads(),
        threads => threads,
    };
    let (segments, work) = sync_channel::<Vec<New>>(0);
    let work = Mutex::new(work);
    let (written, to_list) = sync_channel::<Segment>(threads);
    thread::scope(|scope| {
        for _ in 0..threads {
            let (written, work) = (written.clone(), &work);
            scope.spawn(move || {
                loop {
                    let segment = lock(work).recv();
                    let Ok(segment) = segment else { return };
                    let recordings = segment.len();
                    // Once the data set has failed, segments are still received, so that no sender blocks forever.
                    let added = match shared.is_broken() {
                        true => Ok(Added::Not),
                        false => add(shared, segment),
                    };
                    match added {
                        Ok(Added::Written(segment)) => drop(written.send(segment)),
                        Ok(Added::Empty) => {}
                        Ok(Added::Not) => lock(&shared.halted).not_added.add(recordings),
                        Err(error) => {
                            lock(&shared.halted).not_added.add(recordings);
                            shared.breaks(error);
                        }
                    }
                }
            });
        }
        drop(written);
        // A thread with nothing else to do waits for the disk.
        scope.spawn(|| {
            for segment in to_list {
                list(shared, segment);
            }
        });
        collect(paths, known, shared, &|segment| {
            segments.send(segment).is_ok() && !shared.is_broken()
        });
        drop(segments);
    });
}

/// Reads all inputs and divides them into segments. The division depends only on the inputs, not on the recordings
/// already known, so a run after an interrupted one makes the same segments.
fn collect(
    paths: &[PathBuf],
    mut known: HashSet<String>,
    shared: &Shared<'_>,
    send: &dyn Fn(Vec<New>) -> bool,
) {
    let mut segment = Vec::new();
    let (mut number, mut bytes_so_far, mut files_so_far) = (0, 0, 0);
    let ended = walk(paths, &shared.options.limits, &mut |input| {
        number += 1;
        let read = input.and_then(|input| {
            let name = input.name.clone();
            Ok((name, input.into_bytes()?))
        });
        let (name, bytes) = match read {
            Ok(read) => read,
            Err(skip) if skip.skipped > 0 => {
                lock(&shared.skips).push(skip);
                return ControlFlow::Continue(());
            }
            Err(failure) => {
                lock(&shared.failures).push((number, failure));
                shared.progress.counts.done(0);
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
            shared.progress.counts.done(bytes.len() as u64);
            shared.known.fetch_add(1, Ordering::Relaxed);
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

/// The result of writing a segment's files.
enum Added {
    /// They are published.
    Written(Segment),
    /// None of its recordings could be read.
    Empty,
    /// They are not published, because the data set has failed.
    Not,
}

/// Writes the files of a segment.
fn add(shared: &Shared<'_>, segment: Vec<New>) -> io::Result<Added> {
    let digests: Vec<&str> = segment.iter().map(|one| one.sha256.as_str()).collect();
    let id = sha256(digests.concat().as_bytes());
    let id = id.get(..16).unwrap_or_default();
    let mut headers = Vec::new();
    for new in segment {
        let header = new
            .read(Depth::Header, &shared.options.limits)
            .and_then(|header| {
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
    let groups = headers
        .iter()
        .map(|(group, header, _)| (group, header.recording.format()));
    let mut writer = SegmentWriter::new(shared.writer, &shared.options.tables, id, groups);
    let mut recordings = Vec::new();
    for (_, header, new) in headers {
        let read = match shared.wants_all_of(&header) {
            true => new.read(Depth::Full, &shared.options.limits).map(Some),
            false => Ok(None),
        };
        match read {
            Ok(full) => {
                let full = full.as_ref().unwrap_or(&header);
                // A recording that breaks midway has left rows behind, so the segment cannot be used.
                caught(&new.name, || writer.add(&header, full))
                    .map_err(io::Error::other)?
                    .map_err(io_error)?;
                shared.progress.counts.done(new.bytes.len() as u64);
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
            return Ok(Added::Not);
        }
    }
    if recordings.is_empty() {
        return Ok(Added::Empty);
    }
    recordings.sort_by_key(|(number, _)| *number);
    let files = writer.finish().map_err(io_error)?;
    Ok(Added::Written(Segment {
        id: id.to_owned(),
        recordings: recordings.into_iter().map(|(_, entry)| entry).collect(),
        files,
    }))
}

/// Lists a segment, which adds it to the data set; if that fails, removes its files.
fn list(shared: &Shared<'_>, segment: Segment) {
    let recordings = segment.recordings.len();
    if shared.is_broken() {
        shared.writer.roll_back(&segment.id, &segment.paths());
        lock(&shared.halted).not_added.add(recordings);
        return;
    }
    match shared.writer.list(&segment) {
        Listed::Added => {
            lock(&shared.halted).added.add(recordings);
            let mut to_heal = lock(&shared.to_heal);
            for entry in &segment.recordings {
                to_heal.remove(&entry.sha256);
            }
            lock(&shared.relisted).insert(segment.id);
        }
        Listed::NotAdded(error) => {
            lock(&shared.halted).not_added.add(recordings);
            shared.breaks(error);
        }
        Listed::Unsure(error) => {
            lock(&shared.halted).unsure.add(recordings);
            shared.breaks(error);
        }
    }
}
