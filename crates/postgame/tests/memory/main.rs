//! How much memory recordings and hostile files take. A test target of its own, because the counting allocator sees every
//! thread: tests run one after another.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod bombs;
mod hostile;
mod satisfactory;
mod slippi;

use std::process::ExitCode;

use postgame_testing::suite::Suite;

#[global_allocator]
static MEMORY: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

/// The most memory some work takes beyond what was held before, in bytes.
fn peak<T>(work: impl FnOnce() -> T) -> (usize, T) {
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    let result = work();
    (MEMORY.peak_usage().saturating_sub(before), result)
}

fn main() -> ExitCode {
    let mut suite = Suite::default();
    hostile::tests(&mut suite);
    bombs::tests(&mut suite);
    slippi::tests(&mut suite);
    satisfactory::tests(&mut suite);
    suite.run_one_at_a_time()
}
