//! `postgame json`: a recording as lossless JSON.

use std::path::PathBuf;

use clap::Args;
use postgame::ReadOptions;
use postgame_files::text::{Escaped, Style};

use crate::input;
use crate::output::{Failure, Outcome, complain, write_file};

/// Write a recording as lossless JSON; `build` restores the file
#[derive(Args)]
#[command(after_help = "\
Examples:
  postgame json bout.replay -o bout.json
  postgame json bout.replay | jq '.recording.replay.header.players[].name'
  postgame json a.replay | postgame build - -o b.replay    # b.replay is identical to a.replay

Exit status: 0 fine, 1 a part of the file could not be read (the rest is written), 2 error.")]
pub struct Options {
    /// The recording; `-` for standard input
    path: PathBuf,
    /// Where to write; standard output by default
    #[arg(long, short)]
    output: Option<PathBuf>,
    /// Indent the JSON
    #[arg(long, short)]
    pretty: bool,
}

/// Runs the command.
pub fn run(options: &Options) -> Result<Outcome, Failure> {
    let (recording, report) = input::recording(&options.path, &ReadOptions::default())?;
    write_file(options.output.as_deref(), true, |output| {
        let mut escaped = Escaped::new(&mut *output, Style::Json);
        recording.write_json(&mut escaped, options.pretty)?;
        escaped.flush_escapes()?;
        Ok(writeln!(output)?)
    })?;
    for finding in report.findings() {
        complain(format_args!("{}: {finding}", options.path.display()));
    }
    Ok(Outcome::of(&report))
}
