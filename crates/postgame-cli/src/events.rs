//! `postgame events`: what happened, a line each.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use postgame::timeline::{Event, NamedEvent};
use postgame::{ReadOptions, Recording};
use serde::Serialize;

use crate::input;
use crate::output::{Failure, Outcome, complain, printable, stdout};
use crate::table::Table;

/// Show what happened in recordings: time, frame, kind, who, whom, details
#[derive(Args)]
#[command(after_help = "\
Examples:
  postgame events bout.replay
  postgame events bout.replay --kind damage
  postgame events ~/Replays --json | jq -r .kind | sort | uniq -c

Exit status: 0 fine, 2 a file could not be read (the others are shown all the same).")]
pub struct Options {
    /// Recordings, and folders that are searched for them; `-` for standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Only events of this kind; may be given more than once
    #[arg(long, short)]
    kind: Vec<String>,
    /// One JSON object a line instead of a table
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row<'a> {
    file: &'a str,
    #[serde(flatten)]
    event: NamedEvent<'a>,
}

/// Runs the command.
pub fn run(options: &Options) -> Result<Outcome, Failure> {
    let mut output = stdout();
    let mut outcome = Outcome::Fine;
    let files = input::files(&options.paths);
    let is_alone = files.len() == 1;
    for path in files {
        let read =
            path.and_then(|path| Ok((input::recording(&path, &ReadOptions::default())?.0, path)));
        match read {
            Ok((recording, path)) => {
                let file = path.display().to_string();
                if !is_alone && !options.json {
                    writeln!(output, "{}", printable(&file))?;
                }
                print(&mut output, options, &file, &recording)?;
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

fn print(
    output: &mut impl Write,
    options: &Options,
    file: &str,
    recording: &Recording,
) -> Result<(), Failure> {
    let timeline = recording.timeline();
    let wanted = |event: &&Event| options.kind.is_empty() || options.kind.contains(&event.kind);
    let mut table = Table::new(["TIME", "FRAME", "KIND", "WHO", "WHOM", "DETAILS"]);
    for event in timeline.events.iter().filter(wanted) {
        let event = timeline.named(event);
        if options.json {
            serde_json::to_writer(&mut *output, &Row { file, event })
                .map_err(std::io::Error::from)?;
            writeln!(output)?;
        } else {
            let details: Vec<String> = event
                .details
                .iter()
                .map(|(name, value)| format!("{name} {value}"))
                .collect();
            table.add([
                format!("{:.2}", event.time_s),
                event.frame.to_string(),
                printable(event.kind),
                printable(event.who.unwrap_or_default()),
                printable(event.whom.unwrap_or_default()),
                printable(&details.join(", ")),
            ]);
        }
    }
    Ok(table.print(output)?)
}
