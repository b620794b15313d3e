//! `postgame repair`: a valid file from a damaged one.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use postgame::{ReadOptions, Repair, Severity, Verdict};
use serde::Serialize;

use crate::input;
use crate::output::{Failure, Outcome, complain, write_file};

/// Make a valid file out of a damaged one, without inventing data
#[derive(Args)]
#[command(after_help = "\
Examples:
  postgame repair cut.replay -o mended.replay
  postgame repair cut.replay -o mended.replay --json

Every step is reported on standard error: the change, how much data is lost, and what is suspect because no checksum proves it. The input is unchanged. `postgame check` finds nothing lost in the result; a gap that cannot be closed is cut out, or the recording ends there.

Exit status: 0 nothing was wrong, or the result is provably the original recording; 1 data is lost or suspect; 2 error, or nothing can be kept.")]
pub struct Options {
    /// The damaged recording; `-` for standard input
    path: PathBuf,
    /// Where to write; standard output by default, unless that is a terminal
    #[arg(long, short)]
    output: Option<PathBuf>,
    /// Report the steps as one JSON object on standard error
    #[arg(long)]
    json: bool,
}

/// The report as JSON.
#[derive(Serialize)]
struct Row<'a> {
    file: String,
    #[serde(flatten)]
    repair: &'a Repair,
}

/// Runs the command.
pub fn run(options: &Options) -> Result<Outcome, Failure> {
    let read_options = ReadOptions::default();
    let (mut recording, report) = input::recording(&options.path, &read_options)?;
    if !options.json {
        let lost = |severity: Severity| severity == Severity::Lost;
        for finding in report.findings().iter().filter(|one| lost(one.severity)) {
            complain(format_args!("{}: {finding}", options.path.display()));
        }
    }
    let repair = recording
        .repair(&read_options)
        .map_err(|error| Failure::at(&options.path, error))?;
    print(options, &options.path, &repair)?;
    let bytes = recording
        .write()
        .map_err(|error| Failure::at(&options.path, error))?;
    write_file(options.output.as_deref(), false, |output| {
        Ok(output.write_all(&bytes)?)
    })?;
    Ok(match repair.verdict() {
        Verdict::Unchanged | Verdict::Proven => Outcome::Fine,
        Verdict::Suspect | Verdict::Lost => Outcome::Findings,
    })
}

fn print(options: &Options, path: &Path, repair: &Repair) -> Result<(), Failure> {
    let file = path.display().to_string();
    if options.json {
        let json = serde_json::to_string(&Row { file, repair }).map_err(std::io::Error::from)?;
        writeln!(std::io::stderr(), "{json}")?;
        return Ok(());
    }
    for step in &repair.steps {
        complain(format_args!("{file}: {step}"));
    }
    let verdict = match repair.verdict() {
        Verdict::Unchanged => "nothing to repair",
        Verdict::Proven => "the result is provably the original recording",
        Verdict::Suspect => "nothing is known to be missing, but the contents are not proven",
        Verdict::Lost => "the result is valid, but data is lost",
    };
    complain(format_args!("{file}: {verdict}"));
    Ok(())
}
