//! Facts of ballchasing.com: what the match was, and the statistics.

use serde_json::Value;

use crate::Verdict;
use crate::load::{Case, Fact};

pub fn verdict(case: &Case, fact: &Fact) -> Verdict {
    let name = fact.fact.trim_start_matches("bc.");
    if let Some(name) = name
        .strip_prefix("player.")
        .or_else(|| name.strip_prefix("team."))
    {
        return match name.split_once('.') {
            Some(("camera", setting)) => camera(case, fact, setting),
            Some((group, name)) => Verdict::of_some(fact, case.stat(fact, group, name)),
            None => player(case, fact, name),
        };
    }
    let info = &case.info;
    match name {
        "rocket_league_id" => Verdict::of_some(fact, info.replay_id.clone()),
        "match_guid" => Verdict::of_some(fact, info.match_guid.clone()),
        "title" => Verdict::of_some(fact, info.replay_name.clone()),
        "map_code" => Verdict::of_some(fact, info.map.as_ref().map(|map| map.to_lowercase())),
        "map_name" => Verdict::of_some(fact, info.map_name),
        "match_type" => Verdict::of_some(fact, info.match_type.clone()),
        "team_size" => Verdict::of_some(fact, info.team_size),
        "playlist_id" => Verdict::of_some(fact, info.playlist),
        "duration" => Verdict::of_some(fact, info.recorded_s),
        "overtime" => Verdict::of_some(fact, info.overtime),
        "overtime_seconds" => Verdict::of_some(fact, info.overtime_s),
        "season" => Verdict::of_some(fact, info.season.map(|season| season.number)),
        "season_type" => Verdict::of_some(fact, info.season.map(|season| season.era)),
        "date" => Verdict::of_some(fact, info.date.clone()),
        _ => Verdict::NotOffered,
    }
}

fn player(case: &Case, fact: &Fact, name: &str) -> Verdict {
    let info = case
        .info
        .players
        .iter()
        .find(|info| Some(&info.name) == fact.player.as_ref());
    let Some(info) = info else {
        return Verdict::Wrong("no such player".into());
    };
    match name {
        "car_id" => Verdict::of_some(fact, info.body_id),
        "car_name" => Verdict::of_some(fact, info.body),
        "start_time" => Verdict::of_some(fact, info.recorded_from_s),
        "end_time" => Verdict::of_some(fact, info.recorded_to_s),
        "steering_sensitivity" => Verdict::of_some(fact, info.steering_sensitivity),
        "platform" => Verdict::of_some(fact, info.platform.map(str::to_lowercase)),
        "rank_tier" => Verdict::of_some(fact, info.rank_tier),
        _ => Verdict::NotOffered,
    }
}

fn camera(case: &Case, fact: &Fact, setting: &str) -> Verdict {
    let info = case
        .info
        .players
        .iter()
        .find(|info| Some(&info.name) == fact.player.as_ref());
    let camera = info.and_then(|info| info.camera);
    let camera = serde_json::to_value(camera).unwrap();
    Verdict::of(fact, camera.get(setting).cloned().unwrap_or(Value::Null))
}
