//! `postgame info`: one line for each recording.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use postgame::{Format, ReadOptions, Recording, Summary, rocket_league};
use postgame_files::Input;
use serde::Serialize;

use crate::input;
use crate::output::{Failure, Outcome, complain, printable, stdout, write_json};
use crate::table::Table;

/// List recordings: game, version, date, map, mode, score, players
#[derive(Args)]
#[command(after_help = "\
Examples:
  postgame info bout.replay
  postgame info ~/Replays --json | jq -r .summary.map
  postgame info --long bout.replay

Exit status: 0 fine, 2 a file could not be read (the others are unaffected).")]
pub struct Options {
    /// Recordings: files, folders, patterns, archives, `s3://` addresses; `-` for standard input [default: the folders in which the games keep their files]
    paths: Vec<PathBuf>,
    /// One JSON object a line instead of a table
    #[arg(long)]
    json: bool,
    /// All known facts, one a line
    #[arg(long, short, conflicts_with = "json")]
    long: bool,
}

#[derive(Serialize)]
struct Row<'a> {
    file: &'a str,
    format: &'static str,
    summary: &'a Summary,
}

/// Runs the command.
pub fn run(options: &Options) -> Result<Outcome, Failure> {
    let mut output = stdout();
    let mut outcome = Outcome::Fine;
    let mut table = Table::new([
        "GAME", "VERSION", "DATE", "LENGTH", "MAP", "MODE", "SCORE", "PLAYERS", "FILE",
    ]);
    let prints = match options.json || options.long {
        true => input::Prints::Meanwhile,
        false => input::Prints::AtTheEnd,
    };
    let paths = input::paths_or_known_folders(&options.paths)?;
    for input in input::files(&paths, prints) {
        match input.and_then(|input| Ok((summary(&input)?, input.name))) {
            Ok(((format, summary), file)) => {
                if options.json {
                    let row = Row {
                        file: &file,
                        format: format.id(),
                        summary: &summary,
                    };
                    write_json(&mut output, &row)?;
                } else if options.long {
                    write_long(&mut output, &file, format, &summary)?;
                } else {
                    table.add(row(&file, format, &summary));
                }
            }
            Err(failure) => {
                complain(&failure);
                outcome.and(Outcome::Failed);
            }
        }
    }
    table.print(&mut output)?;
    output.flush()?;
    Ok(outcome)
}

fn summary(input: &Input) -> Result<(Format, Summary), Failure> {
    let (recording, _) = input::read(input, &ReadOptions::header())?;
    let format = recording.format();
    // A replay's header tells neither the duration nor the playlist.
    if format == Format::RocketLeague
        && let Ok((Recording::RocketLeague(replay), _)) =
            input::read(input, &ReadOptions::default())
    {
        return Ok((format, rocket_league::full_summary(&replay)));
    }
    Ok((format, recording.summary()))
}

fn row(file: &str, format: Format, summary: &Summary) -> [String; 9] {
    let Summary {
        version,
        date,
        map,
        duration_s,
        players,
        score,
        details,
        ..
    } = summary;
    // Joins whichever of these fields exist: `Online 3v3`.
    let mode = ["mode", "team_size"].iter();
    let mode: Vec<&str> = mode.filter_map(|name| detail(details, name)).collect();
    let players: Vec<String> = players
        .iter()
        .map(|player| match detail(&player.details, "platform") {
            Some(platform) => format!("{} ({platform})", player.name),
            None => player.name.clone(),
        })
        .collect();
    [
        format.game().to_owned(),
        printable(version),
        printable(date.as_deref().unwrap_or_default()),
        duration_s.map(length).unwrap_or_default(),
        printable(map.as_deref().unwrap_or_default()),
        printable(&mode.join(" ")),
        score.clone().unwrap_or_default(),
        printable(&players.join(", ")),
        printable(file),
    ]
}

/// A fact of a game by its name.
fn detail<'a>(details: &'a [(&'static str, String)], name: &str) -> Option<&'a str> {
    let found = details.iter().find(|detail| detail.0 == name);
    found.map(|(_, value)| value.as_str())
}

/// Seconds as hours, minutes and seconds.
fn length(duration_s: f64) -> String {
    let seconds = duration_s.max(0.0).round() as u64;
    match seconds / 3600 {
        0 => format!("{}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
    }
}

fn write_long(
    output: &mut impl Write,
    file: &str,
    format: Format,
    summary: &Summary,
) -> Result<(), Failure> {
    let Summary {
        version,
        date,
        map,
        duration_s,
        frames,
        players,
        score,
        details,
    } = summary;
    writeln!(output, "{}", printable(file))?;
    let mut fact = |name: &str, value: &str| -> std::io::Result<()> {
        if value.is_empty() {
            return Ok(());
        }
        writeln!(output, "  {name:14} {}", printable(value))
    };
    fact("game", format.game())?;
    fact("version", version)?;
    fact("date", date.as_deref().unwrap_or_default())?;
    fact("map", map.as_deref().unwrap_or_default())?;
    fact("length", &duration_s.map(length).unwrap_or_default())?;
    fact(
        "frames",
        &frames.map(|frames| frames.to_string()).unwrap_or_default(),
    )?;
    fact("score", score.as_deref().unwrap_or_default())?;
    for (name, value) in details {
        fact(&name.replace('_', " "), value)?;
    }
    for player in players {
        let team = player.team.map(|team| format!("team {team}"));
        let details = player
            .details
            .iter()
            .map(|(name, value)| format!("{} {value}", name.replace('_', " ")));
        let facts: Vec<String> = team.into_iter().chain(details).collect();
        fact("player", &format!("{} ({})", player.name, facts.join(", ")))?;
    }
    Ok(())
}
