//! `postgame events`: what happened, a line each.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use postgame::timeline::{EntityId, Event, Timeline};
use postgame::{ReadOptions, Recording};
use serde_json::json;

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
        let Event {
            time_s,
            frame,
            kind,
            who,
            whom,
            position,
            details,
        } = event;
        let (who, whom) = (name(&timeline, *who), name(&timeline, *whom));
        if options.json {
            let details: serde_json::Map<_, _> = details
                .iter()
                .map(|(name, value)| ((*name).to_owned(), json!(value)))
                .collect();
            let row = json!({
                "file": file, "time_s": time_s, "frame": frame, "kind": kind,
                "who": who, "whom": whom, "position_m": position, "details": details,
            });
            serde_json::to_writer(&mut *output, &row).map_err(std::io::Error::from)?;
            writeln!(output)?;
        } else {
            let details: Vec<String> = details
                .iter()
                .map(|(name, value)| format!("{name} {value}"))
                .collect();
            table.add([
                format!("{time_s:.2}"),
                frame.to_string(),
                printable(kind),
                printable(who.unwrap_or_default()),
                printable(whom.unwrap_or_default()),
                printable(&details.join(", ")),
            ]);
        }
    }
    Ok(table.print(output)?)
}

fn name(timeline: &Timeline, id: Option<EntityId>) -> Option<&str> {
    Some(timeline.entity(id?)?.name.as_str())
}
