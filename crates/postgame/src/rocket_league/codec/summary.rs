//! The summary of a Rocket League replay: one line of a list.

use super::model::Replay;
use super::model::kinds::{Attribute, Value};
use super::model::network::What;
use super::model::properties::{self, Properties};
use super::updates::Actors;
use crate::rocket_league::tables::{MAPS, PLATFORMS};
use crate::summary::{Player, Summary};

/// Summarises a replay.
pub fn summary(replay: &Replay) -> Summary {
    let properties = &replay.header.properties;
    let versions = replay.header.versions;
    let text = |name: &str| properties.text(name).filter(|text| !text.is_empty());
    let mut details = Vec::new();
    for (name, key) in [
        ("mode", "MatchType"),
        ("map_file", "MapName"),
        ("name", "ReplayName"),
        ("saved_by", "PlayerName"),
        ("build", "BuildVersion"),
        ("id", "Id"),
    ] {
        details.extend(text(key).map(|value| (name, value.to_owned())));
    }
    if let Some(size) = properties.int("TeamSize") {
        details.push(("team_size", format!("{size}v{size}")));
    }
    for (name, key) in [
        ("forfeit", "bForfeit"),
        ("unfinished", "bIsUnfinishedMatchReplay"),
    ] {
        if properties.flag(key) == Some(true) {
            details.push((name, "true".to_owned()));
        }
    }
    let goals = properties.array("Goals");
    if !goals.is_empty() {
        details.push((
            "goals",
            goals.iter().map(goal).collect::<Vec<_>>().join(", "),
        ));
    }
    let net = versions
        .net
        .map_or(String::new(), |net| format!(" net {net}"));
    Summary {
        version: format!("{}.{}{net}", versions.engine, versions.licensee),
        date: text("Date").map(iso_date),
        map: text("MapName").map(map_name),
        duration_s: duration_s(replay),
        frames: replay.stated_frames().map(u64::from),
        players: match properties.array("PlayerStats") {
            // Old and unfinished matches have no list, but their players are in the frames.
            [] => players_in_frames(replay),
            listed => listed.iter().map(player).collect(),
        },
        score: score(properties),
        details,
    }
}

/// A map as players know it; one that is not known keeps the file's name.
fn map_name(code: &str) -> String {
    let lower = code.to_lowercase();
    let known = MAPS.binary_search_by(|map| map.code.cmp(lower.as_str()));
    let known = known.ok().and_then(|index| MAPS.get(index));
    known.map_or(code, |map| map.name).to_owned()
}

/// A goal as `name at frame`.
fn goal(goal: &Properties) -> String {
    let who = goal.text("PlayerName").unwrap_or("?");
    match goal.int("frame") {
        Some(frame) => format!("{who} at frame {frame}"),
        None => who.to_owned(),
    }
}

/// The goals of both teams; a score of 0 is not stored.
fn score(properties: &Properties) -> Option<String> {
    let team = |name: &str| properties.int(name).unwrap_or(0);
    // Files without players are from matches that had not begun.
    let is_match = properties.get("PlayerStats").is_some() || properties.get("Goals").is_some();
    is_match.then(|| format!("{}-{}", team("Team0Score"), team("Team1Score")))
}

/// The time from the first frame to the last; without frames, computed from the frame rate.
fn duration_s(replay: &Replay) -> Option<f64> {
    let frames = replay.body.as_ref().map(|body| &body.network);
    let times = frames.and_then(|network| {
        let mut frames = network.frames();
        let first = frames.next()?.time_s;
        let last = frames.last().map_or(first, |frame| frame.time_s);
        Some(f64::from(last) - f64::from(first))
    });
    times.or_else(|| {
        let rate = match replay.header.properties.get("RecordFPS") {
            Some(properties::Value::Float(rate)) if *rate > 0.0 => f64::from(*rate),
            _ => 30.0,
        };
        replay
            .stated_frames()
            .map(|frames| f64::from(frames) / rate)
    })
}

/// The attribute with a player's name.
const PLAYER_NAME: &str = "Engine.PlayerReplicationInfo:PlayerName";

/// The attribute with a player's account.
const ACCOUNT: &str = "Engine.PlayerReplicationInfo:UniqueId";

fn players_in_frames(replay: &Replay) -> Vec<Player> {
    let Some(body) = &replay.body else {
        return Vec::new();
    };
    // By actor: a player who returns is a new actor with the same name and account.
    let mut found: Vec<(u32, Option<String>, Option<u8>)> = Vec::new();
    let mut actors = Actors::new(&replay.header, body);
    for action in body.network.frames().flat_map(|frame| frame.actions()) {
        actors.apply(&action);
        let What::Updated(updates) = action.what else {
            continue;
        };
        let object = actors.object_name(action.actor);
        if !object.is_some_and(|object| object.contains("__PRI_")) {
            continue;
        }
        let (mut name, mut platform) = (None, None);
        for (id, value) in updates {
            let Value::Attribute(attribute) = value else {
                continue;
            };
            match (attribute, actors.attribute_name(action.actor, id)) {
                (Attribute::String(text), Some(PLAYER_NAME)) => name = Some(text.to_string()),
                (Attribute::UniqueId(account), Some(ACCOUNT)) => {
                    platform = Some(account.platform());
                }
                _ => {}
            }
        }
        let known = found.iter_mut().find(|player| {
            player.0 == action.actor && (name.is_none() || player.1.is_none() || player.1 == name)
        });
        match known {
            Some(player) => {
                player.1 = name.or(player.1.take());
                player.2 = platform.or(player.2);
            }
            None if name.is_some() => found.push((action.actor, name, platform)),
            None => {}
        }
    }
    let mut players: Vec<Player> = Vec::new();
    for (_, name, platform) in found {
        let platform = platform.and_then(|platform| PLATFORMS.get(usize::from(platform)));
        let player = Player {
            name: name.unwrap_or_default(),
            team: None,
            details: platform
                .map(|platform| ("platform", (*platform).to_owned()))
                .into_iter()
                .collect(),
        };
        if !players.contains(&player) {
            players.push(player);
        }
    }
    players
}

fn player(stats: &Properties) -> Player {
    let mut details = Vec::new();
    if let Some(platform) = stats.text("Platform") {
        let platform = platform.strip_prefix("OnlinePlatform_").unwrap_or(platform);
        details.push(("platform", platform.to_owned()));
    }
    for (name, key) in [
        ("score", "Score"),
        ("goals", "Goals"),
        ("assists", "Assists"),
        ("saves", "Saves"),
        ("shots", "Shots"),
    ] {
        details.extend(stats.int(key).map(|value| (name, value.to_string())));
    }
    if stats.flag("bBot") == Some(true) {
        details.push(("bot", "true".to_owned()));
    }
    Player {
        name: stats.text("Name").unwrap_or_default().to_owned(),
        team: stats.int("Team").and_then(|team| u32::try_from(team).ok()),
        details,
    }
}

/// Converts `2016-06-20:16-46` and `2017-02-10 22-20-53` to ISO 8601; returns anything else unchanged.
fn iso_date(date: &str) -> String {
    let Some((day, time)) = date.split_once([':', ' ']) else {
        return date.to_owned();
    };
    let is_number = |text: &str| {
        text.bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'-')
    };
    if is_number(day) && is_number(time) {
        format!("{day}T{}", time.replace('-', ":"))
    } else {
        date.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_dates() {
        assert_eq!(iso_date("2016-06-20:16-46"), "2016-06-20T16:46");
        assert_eq!(iso_date("2017-02-10 22-20-53"), "2017-02-10T22:20:53");
        assert_eq!(iso_date("some day"), "some day");
    }
}
