//! Tests made while they run: one for each sample and for each recording of the corpus, *ignored* without a corpus.
//! `POSTGAME_CORPUS` may name any folder of recordings.

// A test fails by panicking.
#![allow(clippy::unwrap_used, clippy::print_stderr, clippy::print_stdout)]

mod general;
mod mutated;
mod repair;
mod repair_cases;
mod rumble;

use std::process::ExitCode;

use postgame_testing::suite::Suite;

fn main() -> ExitCode {
    let mut suite = Suite::default();
    general::tests(&mut suite);
    rumble::tests(&mut suite);
    mutated::tests(&mut suite);
    repair::tests(&mut suite);
    repair_cases::tests(&mut suite);
    suite.run()
}
