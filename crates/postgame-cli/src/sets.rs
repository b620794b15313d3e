//! `postgame sets`: Slippi games grouped into sets.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use postgame::slippi::names;
use postgame::slippi::sets::{Game, GamePlayer, Set, sets};
use postgame::{ReadOptions, Recording};
use postgame_files::Input;

use crate::input;
use crate::output::{Failure, Outcome, complain, stdout, write_json};
use crate::table::Table;

/// Group Slippi games into sets: by session, else by neighbouring files with the same players
#[derive(Args)]
#[command(after_help = "\
Examples:
  postgame sets ~/Slippi
  postgame sets ~/Slippi --json | jq -c '[.set.session, .set.score]'

Games without a stated winner go to the player who is ahead on the last frame; the column UNDECIDED counts them.

Exit status: 0 fine, 2 a file could not be read (the others are unaffected).")]
pub struct Options {
    /// Replays: files, folders, patterns, archives, `s3://` addresses; `-` for standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// One JSON object a line for every set, with its games
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(options: &Options) -> Result<Outcome, Failure> {
    let mut outcome = Outcome::Fine;
    let mut files = Vec::new();
    let mut games = Vec::new();
    for input in input::files(&options.paths, input::Prints::AtTheEnd) {
        match input.and_then(|input| Ok((game(&input)?, input.name))) {
            Ok((Some(game), file)) => {
                files.push(file);
                games.push(game);
            }
            Ok((None, _)) => {}
            Err(failure) => {
                complain(&failure);
                outcome.and(Outcome::Failed);
            }
        }
    }
    let mut output = stdout();
    let headings = [
        "DATE",
        "SESSION",
        "PLAYERS",
        "SCORE",
        "GAMES",
        "UNDECIDED",
        "FIRST FILE",
    ];
    let mut table = Table::new(headings);
    for set in sets(&games) {
        let of_set = || set.games.iter().filter_map(|&at| games.get(at));
        let paths: Vec<&String> = set.games.iter().filter_map(|&at| files.get(at)).collect();
        if options.json {
            let games: Vec<&Game> = of_set().collect();
            let row = serde_json::json!({ "set": set, "files": paths, "games": games });
            write_json(&mut output, &row)?;
            continue;
        }
        table.add(row(
            &set,
            of_set().next(),
            paths.first().map(|path| path.as_str()),
        ));
    }
    table.print(&mut output)?;
    output.flush()?;
    Ok(outcome)
}

/// The game of a Slippi replay; `None` for other recordings.
fn game(input: &Input) -> Result<Option<Game>, Failure> {
    let (recording, _) = input::read(input, &ReadOptions::default())?;
    Ok(match &recording {
        Recording::Slippi(replay) => Some(Game::new(replay)),
        _ => None,
    })
}

fn row(set: &Set, first: Option<&Game>, file: Option<&str>) -> [String; 7] {
    let players = first.map_or(&[][..], |game| &game.players);
    let players: Vec<String> = players.iter().map(player).collect();
    let score: Vec<String> = set.score.iter().map(u32::to_string).collect();
    [
        first.and_then(|game| game.date.clone()).unwrap_or_default(),
        set.session.clone().unwrap_or_default(),
        players.join(" - "),
        score.join("-"),
        set.games.len().to_string(),
        match set.undecided {
            0 => String::new(),
            count => count.to_string(),
        },
        file.unwrap_or_default().to_owned(),
    ]
}

fn player(player: &GamePlayer) -> String {
    let names = [&player.code, &player.tag, &player.name];
    let name = names.into_iter().find(|name| !name.is_empty());
    let character = names::character(player.character).map_or("?", |one| one.name);
    match name {
        Some(name) => format!("{name} ({character})"),
        None => format!("P{} ({character})", u16::from(player.port) + 1),
    }
}
