//! One table of many recordings, built on several threads, in the order of the recordings.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use arrow::record_batch::RecordBatch;

use postgame_files::panics::caught;
use postgame_files::progress::Progress;
use postgame_files::{Failure, Input, walk};

use crate::input::Only;
use crate::table::{Table, TableOptions};

/// Maximum number of batches of one recording that wait to be consumed.
const WAITING_BATCHES: usize = 2;

/// The options of a scan.
#[derive(Clone)]
pub struct Request {
    /// The table.
    pub table: &'static dyn Table,
    /// Batches, columns, rate.
    pub options: TableOptions,
    /// Number of decoding threads; 0 for as many as the machine has.
    pub threads: usize,
    /// The recordings to include; all by default.
    pub only: Only,
}

impl Request {
    /// All columns of a table, on all cores.
    pub fn new(table: &'static dyn Table) -> Self {
        Self {
            table,
            options: TableOptions::default(),
            threads: 0,
            only: Only::default(),
        }
    }

    /// True if a wanted column needs the whole file.
    fn wants_id(&self) -> bool {
        let schema = self.table.schema();
        ["recording_id", "sha256"]
            .iter()
            .filter_map(|name| schema.index_of(name).ok())
            .any(|place| self.options.wants(place))
    }
}

/// As many threads as the machine has.
pub fn all_threads() -> usize {
    thread::available_parallelism().map_or(1, Into::into)
}

/// Batches of a table, in the order of the recordings, independent of the number of threads.
///
/// A recording that cannot be read yields a [`Failure`] in its place, and the scan continues. At most one recording per
/// thread is in memory, each with a few batches. Dropping the scan ends its threads.
pub struct Scan {
    schema: SchemaRef,
    order: Receiver<Receiver<Item>>,
    current: Option<Receiver<Item>>,
    progress: Arc<Progress>,
}

type Item = Result<RecordBatch, Failure>;

/// A recording to decode, and the channel for its batches.
struct Job {
    input: Result<Input, Failure>,
    batches: SyncSender<Item>,
}

/// Builds a table of the recordings at some paths.
///
/// # Errors
/// When the table does not have a wanted column.
pub fn scan(paths: Vec<PathBuf>, mut request: Request) -> Result<Scan, ArrowError> {
    // Other games' recordings have no rows in a game's table.
    let own = request.table.formats();
    if !own.is_empty() {
        let wanted = own.iter().copied();
        let wanted = wanted.filter(|format| request.only.has_format(*format));
        request.only.formats = Some(wanted.collect());
    }
    let schema = request.options.project(&request.table.schema())?;
    let threads = match request.threads {
        0 => all_threads(),
        threads => threads,
    };
    let (jobs, work) = sync_channel::<Job>(0);
    let (orders, order) = sync_channel(threads);
    let progress = Arc::new(Progress::default());
    let work = Arc::new(Mutex::new(work));
    let request = Arc::new(request);
    for _ in 0..threads {
        let (work, request, progress) = (
            Arc::clone(&work),
            Arc::clone(&request),
            Arc::clone(&progress),
        );
        thread::spawn(move || {
            loop {
                let job = work.lock().unwrap_or_else(PoisonError::into_inner).recv();
                let Ok(Job { input, batches }) = job else {
                    return;
                };
                run(&request, input, &batches, &progress);
            }
        });
    }
    thread::spawn(move || {
        // The send fails if the receiver is gone.
        let _ended = walk(&paths, &request.only.limits, &mut |input| {
            if input
                .as_ref()
                .is_ok_and(|input| !request.only.has_name(&input.name))
            {
                return std::ops::ControlFlow::Continue(());
            }
            let (batches, taken) = sync_channel(WAITING_BATCHES);
            let is_wanted = orders.send(taken).is_ok() && jobs.send(Job { input, batches }).is_ok();
            if is_wanted {
                std::ops::ControlFlow::Continue(())
            } else {
                std::ops::ControlFlow::Break(())
            }
        });
    });
    Ok(Scan {
        schema,
        order,
        current: None,
        progress,
    })
}

/// Decodes one recording.
fn run(
    request: &Request,
    input: Result<Input, Failure>,
    batches: &SyncSender<Item>,
    progress: &Progress,
) {
    let Request { table, options, .. } = request;
    let result = input.and_then(|input| {
        let name = input.name.clone();
        let decode = || {
            let source = request
                .only
                .read(input, table.depth(), request.wants_id())?;
            let Some(source) = source else { return Ok(()) };
            progress.bytes.fetch_add(source.bytes, Ordering::Relaxed);
            // An error of ours means that the receiver is gone.
            let mut send = |batch| {
                let gone = |_| ArrowError::ComputeError("the scan was ended".to_owned());
                batches.send(Ok(batch)).map_err(gone)
            };
            let filled = table.fill(&source, options, &mut send);
            filled.map_err(|error| Failure::new(&name, error))
        };
        caught(&name, decode)?
    });
    progress.files.fetch_add(1, Ordering::Relaxed);
    if let Err(failure) = result {
        // A missing receiver is not a problem.
        drop(batches.send(Err(failure)));
    }
}

impl Scan {
    /// The schema of the batches.
    pub fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    /// The progress of the scan.
    pub fn progress(&self) -> Arc<Progress> {
        Arc::clone(&self.progress)
    }
}

impl Iterator for Scan {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        loop {
            if let Some(current) = &self.current {
                match current.recv() {
                    Ok(item) => return Some(item),
                    Err(_) => self.current = None,
                }
            }
            self.current = Some(self.order.recv().ok()?);
        }
    }
}
