//! `postgame slpz`: compressed Slippi replays, and back.

use std::path::PathBuf;

use clap::Args;
use postgame::slippi::slpz;

use crate::input;
use crate::output::{Failure, Outcome, write_file};

/// Compress a Slippi replay to .slpz, or restore the .slp of one, byte for byte
#[derive(Args)]
#[command(after_help = "\
Examples:
  postgame slpz game.slp -o game.slpz
  postgame slpz game.slpz -o game.slp

What the input is decides which way it goes. All other commands read .slpz as it is.

Exit status: 0 fine, 2 error.")]
pub struct Options {
    /// The replay; `-` for standard input
    path: PathBuf,
    /// Where to write; standard output by default, unless that is a terminal
    #[arg(long, short)]
    output: Option<PathBuf>,
    /// Fewer bytes, in more time
    #[arg(long)]
    small: bool,
}

/// Runs the command.
pub fn run(options: &Options) -> Result<Outcome, Failure> {
    let bytes = input::bytes(&options.path)?;
    let level = match options.small {
        true => slpz::Level::Small,
        false => slpz::Level::Fast,
    };
    let made = match slpz::sniff(&bytes) {
        true => slpz::unpack(&bytes, &input::limits()),
        false => slpz::pack(&bytes, level),
    };
    let made = made.map_err(|error| Failure::at(&options.path, error))?;
    write_file(options.output.as_deref(), false, |output| {
        Ok(output.write_all(&made)?)
    })?;
    Ok(Outcome::Fine)
}
