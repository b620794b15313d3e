//! `postgame stats`: numbers about recordings.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use postgame::ReadOptions;
use postgame::stats::{Group, Number, Stats, Subject};
use postgame_files::Input;

use crate::game_data::GameDataOptions;
use crate::input;
use crate::output::{Failure, Outcome, complain, printable, stdout, write_json};
use crate::table::Table;

/// Show statistics of recordings, per player and team
#[derive(Args)]
#[command(after_help = "\
Examples:
  postgame stats bout.replay
  postgame stats factory.sav --find iron   everything with iron in its name
  postgame stats ~/Replays --json | jq -c '.stats.players[] | [.name, .fight]'

Exit status: 0 fine, 2 a file could not be read (the others are unaffected).")]
pub struct Options {
    /// Recordings: files, folders, patterns, archives, `s3://` addresses; `-` for standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Only what has this in its name, such as an item (repeatable)
    #[arg(long, value_name = "TEXT")]
    find: Vec<String>,
    /// One JSON object a line for every recording instead of tables
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    game_data: GameDataOptions,
}

/// Runs the command.
pub fn run(options: &Options) -> Result<Outcome, Failure> {
    options.game_data.install()?;
    let mut output = stdout();
    let mut outcome = Outcome::Fine;
    for input in input::files(&options.paths, input::Prints::Meanwhile) {
        match input.and_then(|input| Ok((stats(&input)?, input.name))) {
            Ok((mut stats, file)) => {
                options.keep_found(&mut stats);
                if options.json {
                    let row = serde_json::json!({ "file": file, "stats": stats });
                    write_json(&mut output, &row)?;
                } else {
                    print(&mut output, &file, &stats)?;
                }
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

impl Options {
    /// Drops what has none of the wanted texts in its name, in its group's name or in its own text.
    fn keep_found(&self, stats: &mut Stats) {
        let wanted: Vec<String> = self.find.iter().map(|text| text.to_lowercase()).collect();
        if wanted.is_empty() {
            return;
        }
        let has = |text: &str| {
            let text = text.to_lowercase();
            wanted.iter().any(|wanted| text.contains(wanted))
        };
        let Stats {
            recording,
            teams,
            players,
        } = stats;
        let subjects = teams.iter_mut().chain(players);
        for groups in std::iter::once(recording).chain(subjects.map(|subject| &mut subject.groups))
        {
            for group in groups.iter_mut().filter(|group| !has(group.name)) {
                group.values.retain(|(name, number)| {
                    has(name) || matches!(number, Number::Text(text) if has(text))
                });
            }
            groups.retain(|group| !group.values.is_empty());
        }
    }
}

fn stats(input: &Input) -> Result<Stats, Failure> {
    let (recording, _) = input::read(input, &ReadOptions::default())?;
    let none = || {
        Failure::at(
            Path::new(&input.name),
            format!(
                "there are no statistics for {} yet",
                recording.format().game()
            ),
        )
    };
    recording.analysis().into_stats().ok_or_else(none)
}

fn print(output: &mut impl Write, file: &str, stats: &Stats) -> Result<(), Failure> {
    let Stats {
        recording,
        teams,
        players,
    } = stats;
    writeln!(output, "{}", printable(file))?;
    let whole = Subject {
        name: String::new(),
        team: None,
        groups: recording.clone(),
    };
    for (title, subjects) in [
        ("", std::slice::from_ref(&whole)),
        ("team ", teams),
        ("player ", players),
    ] {
        let groups = subjects
            .first()
            .map(|subject| subject.groups.as_slice())
            .unwrap_or_default();
        let is_filled = |group: &&Group| !names_of(subjects, group.name).is_empty();
        for group in groups.iter().filter(is_filled) {
            writeln!(output)?;
            let names = subjects.iter().map(|subject| printable(&subject.name));
            let headings: Vec<String> = std::iter::once(format!("{title}{}", group.name))
                .chain(names)
                .collect();
            let mut table = Table::new(headings.iter().map(String::as_str));
            for name in names_of(subjects, group.name) {
                let cells = subjects.iter().map(|subject| cell(subject, group, name));
                table.add(std::iter::once(format!("  {}", printable(name))).chain(cells));
            }
            table.print(output)?;
        }
    }
    Ok(())
}

/// The names of a group's values, in the order in which the subjects first have them: not all have the same.
fn names_of<'a>(subjects: &'a [Subject], group: &str) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    let groups = subjects.iter().flat_map(|subject| &subject.groups);
    let values = groups
        .filter(|other| other.name == group)
        .flat_map(|group| &group.values);
    for (name, _) in values {
        if !names.contains(&&**name) {
            names.push(name);
        }
    }
    names
}

fn cell(subject: &Subject, group: &Group, name: &str) -> String {
    match subject.get(group.name, name) {
        None | Some(Number::Amount(None)) => "-".to_owned(),
        Some(Number::Count(count)) => count.to_string(),
        Some(Number::Amount(Some(amount))) => format!("{amount:.2}"),
        Some(Number::Text(text)) => printable(text),
        Some(Number::List(list)) => list
            .iter()
            .map(|number| format!("{number:.1}"))
            .collect::<Vec<_>>()
            .join(" "),
    }
}
