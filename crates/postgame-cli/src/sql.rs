//! `postgame sql`: starts the program postgame-sql, which is built separately because that takes minutes.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use clap::Args;

use crate::output::{Failure, Outcome};

/// The program.
const PROGRAM: &str = "postgame-sql";

/// Query recordings or a data set with SQL; starts the program postgame-sql
#[derive(Args)]
#[command(
    after_help = "\
Examples:
  postgame sql 'SELECT map, count(*) FROM recordings GROUP BY map' ~/Replays
  postgame sql 'SELECT name, max(boost_percent) FROM frames_cars GROUP BY name' duel.replay --csv
  postgame sql --dataset replays                      a shell
  postgame sql --help-sql                             all options of the program

Tables and their columns are described in docs/tables.md, examples in docs/queries.md. The program is built with: cargo build --release --package postgame-sql",
    disable_help_flag = false
)]
pub struct Options {
    /// The query, then recordings (files, folders, patterns, archives, `s3://` addresses), and the program's own options
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// Runs the command.
pub fn run(options: &Options) -> Result<Outcome, Failure> {
    let arguments = options.arguments.iter().map(|argument| match argument {
        argument if argument == "--help-sql" => OsString::from("--help"),
        argument => argument.clone(),
    });
    // Beside this program first: the two belong together.
    let beside = std::env::current_exe()
        .ok()
        .map(|own| own.with_file_name(format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX)))
        .filter(|program| program.is_file());
    let program = beside.unwrap_or_else(|| PathBuf::from(PROGRAM));
    let status = Command::new(&program).args(arguments).status();
    let status = status.map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Failure::new(format!(
            "{PROGRAM} is neither beside this program nor on the PATH. It is built separately, because that takes \
             minutes: cargo build --release --package {PROGRAM}"
        )),
        _ => Failure::at(&program, error),
    })?;
    Ok(match status.code() {
        Some(0) => Outcome::Fine,
        Some(1) => Outcome::Findings,
        _ => Outcome::Failed,
    })
}
