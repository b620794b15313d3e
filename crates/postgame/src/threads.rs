//! Parallel work, if the caller's thread pool allows it.

#[cfg(feature = "parallel")]
use std::cell::Cell;
#[cfg(feature = "parallel")]
use std::sync::atomic::{AtomicUsize, Ordering};
#[cfg(feature = "parallel")]
use std::sync::{Mutex, PoisonError};
#[cfg(feature = "parallel")]
use std::time::{Duration, Instant};

/// True if the caller has more than one thread.
pub(crate) fn has_threads() -> bool {
    #[cfg(feature = "parallel")]
    if rayon::current_num_threads() > 1 {
        return true;
    }
    false
}

/// Runs two closures, in parallel if the caller has more than one thread.
pub(crate) fn both<A: Send, B: Send>(
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B + Send,
) -> (A, B) {
    #[cfg(feature = "parallel")]
    if has_threads() {
        return rayon::join(first, second);
    }
    (first(), second())
}

/// Runs the same work on all threads of the caller. Threads that start late may find nothing left to do.
#[cfg(feature = "parallel")]
pub(crate) fn on_all(work: impl Fn(&Share<'_>) + Sync) {
    /// How long a finished thread spins. Waking a sleeping thread takes about as long, so it pays to spin for others
    /// that are nearly done.
    const MAX_AWAKE: Duration = Duration::from_micros(100);
    let (begun, at_work) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let share = |number| Share {
        number,
        begun: &begun,
        since: Instant::now(),
        made_room: Cell::new(None),
    };
    rayon::scope(|scope| {
        for number in 1..rayon::current_num_threads() {
            let (work, share, at_work) = (&work, &share, &at_work);
            scope.spawn(move |_| {
                at_work.fetch_add(1, Ordering::Relaxed);
                let share = share(number);
                share.begun.fetch_add(1, Ordering::Relaxed);
                work(&share);
                at_work.fetch_sub(1, Ordering::Release);
            });
        }
        CALLERS.fetch_add(1, Ordering::Relaxed);
        work(&share(0));
        CALLERS.fetch_sub(1, Ordering::Relaxed);
        let start = Instant::now();
        while at_work.load(Ordering::Acquire) > 0 && start.elapsed() < MAX_AWAKE {
            std::hint::spin_loop();
        }
    });
}

/// Number of threads that are sharing work at the moment. After a panic the count stays too high, which disables
/// migration.
#[cfg(feature = "parallel")]
static CALLERS: AtomicUsize = AtomicUsize::new(0);

/// Migration is disabled until this time; set when no worker came.
#[cfg(feature = "parallel")]
static IN_VAIN_UNTIL: Mutex<Option<Instant>> = Mutex::new(None);

/// One thread's share of parallel work.
#[cfg(feature = "parallel")]
pub(crate) struct Share<'a> {
    /// The thread's number; 0 is the caller.
    pub number: usize,
    /// Number of workers that have begun.
    begun: &'a AtomicUsize,
    since: Instant,
    /// When the caller migrated to make room for workers, if it did.
    made_room: Cell<Option<Instant>>,
}

#[cfg(feature = "parallel")]
impl Share<'_> {
    /// Call this between two pieces of the work.
    ///
    /// A thread that is woken up may have to wait for the thread that wakes it, on the same processor, even if another
    /// processor is idle: Linux looks for an idle one only among processors that share a cache, and otherwise moves one
    /// of the two at a later tick, when the work is done (bench/RESULTS.md, Two threads). So if no worker has begun
    /// after a while, the caller migrates itself, unless the workers are likely to be busy.
    #[inline]
    pub fn between_pieces(&self) {
        if self.number == 0 && self.begun.load(Ordering::Relaxed) == 0 {
            self.make_room();
        }
    }

    #[cold]
    fn make_room(&self) {
        /// Usually longer than waking up on an idle processor takes.
        const PATIENCE: Duration = Duration::from_micros(40);
        /// A worker that has not begun by then is busy.
        const IN_VAIN: Duration = Duration::from_micros(200);
        /// Migration is not tried again for this long.
        const PAUSE: Duration = Duration::from_millis(500);
        let until = || IN_VAIN_UNTIL.lock().unwrap_or_else(PoisonError::into_inner);
        match self.made_room.get() {
            None if self.since.elapsed() > PATIENCE => {
                let is_alone = CALLERS.load(Ordering::Relaxed) == 1;
                if is_alone && until().is_none_or(|until| until < Instant::now()) {
                    self.made_room.set(Some(Instant::now()));
                    leave_processor();
                }
            }
            Some(when) if when.elapsed() > IN_VAIN => *until() = Some(when + PAUSE),
            _ => {}
        }
    }
}

/// Has the system move this thread to another of its allowed processors; afterwards all of them are allowed again.
#[cfg(all(feature = "parallel", target_os = "linux"))]
fn leave_processor() {
    use rustix::thread::{sched_getaffinity, sched_getcpu, sched_setaffinity};
    let Ok(allowed) = sched_getaffinity(None) else {
        return;
    };
    let mut others = allowed;
    others.unset(sched_getcpu());
    if others.count() == 0 || sched_setaffinity(None, &others).is_err() {
        return;
    }
    // This fails only if the processors were taken from the process meanwhile; then it runs on another one anyway.
    sched_setaffinity(None, &allowed).unwrap_or_default();
}

#[cfg(all(feature = "parallel", not(target_os = "linux")))]
fn leave_processor() {}

#[cfg(all(test, feature = "parallel"))]
mod tests {
    use super::*;

    #[test]
    fn all_of_the_work_is_done_whoever_begins_when() {
        const PIECES: usize = 200;
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let work = |share: &Share<'_>| {
                assert!(share.number < threads);
                while next.fetch_add(1, Ordering::Relaxed) < PIECES {
                    std::thread::sleep(Duration::from_micros(10));
                    done.fetch_add(1, Ordering::Relaxed);
                    share.between_pieces();
                }
            };
            pool.build().unwrap().install(|| on_all(work));
            assert_eq!(done.into_inner(), PIECES, "{threads} threads");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn who_leaves_a_processor_may_be_on_all_of_them_again() {
        use rustix::thread::{sched_getaffinity, sched_getcpu};
        let before = sched_getaffinity(None).unwrap();
        let here = sched_getcpu();
        // The system may move the thread back at once, but not a hundred times in a row.
        let has_moved = (0..100).any(|_| {
            leave_processor();
            sched_getcpu() != here
        });
        assert_eq!(has_moved, before.count() > 1);
        let after = sched_getaffinity(None).unwrap();
        let allowed = |set: &rustix::thread::CpuSet| {
            (0..rustix::thread::CpuSet::MAX_CPU)
                .filter(|cpu| set.is_set(*cpu))
                .collect::<Vec<_>>()
        };
        assert_eq!(allowed(&after), allowed(&before));
    }
}
