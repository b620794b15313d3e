//! The summary of a Slippi replay: one line of a list.

use super::model::Replay;
use super::model::frames::FIRST_FRAME;
use super::model::start::{End, PlayerInfo, Start};
use super::outcome;
use crate::slippi::coords::FRAMES_PER_SECOND;
use crate::slippi::names;
use crate::summary::{Player, Summary};

/// Summarises a replay.
pub fn summary(replay: &Replay) -> Summary {
    let [major, minor, build] = replay.start.version();
    let last_frame = replay.last_frame();
    let frames =
        last_frame.map(|last| (i64::from(last) - i64::from(FIRST_FRAME) + 1).max(0) as u64);
    let text = |key: &str| Some(replay.metadata()?.get(key)?.as_text()?.to_string());
    let mut details = Vec::new();
    details.push(("mode", mode(&replay.start).to_owned()));
    details.extend(text("playedOn").map(|platform| ("played_on", platform)));
    details.extend(text("consoleNick").map(|name| ("console", name)));
    let session = replay
        .start
        .session_id
        .map(|id| id.decoded())
        .filter(|id| !id.is_empty());
    details.extend(session.map(|id| ("session", id)));
    let game = replay.start.game_number.filter(|&number| number > 0);
    details.extend(game.map(|number| ("game", number.to_string())));
    let tiebreak = replay.start.tiebreak_number.filter(|&number| number > 0);
    details.extend(tiebreak.map(|number| ("tiebreak", number.to_string())));
    details.push(("end", replay.end().map_or("missing", end).to_owned()));
    details.extend(last_frame.map(|last| ("last_frame", last.to_string())));
    let stage = replay.start.info.stage;
    Summary {
        version: format!("{major}.{minor}.{build}"),
        // Some consoles include the terminator in the text.
        date: text("startAt").map(|date| date.trim_end_matches('\0').to_owned()),
        map: Some(names::stage(stage).map_or_else(|| format!("Stage {stage}"), str::to_owned)),
        duration_s: frames.map(|frames| frames as f64 / FRAMES_PER_SECOND),
        frames,
        players: replay
            .start
            .ports()
            .map(|(port, player)| self::player(replay, port, player))
            .collect(),
        score: None,
        details,
    }
}

fn mode(start: &Start) -> &'static str {
    match start.major_scene {
        Some(8) => "online",
        Some(15) => "target test",
        Some(32) => "home-run contest",
        _ if start.is_teams() => "teams",
        _ => "local",
    }
}

fn end(end: &End) -> &'static str {
    match end.method {
        outcome::method::UNRESOLVED => "unresolved",
        outcome::method::TIME => "time",
        outcome::method::GAME | outcome::method::RESOLVED => "game",
        outcome::method::NO_CONTEST => "no contest",
        _ => "other",
    }
}

/// The name of a port: the display name, else the name tag, else the metadata's name, else the port number.
pub(crate) fn name(replay: &Replay, port: u8) -> String {
    let Start {
        display_names,
        nametags,
        ..
    } = &replay.start;
    let stored = [
        Start::name_in(display_names, port),
        Start::name_in(nametags, port),
    ];
    let netplay = || {
        let players = replay.metadata()?.get("players")?;
        let name = players
            .get(&port.to_string())?
            .get("names")?
            .get("netplay")?;
        Some(name.as_text()?.to_string())
    };
    let named = stored
        .into_iter()
        .chain(netplay())
        .find(|name| !name.is_empty());
    named.unwrap_or_else(|| format!("P{}", u16::from(port) + 1))
}

/// A character's name by its number on the selection screen.
pub(crate) fn character_name(number: u8) -> String {
    names::character(number)
        .map_or_else(|| format!("Character {number}"), |one| one.name.to_owned())
}

fn player(replay: &Replay, port: u8, player: &PlayerInfo) -> Player {
    let number = replay.starting_character(port).unwrap_or(player.character);
    let mut details = vec![
        ("port", (u16::from(port) + 1).to_string()),
        ("character", character_name(number)),
    ];
    details.extend(names::costume(number, player.costume).map(|name| ("costume", name.to_owned())));
    if player.player_type == 1 {
        details.push(("cpu_level", player.cpu_level.to_string()));
    }
    let code = Start::name_in(&replay.start.connect_codes, port);
    if !code.is_empty() {
        details.push(("code", code));
    }
    Player {
        name: name(replay, port),
        team: replay.start.is_teams().then_some(player.team.into()),
        details,
    }
}
