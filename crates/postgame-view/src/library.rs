//! The recordings that are served, each by a number: a path never comes from outside.

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use postgame::report::Finding;
use postgame::stats::Stats;
use postgame::timeline::Timeline;
use postgame::{Format, ReadOptions, Recording, Summary};
use serde_json::{Value, json};

/// How many recordings stay open; more than one, so that going back and forth between two is quick.
const KEPT_OPEN: usize = 3;

/// The paths that were given, and what is known of them so far.
#[derive(Debug)]
pub struct Library {
    paths: Vec<PathBuf>,
    /// A row of the list for every path whose header has been read, in order.
    rows: Mutex<Vec<Value>>,
    /// Those read lately, the latest last. One lock for all: fifty pages that open one file read it once.
    open: Mutex<VecDeque<(usize, Stamp, Arc<Opened>)>>,
}

/// A recording, read.
#[derive(Debug)]
pub struct Opened {
    /// The recording itself, for what is asked of single things in it.
    pub recording: Recording,
    /// Its format.
    pub format: Format,
    /// What the list shows of it.
    pub summary: Summary,
    /// What moves and happens in it.
    pub timeline: Timeline,
    /// Numbers about it.
    pub stats: Option<Stats>,
    /// What was found while reading.
    pub findings: Vec<Finding>,
    /// Changes when the file does.
    pub revision: String,
}

/// Tells one state of a file from the next.
type Stamp = (u64, Option<SystemTime>);

impl Library {
    /// A library of some files, of which nothing has been read yet.
    pub fn new(paths: Vec<PathBuf>) -> Self {
        Self {
            paths,
            rows: Mutex::default(),
            open: Mutex::default(),
        }
    }

    /// Reads every header, one after the other; the list fills meanwhile. Takes a while: call it on a thread.
    pub fn read_headers(&self) {
        for (id, path) in self.paths.iter().enumerate() {
            let row = row(id, path);
            lock(&self.rows).push(row);
        }
    }

    /// The rows of the list from one on, how many there are, and how many there will be.
    pub fn rows(&self, from: usize) -> Value {
        let rows = lock(&self.rows);
        json!({
            "total": self.paths.len(),
            "read": rows.len(),
            "rows": rows.get(from..).unwrap_or_default(),
        })
    }

    /// What tells whether a recording has changed since.
    ///
    /// # Errors
    /// When there is no such id, or its file is gone.
    pub fn revision(&self, id: usize) -> Result<String, String> {
        let path = self.paths.get(id).ok_or("there is no such recording")?;
        Ok(revision(&stamp(path)?))
    }

    /// A recording, read anew if its file has changed.
    ///
    /// # Errors
    /// When there is no such id, or its file cannot be read; one line for a person, without the path.
    pub fn open(&self, id: usize) -> Result<Arc<Opened>, String> {
        let path = self.paths.get(id).ok_or("there is no such recording")?;
        let mut open = lock(&self.open);
        let found = open.iter().position(|(other, ..)| *other == id);
        let now = stamp(path);
        if let Some((_, then, opened)) = found.and_then(|index| open.get(index)) {
            // What was read stays, even when the file is gone.
            if now.as_ref().is_ok_and(|now| now == then) || now.is_err() {
                return Ok(Arc::clone(opened));
            }
        }
        let now = now?;
        let bytes = fs::read(path).map_err(|error| reason(&error))?;
        let (recording, report) =
            postgame::read(&bytes, &ReadOptions::default()).map_err(|error| error.to_string())?;
        let (timeline, stats) = recording.timeline_and_stats();
        let opened = Arc::new(Opened {
            format: recording.format(),
            summary: recording.summary(),
            stats,
            timeline,
            findings: report.findings().to_vec(),
            revision: revision(&now),
            recording,
        });
        if let Some(index) = found {
            open.remove(index);
        }
        open.push_back((id, now, Arc::clone(&opened)));
        while open.len() > KEPT_OPEN {
            open.pop_front();
        }
        Ok(opened)
    }
}

/// A thread that panicked left nothing half done here: every change is a single push or pop.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn stamp(path: &Path) -> Result<Stamp, String> {
    let metadata = fs::metadata(path).map_err(|error| reason(&error))?;
    Ok((metadata.len(), metadata.modified().ok()))
}

fn revision((length, modified): &Stamp) -> String {
    let since = modified.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
    format!("{length}-{}", since.map_or(0, |since| since.as_nanos()))
}

/// Why a file could not be read, without "(os error 2)", which says nothing to a person.
fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_owned()
}

/// A row of the list: the file's name (not its path) and what its header says.
fn row(id: usize, path: &Path) -> Value {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let read = fs::read(path)
        .map_err(|error| reason(&error))
        .and_then(|bytes| {
            let read = postgame::read(&bytes, &ReadOptions::header());
            read.map(|(recording, _)| (recording, bytes.len()))
                .map_err(|error| error.to_string())
        });
    match read {
        Ok((recording, length)) => json!({
            "id": id,
            "file": name,
            "bytes": length,
            "format": recording.format().id(),
            "game": recording.format().game(),
            "summary": recording.summary(),
        }),
        Err(message) => json!({ "id": id, "file": name, "error": message }),
    }
}
