//! Times two pieces of work against each other.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Two pieces of work, timed alternately so that disturbances affect both.
pub struct Pair {
    /// The best time of the first.
    pub ours: Duration,
    /// The best time of the second.
    pub theirs: Duration,
}

impl Pair {
    /// Runs both alternately, `rounds` times, and keeps the best time of each, because noise only adds time.
    pub fn time<A, B>(
        rounds: usize,
        mut ours: impl FnMut() -> A,
        mut theirs: impl FnMut() -> B,
    ) -> Self {
        let mut pair = Self {
            ours: Duration::MAX,
            theirs: Duration::MAX,
        };
        for _ in 0..rounds {
            pair.ours = pair.ours.min(time(&mut ours));
            pair.theirs = pair.theirs.min(time(&mut theirs));
        }
        pair
    }

    /// Runs both on every one of several inputs: one processes all of them, as a program that reads a folder does, then
    /// the other, alternately. Sums the best times for each input, so that a disturbance spoils one run on one input,
    /// not a whole round.
    pub fn time_each<T, A, B>(
        rounds: usize,
        things: &[T],
        ours: impl Fn(&T) -> A,
        theirs: impl Fn(&T) -> B,
    ) -> Self {
        let mut best = vec![(Duration::MAX, Duration::MAX); things.len()];
        for _ in 0..rounds {
            for (thing, best) in things.iter().zip(&mut best) {
                best.0 = best.0.min(time(|| ours(thing)));
            }
            for (thing, best) in things.iter().zip(&mut best) {
                best.1 = best.1.min(time(|| theirs(thing)));
            }
        }
        Self {
            ours: best.iter().map(|best| best.0).sum(),
            theirs: best.iter().map(|best| best.1).sum(),
        }
    }

    /// Compares work on freshly created values with creating (and dropping) them, as in a program that reads a file and
    /// derives something from it. Sums the best times for each value.
    pub fn time_after<T, M, A>(
        rounds: usize,
        things: &[T],
        making: impl Fn(&T) -> M,
        ours: impl Fn(&M) -> A,
    ) -> Self {
        let mut best = vec![(Duration::MAX, Duration::MAX); things.len()];
        for _ in 0..rounds {
            for (thing, best) in things.iter().zip(&mut best) {
                let start = Instant::now();
                let made = black_box(making(thing));
                let making = start.elapsed();
                best.0 = best.0.min(time(|| ours(&made)));
                let start = Instant::now();
                drop(made);
                best.1 = best.1.min(making + start.elapsed());
            }
        }
        Self {
            ours: best.iter().map(|best| best.0).sum(),
            theirs: best.iter().map(|best| best.1).sum(),
        }
    }

    /// Speed of the first relative to the second.
    pub fn speedup(&self) -> f64 {
        self.theirs.as_secs_f64() / self.ours.as_secs_f64()
    }

    /// Prints both times and the speed-up.
    pub fn print(&self, what: &str) {
        let (ours, theirs) = (
            self.ours.as_secs_f64() * 1e3,
            self.theirs.as_secs_f64() * 1e3,
        );
        println!(
            "  {what:44} {ours:10.2} ms {theirs:10.2} ms   {:6.2} times as fast",
            self.speedup()
        );
    }
}

/// Duration of one run.
pub fn time<T>(mut work: impl FnMut() -> T) -> Duration {
    let start = Instant::now();
    black_box(work());
    start.elapsed()
}

/// A pool with this many threads.
pub fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .expect("a pool of threads")
}
