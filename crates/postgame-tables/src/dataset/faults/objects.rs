//! Faults of an object store.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use futures::StreamExt as _;
use futures::stream::{self, BoxStream};
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};

use super::super::lease::Terms;
use super::{Files, Inputs, Store, contents, injected, run, verify, verify_claims};
use postgame_files::bucket::Bucket;

/// Which operations fail.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// None.
    Never,
    /// One operation.
    Once,
    /// One operation, which succeeds although its response is lost.
    AnswerLost,
    /// One operation and all later ones.
    FromThenOn,
}

/// A store with a fault.
#[derive(Debug)]
struct Faulty {
    inner: Arc<InMemory>,
    at: usize,
    fault: Fault,
    operations: AtomicUsize,
    /// Blocks everything when the first list is written, like a suspended machine.
    is_suspending: AtomicBool,
    is_suspended: AtomicBool,
}

impl Faulty {
    fn new(inner: &Arc<InMemory>, at: usize, fault: Fault) -> Arc<Self> {
        Arc::new(Self {
            inner: Arc::clone(inner),
            at,
            fault,
            operations: AtomicUsize::new(0),
            is_suspending: AtomicBool::new(false),
            is_suspended: AtomicBool::new(false),
        })
    }

    /// Counts an operation; an error if it fails before it is executed, true if after.
    fn begin(&self) -> Result<bool> {
        while self.is_suspended.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(1));
        }
        let number = self.operations.fetch_add(1, Ordering::SeqCst);
        match self.fault {
            Fault::Once if number == self.at => Err(failed()),
            Fault::FromThenOn if number >= self.at => Err(failed()),
            fault => Ok(fault == Fault::AnswerLost && number == self.at),
        }
    }

    fn has_failed(&self) -> bool {
        self.operations.load(Ordering::SeqCst) > self.at
    }
}

fn failed() -> Error {
    Error::Generic {
        store: "test",
        source: Box::new(injected()),
    }
}

impl fmt::Display for Faulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("faulty")
    }
}

#[async_trait]
impl ObjectStore for Faulty {
    async fn put_opts(
        &self,
        location: &Path,
        payload: PutPayload,
        options: PutOptions,
    ) -> Result<PutResult> {
        let is_list = location.as_ref().contains("_segments");
        if is_list && self.is_suspending.swap(false, Ordering::SeqCst) {
            self.is_suspended.store(true, Ordering::SeqCst);
        }
        let is_lost = self.begin()?;
        let put = self.inner.put_opts(location, payload, options).await;
        if is_lost { Err(failed()) } else { put }
    }

    async fn put_multipart_opts(
        &self,
        location: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.begin()?;
        self.inner.put_multipart_opts(location, options).await
    }

    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        match self.begin()? {
            true => Err(failed()),
            false => self.inner.get_opts(location, options).await,
        }
    }

    fn delete_stream(
        &self,
        locations: BoxStream<'static, Result<Path>>,
    ) -> BoxStream<'static, Result<Path>> {
        match self.begin() {
            Ok(false) => self.inner.delete_stream(locations),
            Ok(true) => {
                let deleted = self.inner.delete_stream(locations);
                deleted.map(|_| Err(failed())).boxed()
            }
            Err(error) => stream::once(async { Err(error) }).boxed(),
        }
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        match self.begin() {
            Ok(false) => self.inner.list(prefix),
            _ => stream::once(async { Err(failed()) }).boxed(),
        }
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        match self.begin()? {
            true => Err(failed()),
            false => self.inner.list_with_delimiter(prefix).await,
        }
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.begin()?;
        self.inner.copy_opts(from, to, options).await
    }
}

/// Short, so that a test does not wait long for a lock to expire.
const TERMS: Terms = Terms {
    heartbeat: Duration::from_millis(40),
    expiry: Duration::from_millis(200),
    pause: Duration::from_millis(5),
};

fn over(store: Arc<dyn ObjectStore>) -> Store {
    let bucket = Bucket::over(store, "s3://games".to_owned(), "set").unwrap();
    Store::over(bucket, TERMS)
}

/// A store that has a data set with the old recordings.
fn prepared(inputs: &Inputs) -> Arc<InMemory> {
    let memory = Arc::new(InMemory::new());
    run(&over(memory.clone()), inputs.old()).unwrap();
    memory
}

/// The files of a data set with all recordings.
fn expected(inputs: &Inputs) -> Files {
    let store = over(prepared(inputs));
    run(&store, inputs.new_ones()).unwrap();
    contents(&store)
}

fn any_operation_can_fail(fault: Fault) {
    let inputs = Inputs::new();
    let expected = expected(&inputs);
    for at in 0.. {
        let memory = prepared(&inputs);
        let faulty = Faulty::new(&memory, at, fault);
        let result = run(&over(faulty.clone()), inputs.new_ones());
        let store = over(memory);
        verify_claims(&result, verify(&store, &expected));
        run(&store, inputs.new_ones()).unwrap();
        assert!(contents(&store) == expected, "{fault:?} at {at}");
        if !faulty.has_failed() {
            assert!(at > 30, "only {at} operations");
            return;
        }
    }
}

#[test]
fn any_one_operation_can_fail() {
    any_operation_can_fail(Fault::Once);
}

#[test]
fn any_one_answer_can_be_lost() {
    any_operation_can_fail(Fault::AnswerLost);
}

#[test]
fn all_operations_can_fail_from_any_on() {
    any_operation_can_fail(Fault::FromThenOn);
}

/// A process that was suspended for longer than its lock lasts does no damage when it resumes.
#[test]
fn an_expired_writer_cannot_list_a_segment() {
    let inputs = Inputs::new();
    let expected = expected(&inputs);
    for is_same_work in [true, false] {
        let memory = prepared(&inputs);
        let suspended = Faulty::new(&memory, 0, Fault::Never);
        suspended.is_suspending.store(true, Ordering::SeqCst);
        let store = over(memory);
        std::thread::scope(|scope| {
            let one = over(suspended.clone());
            let new_ones = inputs.new_ones();
            let one = scope.spawn(move || run(&one, new_ones));
            let start = Instant::now();
            while !suspended.is_suspended.load(Ordering::SeqCst) {
                assert!(start.elapsed() < Duration::from_secs(20));
                std::thread::sleep(Duration::from_millis(1));
            }
            let other = match is_same_work {
                true => inputs.new_ones(),
                false => inputs.old(),
            };
            run(&store, other).unwrap();
            suspended.is_suspended.store(false, Ordering::SeqCst);
            let error = one.join().unwrap().unwrap_err();
            let halted = error.halted.unwrap();
            assert_eq!(halted.unsure.segments, 0, "{error}");
        });
        verify(&store, &expected);
        let outcome = run(&store, inputs.new_ones()).unwrap();
        assert_eq!(outcome.added, if is_same_work { 0 } else { Inputs::NEW });
        assert!(contents(&store) == expected);
    }
}

/// Two processes at once: one writes, the other reports which process does, or waits.
#[test]
fn a_second_writer_is_refused_while_the_first_is_alive() {
    use super::super::lock::Lock;

    let memory = Arc::new(InMemory::new());
    let (one, two) = (over(memory.clone()), over(memory));
    let first = Lock::take(&one, false, &|_| {}).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| first.keep());
        let error = Lock::take(&two, false, &|_| {}).unwrap_err();
        let pid = std::process::id().to_string();
        assert!(
            error.to_string().contains(&format!("process {pid} on ")),
            "{error}"
        );
        let waiting = scope.spawn(|| Lock::take(&two, true, &|_| {}).map(drop));
        std::thread::sleep(2 * TERMS.expiry);
        assert!(!waiting.is_finished());
        first.release();
        waiting.join().unwrap().unwrap();
    });
}
