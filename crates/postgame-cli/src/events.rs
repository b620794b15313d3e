//! `postgame events`: one line for each event.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use postgame::satisfactory::History;
use postgame::satisfactory::census::Session;
use postgame::timeline::{Event, NamedEvent, Timeline};
use postgame::{ReadOptions, Recording};
use postgame_files::{Input, Spool};
use serde::Serialize;

use crate::game_data::GameDataOptions;
use crate::output::{Failure, Outcome, complain, printable, stdout, write_json};
use crate::table::Table;
use crate::{compare, input};

/// Show what happened in recordings: time, frame, kind, who, whom, details
#[derive(Args)]
#[command(after_help = "\
Examples:
  postgame events bout.replay
  postgame events bout.replay --kind damage
  postgame events ~/Replays --json | jq -r .kind | sort | uniq -c
  postgame events ~/Saves --session        Satisfactory saves as the story of each session

Exit status: 0 fine, 2 a file could not be read (the others are unaffected).")]
pub struct Options {
    /// Recordings: files, folders, patterns, archives, `s3://` addresses; `-` for standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Only events of this kind; may be given more than once
    #[arg(long, short)]
    kind: Vec<String>,
    /// Only events with this in their names or details (repeatable)
    #[arg(long, value_name = "TEXT")]
    find: Vec<String>,
    /// Put saves of one session on one timeline: what is new in each, in order of play time
    #[arg(long)]
    session: bool,
    /// One JSON object a line instead of a table
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    game_data: GameDataOptions,
}

#[derive(Serialize)]
struct Row<'a> {
    file: &'a str,
    #[serde(flatten)]
    event: NamedEvent<'a>,
}

/// Runs the command.
pub fn run(options: &Options) -> Result<Outcome, Failure> {
    options.game_data.install()?;
    let mut output = stdout();
    let mut outcome = Outcome::Fine;
    if options.session {
        return run_by_session(options);
    }
    let mut inputs = input::files(&options.paths, input::Prints::Meanwhile).peekable();
    let mut number = 0;
    while let Some(input) = inputs.next() {
        number += 1;
        let is_alone = number == 1 && inputs.peek().is_none();
        let read = input.and_then(|input| {
            let (recording, _) = input::read(&input, &ReadOptions::default())?;
            Ok((recording, input.name))
        });
        match read {
            Ok((recording, file)) => {
                if !is_alone && !options.json {
                    writeln!(output, "{}", printable(&file))?;
                }
                print(&mut output, options, &[file], &recording.timeline())?;
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

/// A save of which only the header has been read.
struct Chapter {
    input: Input,
    session: Session,
}

/// Shows saves as the story of their sessions, with one timeline for each.
fn run_by_session(options: &Options) -> Result<Outcome, Failure> {
    let mut output = stdout();
    let mut outcome = Outcome::Fine;
    let mut sessions: Vec<Vec<Chapter>> = Vec::new();
    let mut spool = Spool::new()?;
    for input in input::files(&options.paths, input::Prints::AtTheEnd) {
        match input.and_then(|input| chapter(input, &mut spool)) {
            Ok(chapter) => {
                let same = |known: &&mut Vec<Chapter>| {
                    let first = known.first();
                    first.is_some_and(|first| first.session.is_same(&chapter.session))
                };
                match sessions.iter_mut().find(same) {
                    Some(known) => known.push(chapter),
                    None => sessions.push(vec![chapter]),
                }
            }
            Err(failure) => {
                complain(&failure);
                outcome.and(Outcome::Failed);
            }
        }
    }
    for chapters in &mut sessions {
        let saved_at_s = |chapter: &Chapter| chapter.session.saved_at_s.unwrap_or(0.0);
        chapters.sort_by(|one, other| {
            let times = [one, other].map(|chapter| chapter.session.play_time_s);
            let order = times[0].total_cmp(&times[1]);
            order.then(saved_at_s(one).total_cmp(&saved_at_s(other)))
        });
        let mut history = History::default();
        let mut names = Vec::new();
        for chapter in chapters.iter() {
            match compare::save_of(&chapter.input) {
                Ok(save) => {
                    history.add(&save);
                    names.push(chapter.input.name.clone());
                }
                Err(failure) => {
                    complain(&failure);
                    outcome.and(Outcome::Failed);
                }
            }
        }
        if !options.json {
            let name = chapters
                .first()
                .and_then(|first| first.session.name.as_deref());
            let count = names.len();
            let name = printable(name.unwrap_or("-"));
            writeln!(output, "{name} ({count} saves)")?;
        }
        print(&mut output, options, &names, &history.finish())?;
    }
    output.flush()?;
    Ok(outcome)
}

fn chapter(input: Input, spool: &mut Spool) -> Result<Chapter, Failure> {
    match input::read(&input, &ReadOptions::header())?.0 {
        Recording::Satisfactory(save) => Ok(Chapter {
            session: Session::new(&save),
            input: input.spooled(spool)?,
        }),
        other => Err(compare::not_a_save(&input, &other)),
    }
}

/// Prints a timeline's events; `files` has the file of each frame, or the one file of all.
fn print(
    output: &mut impl Write,
    options: &Options,
    files: &[String],
    timeline: &Timeline,
) -> Result<(), Failure> {
    let wanted = |event: &&Event| {
        options.kind.is_empty() || options.kind.iter().any(|kind| *kind == event.kind)
    };
    let texts: Vec<String> = options
        .find
        .iter()
        .map(|text| text.to_lowercase())
        .collect();
    let has = |event: &NamedEvent<'_>| {
        let names = [Some(event.kind), event.who, event.whom];
        let names = names.into_iter().flatten().map(str::to_lowercase);
        let details = event.details.iter();
        let details = details.map(|(_, value)| value.to_string().to_lowercase());
        let all: Vec<String> = names.chain(details).collect();
        let found = |text: &String| all.iter().any(|own| own.contains(text.as_str()));
        texts.is_empty() || texts.iter().any(found)
    };
    let mut table = Table::new(["TIME", "FRAME", "KIND", "WHO", "WHOM", "DETAILS"]);
    for event in timeline.events.iter().filter(wanted) {
        let file = files.get(event.frame).or(files.first());
        let file = file.map_or("", String::as_str);
        let event = timeline.named(event);
        if !has(&event) {
            continue;
        }
        if options.json {
            write_json(output, &Row { file, event })?;
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
