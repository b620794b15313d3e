//! `postgame completions` and `postgame man`: made from the same definitions as the help.

use std::path::PathBuf;

use clap::{Args, CommandFactory as _};

use crate::Arguments;
use crate::output::{Failure, Outcome, write_file};

/// Print a completion script for a shell
#[derive(Args)]
#[command(after_help = "\
Examples:
  postgame completions bash > ~/.local/share/bash-completion/completions/postgame
  postgame completions zsh > ~/.zfunc/_postgame")]
pub struct CompletionsOptions {
    /// The shell
    shell: clap_complete::Shell,
}

/// Print the manual page, or write one for every subcommand into a folder
#[derive(Args)]
#[command(after_help = "\
Examples:
  postgame man | man -l -
  postgame man --output ~/.local/share/man/man1")]
pub struct ManOptions {
    /// A folder for `postgame.1`, `postgame-info.1` and so on
    #[arg(long, short)]
    output: Option<PathBuf>,
}

/// Runs `completions`.
pub fn completions(options: &CompletionsOptions) -> Result<Outcome, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(
        options.shell,
        &mut Arguments::command(),
        "postgame",
        &mut script,
    );
    write_file(None, true, |output| Ok(output.write_all(&script)?))?;
    Ok(Outcome::Fine)
}

/// Runs `man`.
pub fn man(options: &ManOptions) -> Result<Outcome, Failure> {
    let command = Arguments::command();
    match &options.output {
        Some(folder) => {
            std::fs::create_dir_all(folder).map_err(|error| Failure::at(folder, error))?;
            clap_mangen::generate_to(command, folder)
                .map_err(|error| Failure::at(folder, error))?;
        }
        None => write_file(None, true, |mut output| {
            Ok(clap_mangen::Man::new(command).render(&mut output)?)
        })?,
    }
    Ok(Outcome::Fine)
}
