//! A RUMBLE replay in a line of a list.

use super::model::{FirstReplay, Replay, SecondReplay};
use crate::summary::{Player, Summary};

/// What a list of recordings shows of a replay.
pub fn summary(replay: &Replay) -> Summary {
    match replay {
        Replay::First(replay) => first(replay),
        Replay::Second(replay) => second(replay),
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
    // Without the frames the rate is all there is to go by.
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
        details: vec![
            ("generation", "1".to_owned()),
            ("fps", header.fps.to_string()),
            ("structures", header.structures.len().to_string()),
        ],
    }
}

fn second(
    SecondReplay {
        manifest, stream, ..
    }: &SecondReplay,
) -> Summary {
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
    Summary {
        version: text("Version").unwrap_or_default(),
        date: text("Date"),
        map: text("Scene"),
        duration_s: manifest.number_of("Duration"),
        frames: stated.or(stream.as_ref().map(|stream| stream.frames.len() as u64)),
        players: manifest
            .players()
            .into_iter()
            .map(|player| {
                let points = player
                    .battle_points
                    .map(|points| ("battle_points", points.to_string()));
                let host = player.was_host.map(|host| ("host", host.to_string()));
                Player {
                    name: player.name,
                    team: None,
                    details: points.into_iter().chain(host).collect(),
                }
            })
            .collect(),
        score: None,
        details,
    }
}
