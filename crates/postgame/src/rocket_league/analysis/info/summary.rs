//! The summary of a replay that was read in full: what the header says, with what only the frames tell.

use super::{MatchInfo, PlayerInfo, match_info};
use crate::rocket_league::codec::model::Replay;
use crate::rocket_league::codec::summary as of_header;
use crate::summary::{Player, Summary};

/// Summarises a replay by its header and its frames: names for people, true durations, players with their settings.
pub fn full_summary(replay: &Replay) -> Summary {
    let header = of_header(replay);
    let info = match_info(replay);
    if replay.body.is_none() {
        return header;
    }
    let mut details = facts(&info);
    // What only the header knows, such as the frames of goals.
    let others = header.details.into_iter();
    let is_new = |name: &str| {
        name != "mode" && name != "forfeit" && !details.iter().any(|(known, _)| *known == name)
    };
    let others: Vec<_> = others.filter(|(name, _)| is_new(name)).collect();
    details.extend(others);
    Summary {
        date: info.date.clone().or(header.date),
        map: header.map,
        duration_s: info.duration_s.or(header.duration_s),
        players: match info.players.is_empty() {
            true => header.players,
            false => info
                .players
                .iter()
                .map(|one| player(one, &header.players))
                .collect(),
        },
        details,
        ..header
    }
}

/// Facts about the match, those first that a list shows.
fn facts(info: &MatchInfo) -> Vec<(&'static str, String)> {
    let text = |text: Option<&str>| text.map(str::to_owned);
    let seconds = |seconds: Option<f64>| seconds.map(|seconds| format!("{seconds:.1}"));
    let flag = |flag: Option<bool>| (flag == Some(true)).then(|| "true".to_owned());
    let observers: Vec<&str> = info.observers.iter().map(|one| one.name.as_str()).collect();
    let season = info.season.map(|season| {
        let (number, era, from) = (season.number, season.era, season.from);
        format!("{number} ({era}, from {from}, by the date)")
    });
    let all = [
        // Without a playlist: a private match of hoops.
        ("mode", text(info.playlist_name).or_else(|| kind(info))),
        (
            "team_size",
            info.team_size.map(|size| format!("{size}v{size}")),
        ),
        ("game_type", text(info.game_type)),
        ("game_mode", text(info.mode)),
        ("playlist", text(info.playlist)),
        ("season", season),
        ("map_file", info.map.clone()),
        ("winner", text(info.winner)),
        ("mvp", info.mvp.clone()),
        ("overtime_s", seconds(info.overtime_s)),
        ("counted_s", seconds(info.counted_s)),
        ("forfeit", flag(info.forfeit)),
        ("no_contest", flag(info.no_contest)),
        ("server", info.server_name.clone()),
        ("region", info.server_region.clone()),
        ("match_guid", info.match_guid.clone()),
        (
            "observers",
            Some(observers.join(", ")).filter(|names| !names.is_empty()),
        ),
    ];
    let known = all.into_iter();
    known
        .filter_map(|(name, value)| Some((name, value?)))
        .collect()
}

/// The kind of match and the mode: `private hoops`.
fn kind(info: &MatchInfo) -> Option<String> {
    let parts: Vec<&str> = [info.game_type, info.mode].into_iter().flatten().collect();
    Some(parts.join(" ")).filter(|kind| !kind.is_empty())
}

/// A player with settings; the counters are the header's.
fn player(info: &PlayerInfo, listed: &[Player]) -> Player {
    let own = listed.iter().find(|player| {
        player.name == info.name
            && (player.team.is_none() || player.team == info.team.map(u32::from))
    });
    let mut details = own.map_or_else(Vec::new, |own| own.details.clone());
    let mut add = |name: &'static str, value: Option<String>| {
        if let Some(value) = value.filter(|_| !details.iter().any(|(known, _)| *known == name)) {
            details.push((name, value));
        }
    };
    add("platform", info.platform.map(str::to_owned));
    add("car", info.body.map(str::to_owned));
    add("hitbox", info.hitbox.map(str::to_owned));
    add("party", info.party.map(|party| party.to_string()));
    add(
        "steering_sensitivity",
        info.steering_sensitivity
            .map(|steering| steering.to_string()),
    );
    add(
        "camera",
        info.camera.map(|camera| {
            let super::Camera {
                fov,
                height,
                pitch,
                distance,
                stiffness,
                swivel_speed,
                ..
            } = camera;
            format!("{fov}° {height} {pitch}° {distance} {stiffness} {swivel_speed}")
        }),
    );
    add("bot", info.bot.then(|| "true".to_owned()));
    add("mvp", info.mvp.then(|| "true".to_owned()));
    Player {
        name: info.name.clone(),
        team: info.team.map(u32::from),
        details,
    }
}
