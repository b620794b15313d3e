//! Tests that are made while they run: one for each recording, *ignored* where what they need is not there.
//!
//! A test target with `harness = false` fills a [`Suite`] in its `main` and runs it. Filters and options are those of
//! `cargo test`, and a panic is a failure, as there.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Completion, Trial};

use crate::corpus;

/// Tests to run.
#[derive(Default)]
pub struct Suite {
    trials: Vec<Trial>,
}

impl Suite {
    /// Adds a test that needs no recordings but the samples.
    pub fn test(&mut self, name: &str, run: impl FnOnce() + Send + 'static) {
        let run = move || {
            run();
            Ok(())
        };
        self.trials.push(Trial::test(name, run));
    }

    /// Adds a test of a file of the corpus, for example `slippi/game.slp`. Ignored if there is no such file.
    pub fn with_file(
        &mut self,
        name: &str,
        path: &'static str,
        run: impl FnOnce(&Path) + Send + 'static,
    ) {
        let name = format!("{name}::{path}");
        self.trials.push(Trial::ignorable_test(name, move || {
            let Some(path) = corpus::file(path) else {
                return Ok(Completion::ignored_with("not in the corpus"));
            };
            run(&path);
            Ok(Completion::Completed)
        }));
    }

    /// Adds a test for each file. If there are none, adds one that is ignored.
    pub fn each(&mut self, name: &str, files: Vec<PathBuf>, run: fn(&Path)) {
        if files.is_empty() {
            let ignored = || Ok(Completion::ignored_with(no_corpus()));
            let name = format!("{name}::corpus");
            self.trials.push(Trial::ignorable_test(name, ignored));
        }
        for path in files {
            let name = format!("{name}::{}", corpus::short_name(&path));
            let run = move || {
                run(&path);
                Ok(())
            };
            self.trials.push(Trial::test(name, run));
        }
    }

    /// Adds a test for each sample and for each recording of the corpus that have one of these extensions, or any. Without
    /// a corpus, a test says that it is ignored.
    pub fn each_recording(&mut self, name: &str, extensions: &[&str], run: fn(&Path)) {
        self.each(name, corpus::all_samples(extensions), run);
        self.each(name, corpus::recordings(extensions), run);
    }

    /// Runs the tests that the command line asks for.
    pub fn run(self) -> ExitCode {
        libtest_mimic::run(&Arguments::from_args(), self.trials).exit_code()
    }

    /// Runs one test after another, for those that measure memory or time.
    pub fn run_one_at_a_time(self) -> ExitCode {
        let mut arguments = Arguments::from_args();
        arguments.test_threads = Some(1);
        libtest_mimic::run(&arguments, self.trials).exit_code()
    }
}

fn no_corpus() -> String {
    match corpus::folder() {
        Some(folder) => format!("no such files in {}", folder.display()),
        None => "no corpus: POSTGAME_CORPUS names its folder".to_owned(),
    }
}
