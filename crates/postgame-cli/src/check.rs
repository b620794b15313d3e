//! `postgame check`: findings about recordings.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use postgame::{Finding, ReadOptions, Report};
use postgame_files::Input;
use serde::Serialize;

use crate::input;
use crate::output::{Failure, Outcome, complain, printable, severity, stdout, write_json};

/// Check recordings: contradictions to the format or within the file, and data that could not be read
#[derive(Args)]
#[command(after_help = "\
Examples:
  postgame check bout.replay
  postgame check ~/Replays --quiet && echo all fine
  postgame check broken.replay --json

A finding is a note (worth knowing), odd (the file contradicts itself) or lost (something could not be read).

Exit status: 0 fine or notes only, 1 there are findings, 2 a file could not be read at all.")]
pub struct Options {
    /// Recordings: files, folders, patterns, archives, `s3://` addresses; `-` for standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// One JSON object a line for every finding
    #[arg(long)]
    json: bool,
    /// Print findings only, not that a file is fine
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Serialize)]
struct Row<'a> {
    file: &'a str,
    #[serde(flatten)]
    finding: &'a Finding,
}

/// Runs the command.
pub fn run(options: &Options) -> Result<Outcome, Failure> {
    let mut output = stdout();
    let mut outcome = Outcome::Fine;
    for input in input::files(&options.paths, input::Prints::Meanwhile) {
        match input.and_then(|input| Ok((check(&input)?, input.name))) {
            Ok((report, file)) => {
                outcome.and(Outcome::of(&report));
                print(&mut output, options, &file, &report)?;
            }
            Err(failure) => {
                output.flush()?;
                complain(&failure);
                outcome.and(Outcome::Failed);
            }
        }
    }
    output.flush()?;
    Ok(outcome)
}

fn check(input: &Input) -> Result<Report, Failure> {
    let (recording, mut report) = input::read(input, &ReadOptions::default())?;
    recording.check(&mut report);
    Ok(report)
}

fn print(
    output: &mut impl Write,
    options: &Options,
    file: &str,
    report: &Report,
) -> Result<(), Failure> {
    for finding in report.findings() {
        if options.json {
            write_json(output, &Row { file, finding })?;
        } else {
            let text = finding.to_string();
            // The finding's own text begins with its severity, which is to be coloured.
            let rest = text
                .strip_prefix(&finding.severity.to_string())
                .unwrap_or(&text);
            writeln!(
                output,
                "{}: {}{}",
                printable(file),
                severity(finding.severity),
                printable(rest)
            )?;
        }
    }
    if report.findings().is_empty() && !options.json && !options.quiet {
        writeln!(output, "{}: fine", printable(file))?;
    }
    Ok(())
}
