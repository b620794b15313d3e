//! The summary of a RUMBLE replay: one line of a list.

use serde_json::Value;

use super::model::manifest::PlayerInfo;
use super::model::{FirstReplay, Replay, SecondReplay};
use super::rr::RrReplay;
use crate::rumble::tables;
use crate::summary::{Player, Summary};

/// Summarises a replay.
pub fn summary(replay: &Replay) -> Summary {
    match replay {
        Replay::First(replay) => first(replay),
        Replay::Second(replay) => second(replay),
        Replay::Rr(replay) => rr(replay),
    }
}

fn first(FirstReplay { header, frames, .. }: &FirstReplay) -> Summary {
    let stated = header
        .stated_frame_count
        .and_then(|count| u64::try_from(count).ok());
    let count = stated.or(frames.as_ref().map(|frames| frames.len() as u64));
    let last_s = frames
        .as_ref()
        .and_then(|frames| frames.times_s.last())
        .map(|&time_s| f64::from(time_s));
    // Without the frames, the duration follows from the frame rate.
    let by_rate = count
        .filter(|_| header.fps > 0)
        .map(|count| count as f64 / f64::from(header.fps));
    Summary {
        version: header.version.to_string(),
        date: Some(header.date_utc.to_string()),
        map: Some(header.scene.to_string()),
        duration_s: last_s.or(by_rate),
        frames: count,
        players: header
            .players
            .iter()
            .map(|player| Player {
                name: player.name.to_string(),
                team: None,
                details: vec![
                    ("battle_points", player.battle_points.to_string()),
                    ("host", player.was_host.is_set().to_string()),
                ],
            })
            .collect(),
        score: None,
        details: [
            ("generation", "1".to_owned()),
            ("fps", header.fps.to_string()),
            ("structures", header.structures.len().to_string()),
        ]
        .into_iter()
        .chain(map_name(&header.scene.to_string(), ""))
        .collect(),
    }
}

/// The display name of a scene or, if there is one, of its custom map.
fn map_name(scene: &str, custom_map: &str) -> Option<(&'static str, String)> {
    let id = if custom_map.is_empty() {
        scene
    } else {
        custom_map
    };
    let known = tables::MAPS.iter().find(|map| map.0 == id);
    known.map(|map| ("map_name", map.1.to_owned()))
}

/// Converts a date and a time with any separator to ISO 8601: `2026-03-01 18:30:00` becomes `2026-03-01T18:30:00`. Text
/// of another form is returned unchanged.
fn iso_date(text: String, zone: &str) -> String {
    let parts: Vec<&str> = text.split(['-', '/', ' ', ':']).collect();
    let is_number = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit());
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    match parts.as_slice() {
        [year, month, day, hour, minute, second]
            if lengths == [4, 2, 2, 2, 2, 2] && parts.iter().all(is_number) =>
        {
            format!("{year}-{month}-{day}T{hour}:{minute}:{second}{zone}")
        }
        _ => text,
    }
}

fn second(replay: &SecondReplay) -> Summary {
    let SecondReplay {
        manifest, stream, ..
    } = replay;
    let text = |key: &str| {
        manifest
            .text_of(key)
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
    };
    let stated = manifest.count_of("FrameCount").map(|count| count as u64);
    let mut details = vec![("generation", "2".to_owned())];
    for (name, key) in [
        ("title", "Title"),
        ("custom_map", "CustomMap"),
        ("guid", "Guid"),
    ] {
        details.extend(text(key).map(|value| (name, value)));
    }
    if let Some(fps) = manifest.number_of("TargetFPS") {
        details.push(("fps", fps.to_string()));
    }
    details.push((
        "structures",
        manifest.list_of("Structures").len().to_string(),
    ));
    details.extend(map_name(
        &text("Scene").unwrap_or_default(),
        &text("CustomMap").unwrap_or_default(),
    ));
    if let Some(is_favourite) = manifest.values.get("isFavorited").and_then(Value::as_bool) {
        details.push(("favourite", is_favourite.to_string()));
    }
    let lists = [
        ("markers", manifest.markers().len()),
        ("voices", replay.voices().len()),
    ];
    for (name, count) in lists.into_iter().filter(|list| list.1 > 0) {
        details.push((name, count.to_string()));
    }
    let extensions = replay.extension_ids();
    if !extensions.is_empty() {
        details.push(("extensions", extensions.join(", ")));
    }
    Summary {
        version: text("Version").unwrap_or_default(),
        // The recorder writes the local time of the recording player, without a zone.
        date: text("Date").map(|date| iso_date(date, "")),
        map: text("Scene"),
        duration_s: manifest.number_of("Duration"),
        frames: stated.or(stream.as_ref().map(|stream| stream.frames.len() as u64)),
        players: manifest.players().into_iter().map(second_player).collect(),
        score: None,
        details,
    }
}

fn second_player(player: PlayerInfo) -> Player {
    let mut details = Vec::new();
    details.extend(
        player
            .battle_points
            .map(|points| ("battle_points", points.to_string())),
    );
    details.extend(player.was_host.map(|host| ("host", host.to_string())));
    details.extend(player.is_local.map(|local| ("local", local.to_string())));
    let stone = |number: &i64| {
        let index = usize::try_from(*number).ok()?;
        tables::SHIFTSTONES.get(index).copied()
    };
    let stones: Vec<&str> = player.shiftstones.iter().filter_map(stone).collect();
    if !stones.is_empty() {
        details.push(("shiftstones", stones.join(", ")));
    }
    Player {
        name: player.name,
        team: None,
        details,
    }
}

fn rr(replay: &RrReplay) -> Summary {
    let header = &replay.header;
    let text = |key: &str| match header.values.get(key)? {
        Value::String(text) => Some(text.clone()).filter(|text| !text.is_empty()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let player = |key: &str, is_local: bool| {
        let player = header.values.get(key).filter(|player| player.is_object())?;
        let points = player.get("Battlepoints").and_then(Value::as_i64);
        let points = points.map(|points| ("battle_points", points.to_string()));
        let local = ("local", is_local.to_string());
        Some(Player {
            name: player.get("Name")?.as_str()?.to_owned(),
            team: None,
            details: points.into_iter().chain([local]).collect(),
        })
    };
    let times_s = replay.times_s();
    let is_read = replay.body.is_some();
    let scene = text("Scene");
    let mut details = vec![("generation", "rr".to_owned())];
    details.extend(map_name(scene.as_deref().unwrap_or_default(), ""));
    Summary {
        version: text("Version").unwrap_or_default(),
        date: text("Date").map(|date| iso_date(date, "Z")),
        map: scene,
        duration_s: times_s.last().copied(),
        frames: is_read.then_some(times_s.len() as u64),
        players: player("LocalPlayer", true)
            .into_iter()
            .chain(player("RemotePlayer", false))
            .collect(),
        score: None,
        details,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_iso_8601_as_far_as_the_file_tells() {
        let date = |text: &str, zone| iso_date(text.to_owned(), zone);
        assert_eq!(date("2026-03-01 18:30:05", ""), "2026-03-01T18:30:05");
        assert_eq!(date("2025/10/01 18:30:05", "Z"), "2025-10-01T18:30:05Z");
        assert_eq!(date("2026-02-10T18:30:00", ""), "2026-02-10T18:30:00");
        assert_eq!(date("yesterday", "Z"), "yesterday");
    }
}
