//! `postgame repair`: a valid file from a damaged one.

use std::path::PathBuf;

use clap::Args;
use postgame::{ReadOptions, Severity};

use crate::input;
use crate::output::{Failure, Outcome, complain, write_file};

/// Make a valid file of a damaged one: sizes, counts and checksums follow what is there; nothing is invented
#[derive(Args)]
#[command(after_help = "\
Examples:
  postgame repair cut.replay -o mended.replay

What was lost and what was changed is said on standard error. The input stays as it is.

Exit status: 0 the file is whole, 1 data was lost that cannot be brought back, 2 error.")]
pub struct Options {
    /// The damaged recording; `-` for standard input
    path: PathBuf,
    /// Where to write; standard output by default, unless that is a terminal
    #[arg(long, short)]
    output: Option<PathBuf>,
}

/// Runs the command.
pub fn run(options: &Options) -> Result<Outcome, Failure> {
    let (mut recording, report) = input::recording(&options.path, &ReadOptions::default())?;
    let file = options.path.display();
    let lost: Vec<_> = report
        .findings()
        .iter()
        .filter(|finding| finding.severity == Severity::Lost)
        .collect();
    for finding in &lost {
        complain(format_args!("{file}: {finding}"));
    }
    let done = recording.repair();
    for change in &done {
        complain(format_args!("{file}: {change}"));
    }
    if done.is_empty() {
        complain(format_args!("{file}: nothing to repair"));
    }
    let bytes = recording
        .write()
        .map_err(|error| Failure::at(&options.path, error))?;
    write_file(options.output.as_deref(), false, |output| {
        Ok(output.write_all(&bytes)?)
    })?;
    Ok(if lost.is_empty() {
        Outcome::Fine
    } else {
        Outcome::Findings
    })
}
