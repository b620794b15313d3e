//! Settings, metadata and changes to the game's code.

use postgame::slippi::Replay;
use postgame::slippi::model::start::Start;
use postgame::slippi::ubjson;
use serde_json::{Map, Value, json};

use crate::load::{Fact, File};

pub fn answer(fact: &Fact, file: &File) -> Option<Value> {
    let replay = &file.replay;
    let port = fact.port.and_then(|port| port.checked_sub(1));
    match fact.kind.as_str() {
        "metadata" => metadata(&fact.fact, replay, port),
        "gecko" => gecko(&fact.fact, replay),
        _ => settings(&fact.fact, replay, port),
    }
}

fn settings(fact: &str, replay: &Replay, port: Option<u8>) -> Option<Value> {
    let start = &replay.start;
    let end = replay.end();
    let [major, minor, build] = start.version();
    Some(match fact {
        "players" => start.ports().count().into(),
        "teams" => {
            let teams = start.ports();
            let teams = teams.map(|(port, player)| ((port + 1).to_string(), player.team.into()));
            Value::Object(teams.collect())
        }
        "stage" => start.info.stage.into(),
        "characters" => {
            let characters = start
                .ports()
                .map(|(port, _)| replay.starting_character(port));
            json!(characters.collect::<Vec<_>>())
        }
        "version" => format!("{major}.{minor}.{build}").into(),
        "nametag" => Start::name_in(&start.nametags, port?).into(),
        "display_name" => Start::name_in(&start.display_names, port?).into(),
        "connect_code" => Start::name_in(&start.connect_codes, port?).into(),
        "user_id" => Start::name_in(&start.user_ids, port?).into(),
        "pal" => (start.is_pal? != 0).into(),
        "controller_fix" => {
            let fix = start.controller_fixes.as_ref()?.get(usize::from(port?))?;
            match (fix_name(fix.dashback), fix_name(fix.shield_drop)) {
                (one, other) if one == other => one.unwrap_or("None").into(),
                _ => "Mixed".into(),
            }
        }
        "controller_fix_parts" => {
            let fix = start.controller_fixes.as_ref()?.get(usize::from(port?))?;
            json!({
                "dash_back": fix_name(fix.dashback),
                "shield_drop": fix_name(fix.shield_drop),
            })
        }
        "end_method" => end?.method.into(),
        "end_bytes" => {
            let end = end?;
            let mut bytes = vec![end.method];
            bytes.extend(end.quitter.map(|one| one as u8));
            bytes.extend(end.placements.iter().flatten().map(|&one| one as u8));
            json!(bytes)
        }
        "quit_by_port" => json!(end?.quitter.filter(|one| *one >= 0).map(|one| one + 1)),
        "match" => {
            let id = start.session_id.as_ref().map(|id| id.decoded());
            json!({
                "id": id.unwrap_or_default(),
                "game": start.game_number,
                "tiebreaker": start.tiebreak_number,
            })
        }
        "game_mode" => start.major_scene?.into(),
        "scene" => json!({"minor": start.minor_scene, "major": start.major_scene}),
        "timer_s" => start.info.timer_s.into(),
        "random_seed" => start.random_seed.into(),
        "player" => {
            let player = start.info.players.get(usize::from(port?))?;
            let internal = || {
                let character = replay.frames.as_ref()?.character(port?, false)?;
                character.post.columns.character.first().copied()
            };
            let kind = ["human", "cpu", "demo"].get(usize::from(player.player_type));
            json!({
                "character": replay.starting_character(port?),
                "character_internal": internal(),
                "type": kind,
                "stocks": player.stocks,
                "costume": player.costume,
                "handicap": player.handicap,
                "cpu_level": player.cpu_level,
                "team": player.team,
            })
        }
        _ => return None,
    })
}

fn fix_name(fix: u32) -> Option<&'static str> {
    match fix {
        1 => Some("UCF"),
        2 => Some("Dween"),
        _ => None,
    }
}

fn metadata(fact: &str, replay: &Replay, port: Option<u8>) -> Option<Value> {
    if fact == "last_frame" {
        return Some(replay.last_frame()?.into());
    }
    let all = plain(replay.metadata()?);
    let player = || all.get("players")?.get(port?.to_string());
    let found = match fact {
        "metadata" => Some(&all),
        "characters" => player()?.get("characters"),
        "names" => player()?.get("names"),
        "console_nick" => all.get("consoleNick"),
        "played_on" => all.get("playedOn"),
        "start_at" => all.get("startAt"),
        _ => return None,
    };
    found.cloned()
}

/// Metadata as ordinary JSON.
fn plain(value: &ubjson::Value) -> Value {
    if let Some(number) = value.as_int() {
        return number.into();
    }
    if let Some(text) = value.as_text() {
        return text.to_string().into();
    }
    let pairs = value.pairs().iter();
    let pairs = pairs.map(|(key, value)| (key.text.to_string(), plain(value)));
    Value::Object(pairs.collect::<Map<_, _>>())
}

fn gecko(fact: &str, replay: &Replay) -> Option<Value> {
    let codes = replay.gecko_codes();
    match fact {
        "gecko.codes" => Some(codes.len().into()),
        "gecko[0].address" => Some(codes.first()?.address.into()),
        _ => None,
    }
}
