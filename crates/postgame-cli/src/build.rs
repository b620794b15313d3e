//! `postgame build`: a recording from its JSON.

use std::path::PathBuf;

use clap::Args;
use postgame::Recording;

use crate::input;
use crate::output::{Failure, Outcome, write_file};

/// Make a recording from the JSON that `json` wrote, edited or not
#[derive(Args)]
#[command(after_help = "\
Examples:
  postgame build bout.json -o bout.replay
  postgame json a.replay | postgame build - -o b.replay

Sizes, counts and checksums are recomputed, except where the JSON states odd ones. Compressed data in the JSON is used if it still matches the rest of the JSON.

Exit status: 0 fine, 2 error.")]
pub struct Options {
    /// The JSON; `-` for standard input
    path: PathBuf,
    /// Where to write; standard output by default, unless that is a terminal
    #[arg(long, short)]
    output: Option<PathBuf>,
}

/// Runs the command.
pub fn run(options: &Options) -> Result<Outcome, Failure> {
    let here = |error: postgame::Error| Failure::at(&options.path, error);
    let recording = Recording::read_json(input::stream(&options.path)?).map_err(here)?;
    let bytes = recording.write().map_err(here)?;
    write_file(options.output.as_deref(), false, |output| {
        Ok(output.write_all(&bytes)?)
    })?;
    Ok(Outcome::Fine)
}
