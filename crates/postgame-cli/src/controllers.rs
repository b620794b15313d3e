//! `postgame controllers`: kinds of controllers in Slippi replays, and tournament rules for them.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use postgame::slippi::controllers::{Check, Controller, controllers};
use postgame::{ReadOptions, Recording};
use postgame_files::Input;

use crate::input;
use crate::output::{Failure, Outcome, complain, stdout, write_json};
use crate::table::Table;

/// Tell boxes from analog controllers in Slippi replays, and measure tournament rules
#[derive(Args)]
#[command(after_help = "\
Examples:
  postgame controllers game.slp
  postgame controllers ~/Slippi --json

The checks are those of libenforcer. They measure sticks, not people: a result is a reason to look at the frames it names.
Replays from 3.15 on have the positions that the controller sent; older ones only what the game made of them.

Exit status: 0 all required checks pass, 1 one fails, 2 a file could not be read.")]
pub struct Options {
    /// Replays: files, folders, patterns, archives, `s3://` addresses; `-` for standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// One JSON object a line for every controller, with the frames of each finding
    #[arg(long)]
    json: bool,
    /// Also checks that the kind of controller does not need
    #[arg(long)]
    all: bool,
}

/// Runs the command.
pub fn run(options: &Options) -> Result<Outcome, Failure> {
    let mut output = stdout();
    let mut outcome = Outcome::Fine;
    let headings = [
        "FILE",
        "PORT",
        "CONTROLLER",
        "CHECK",
        "RESULT",
        "VALUE",
        "FRAMES",
    ];
    let mut table = Table::new(headings);
    let prints = match options.json {
        true => input::Prints::Meanwhile,
        false => input::Prints::AtTheEnd,
    };
    for input in input::files(&options.paths, prints) {
        match input.and_then(|input| Ok((of_file(&input)?, input.name))) {
            Ok((list, file)) => {
                for controller in &list {
                    if !controller.is_legal {
                        outcome.and(Outcome::Findings);
                    }
                    if options.json {
                        let row = serde_json::json!({ "file": file, "controller": controller });
                        write_json(&mut output, &row)?;
                        continue;
                    }
                    let checks = controller.checks.iter();
                    for check in checks.filter(|check| check.is_required || options.all) {
                        table.add(row(&file, controller, check));
                    }
                }
            }
            Err(failure) => {
                output.flush()?;
                complain(&failure);
                outcome.and(Outcome::Failed);
            }
        }
    }
    table.print(&mut output)?;
    output.flush()?;
    Ok(outcome)
}

fn of_file(input: &Input) -> Result<Vec<Controller>, Failure> {
    let (recording, _) = input::read(input, &ReadOptions::default())?;
    match &recording {
        Recording::Slippi(replay) => Ok(controllers(replay)),
        _ => Err(Failure::at(
            Path::new(&input.name),
            "only Slippi replays have controllers",
        )),
    }
}

/// How many frames of evidence a row names.
const MAX_FRAMES: usize = 5;

fn row(file: &str, controller: &Controller, check: &Check) -> [String; 7] {
    let frames = check.violations.iter().take(MAX_FRAMES);
    let mut frames: Vec<String> = frames.map(|one| one.frame.to_string()).collect();
    if check.violations.len() > MAX_FRAMES {
        frames.push(format!("and {} more", check.violations.len() - MAX_FRAMES));
    }
    [
        file.to_owned(),
        format!("P{}", u16::from(controller.port) + 1),
        controller.kind.name().to_owned(),
        check.name.to_owned(),
        if check.passes { "pass" } else { "FAIL" }.to_owned(),
        check
            .value
            .map(|value| format!("{value:.4}"))
            .unwrap_or_default(),
        frames.join(" "),
    ]
}
