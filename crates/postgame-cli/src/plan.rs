//! `postgame plan`: a Satisfactory save for planners.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use postgame::satisfactory::plan::plan;

use crate::compare::save;
use crate::game_data::GameDataOptions;
use crate::output::{Failure, Outcome, stdout, write_json};

/// Export a Satisfactory save for planners as JSON: usable recipes, nodes, current production
#[derive(Args)]
#[command(after_help = "\
Examples:
  postgame plan factory.sav
  postgame plan factory.sav | jq '.nodes[] | select(.free > 0)'

Exit status: 0 fine, 2 the file could not be read or is not a save.")]
pub struct Options {
    /// A save; `-` for standard input
    save: PathBuf,
    #[command(flatten)]
    game_data: GameDataOptions,
}

/// Runs the command.
pub fn run(options: &Options) -> Result<Outcome, Failure> {
    options.game_data.install()?;
    let mut output = stdout();
    write_json(&mut output, &plan(&save(&options.save)?))?;
    output.flush()?;
    Ok(Outcome::Fine)
}
