//! Work on several threads, where the caller wants that.

/// True where the caller has more than one thread.
pub(crate) fn has_threads() -> bool {
    #[cfg(feature = "parallel")]
    if rayon::current_num_threads() > 1 {
        return true;
    }
    false
}

/// Does two things, on two threads where the caller has them.
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

/// Does the same work on all threads of the caller, each of which has a number. Those that come late may find nothing left.
#[cfg(feature = "parallel")]
pub(crate) fn on_all(work: impl Fn(usize) + Sync) {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::{Duration, Instant};

    /// A thread that sleeps takes about as long to wake up. So it pays to wait so long, awake, for those that are nearly
    /// done.
    const MOST_AWAKE: Duration = Duration::from_micros(100);
    let at_work = AtomicUsize::new(0);
    rayon::scope(|scope| {
        for number in 1..rayon::current_num_threads() {
            let (work, at_work) = (&work, &at_work);
            scope.spawn(move |_| {
                at_work.fetch_add(1, Ordering::Relaxed);
                work(number);
                at_work.fetch_sub(1, Ordering::Release);
            });
        }
        work(0);
        let start = Instant::now();
        while at_work.load(Ordering::Acquire) > 0 && start.elapsed() < MOST_AWAKE {
            std::hint::spin_loop();
        }
    });
}
