//! The recordings that are served, each by a number: paths never come from requests.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use postgame::report::Finding;
use postgame::stats::Stats;
use postgame::timeline::Timeline;
use postgame::{Format, ReadOptions, Recording, Summary};
use postgame_files::Input;
use postgame_files::contents::{Header, Stamp};
use postgame_files::failure::reason;
use postgame_files::panics::{caught, message};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::options::Options;

/// Maximum number of recordings that stay open: several, so that switching between two is fast.
const KEPT_OPEN: usize = 3;

/// The given recordings, and everything known about them so far.
#[derive(Debug)]
pub struct Library {
    recordings: Vec<Served>,
    options: Options,
    /// The next recording whose header is read for the list.
    next_header: AtomicUsize,
    /// The row of each recording whose header has been read, in the order of reading.
    rows: Mutex<Vec<Value>>,
    /// Recently read recordings, the latest last. Never locked while a file is read.
    open: Mutex<VecDeque<(usize, Stamp, Arc<Opened>)>>,
    readers: Arc<Semaphore>,
    answers: Arc<Semaphore>,
}

/// An input with its own lock: fifty pages that open one file read it once, and pages with other files do not wait.
#[derive(Debug)]
struct Served {
    input: Input,
    reading: Arc<tokio::sync::Mutex<()>>,
}

/// A recording, read.
#[derive(Debug)]
pub struct Opened {
    /// The recording itself, for requests about single objects in it.
    pub recording: Recording,
    /// Its format.
    pub format: Format,
    /// Its summary.
    pub summary: Summary,
    /// Its timeline.
    pub timeline: Timeline,
    /// Its statistics.
    pub stats: Option<Stats>,
    /// The findings of reading.
    pub findings: Vec<Finding>,
    /// Changes when the file does.
    pub revision: String,
}

/// Why a request failed, as one line for a person, without the path.
#[derive(Debug)]
pub enum Failure {
    /// There is no such recording, or it cannot be read.
    Unreadable(String),
    /// A panic while reading or answering.
    Bug(String),
}

impl Library {
    /// A library of some files, without reading them.
    pub fn new(inputs: Vec<Input>, options: Options) -> Self {
        let served = |input| Served {
            input,
            reading: Arc::default(),
        };
        Self {
            recordings: inputs.into_iter().map(served).collect(),
            next_header: AtomicUsize::new(0),
            rows: Mutex::default(),
            open: Mutex::default(),
            readers: Arc::new(Semaphore::new(options.limits.readers.max(1))),
            answers: Arc::new(Semaphore::new(options.limits.answers.max(1))),
            options,
        }
    }

    /// Reads headers until none is left; the list fills meanwhile. This takes a while: call it on several threads. Each
    /// takes the next recording, so that a slow one holds up only its own thread.
    pub fn read_headers(&self) {
        loop {
            let id = self.next_header.fetch_add(1, Ordering::Relaxed);
            let Some(served) = self.recordings.get(id) else {
                return;
            };
            let name = served.input.file_name();
            let row = caught(&name, || self.row(id, &served.input))
                .flatten()
                .unwrap_or_else(
                    |failure| json!({ "id": id, "file": name, "error": failure.message }),
                );
            lock(&self.rows).push(row);
        }
    }

    /// A row of the list: the file's name (not its path) and the facts in its header.
    fn row(&self, id: usize, input: &Input) -> Result<Value, postgame_files::Failure> {
        if let Some(delay) = &self.options.before_reading {
            delay(input);
        }
        let Header {
            recording, bytes, ..
        } = input.header(&self.options.memory)?;
        Ok(json!({
            "id": id,
            "file": input.file_name(),
            "bytes": bytes,
            "format": recording.format().id(),
            "game": recording.format().game(),
            "summary": recording.summary(),
        }))
    }

    /// The rows of the list from an index on, their current number, and their final number.
    pub fn rows(&self, from: usize) -> Value {
        let rows = lock(&self.rows);
        json!({
            "total": self.recordings.len(),
            "read": rows.len(),
            "rows": rows.get(from..).unwrap_or_default(),
        })
    }

    /// A value that changes when the recording changes.
    ///
    /// # Errors
    /// When there is no such id, or its file is gone.
    pub async fn revision(self: &Arc<Self>, id: usize) -> Result<String, Failure> {
        self.reading(id, |_, input| Ok(revision(&stamp(input)?)))
            .await
    }

    /// A recording, read again if its file has changed.
    ///
    /// # Errors
    /// When there is no such id, or its file cannot be read.
    pub async fn open(self: &Arc<Self>, id: usize) -> Result<Arc<Opened>, Failure> {
        self.reading(id, move |library, input| library.read(id, input))
            .await
    }

    /// Computes a response on a thread that may block.
    ///
    /// # Errors
    /// When that panics.
    pub async fn answer<T: Send + 'static>(
        &self,
        make: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        blocking(&self.answers, make).await
    }

    /// Runs a function on a file, on a thread that may block; one function at a time for each file.
    async fn reading<T: Send + 'static>(
        self: &Arc<Self>,
        id: usize,
        read: impl FnOnce(&Self, &Input) -> Result<T, String> + Send + 'static,
    ) -> Result<T, Failure> {
        let none = || Failure::Unreadable("there is no such recording".to_owned());
        let served = self.recordings.get(id).ok_or_else(none)?;
        // Waiting here does not occupy a thread, so requests waiting for a slow file do not hold up others.
        let turn = Arc::clone(&served.reading).lock_owned().await;
        let library = Arc::clone(self);
        let read = blocking(&self.readers, move || {
            // Finishes reading even if the client is gone by then: the next request finds it open.
            let _turn = turn;
            let served = library.recordings.get(id);
            served.map(|served| read(&library, &served.input))
        });
        read.await?.ok_or_else(none)?.map_err(Failure::Unreadable)
    }

    fn read(&self, id: usize, input: &Input) -> Result<Arc<Opened>, String> {
        let known = lock(&self.open)
            .iter()
            .find(|(other, ..)| *other == id)
            .map(|(_, then, opened)| (*then, Arc::clone(opened)));
        let now = stamp(input);
        if let Some((then, opened)) = known {
            // A recording that was read stays, even if its file is gone.
            if now.as_ref().is_ok_and(|now| *now == then) || now.is_err() {
                return Ok(opened);
            }
        }
        let now = now?;
        if let Some(delay) = &self.options.before_reading {
            delay(input);
        }
        let options = ReadOptions {
            limits: self.options.memory,
            ..ReadOptions::default()
        };
        let read = input.recording(&options);
        let (recording, report) = read.map_err(|failure| failure.message)?;
        let (timeline, stats) = recording.analysis().into_parts();
        let opened = Arc::new(Opened {
            format: recording.format(),
            summary: recording.summary(),
            stats,
            timeline,
            findings: report.findings().to_vec(),
            revision: revision(&now),
            recording,
        });
        let mut open = lock(&self.open);
        open.retain(|(other, ..)| *other != id);
        open.push_back((id, now, Arc::clone(&opened)));
        while open.len() > KEPT_OPEN {
            open.pop_front();
        }
        Ok(opened)
    }
}

/// Runs work on another thread, once one of a limited number is free. The work runs to its end, and counts until then,
/// even if the caller no longer waits for it.
async fn blocking<T: Send + 'static>(
    threads: &Arc<Semaphore>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Failure> {
    let thread = Arc::clone(threads).acquire_owned().await;
    let work = tokio::task::spawn_blocking(move || {
        let _thread = thread;
        work()
    });
    work.await.map_err(|error| match error.try_into_panic() {
        Ok(panic) => Failure::Bug(message(&*panic)),
        Err(_) => Failure::Unreadable("the server is ending".to_owned()),
    })
}

/// A panicking thread cannot leave an inconsistent state: every change is a single push or pop.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn stamp(input: &Input) -> Result<Stamp, String> {
    input.stamp().map_err(reason)
}

fn revision((length, modified): &Stamp) -> String {
    let since = modified.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
    format!("{length}-{}", since.map_or(0, |since| since.as_nanos()))
}
