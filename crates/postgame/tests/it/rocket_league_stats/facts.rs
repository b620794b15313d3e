//! Single facts about single files, known from their names or from other readers.

use postgame::stats::Number;
use postgame::timeline::Timeline;

use super::{read, recording, replays};

fn count(timeline: &Timeline, kind: &str) -> usize {
    timeline
        .events
        .iter()
        .filter(|event| event.kind == kind)
        .count()
}

fn detailed(timeline: &Timeline, kind: &str, name: &str, value: &str) -> usize {
    let has = |details: &[(&str, String)]| {
        details
            .iter()
            .any(|detail| detail.0 == name && detail.1 == value)
    };
    timeline
        .events
        .iter()
        .filter(|event| event.kind == kind && has(&event.details))
        .count()
}

#[test]
fn flip_resets_are_those_the_game_counts() {
    let Some(recording) = recording("8206e") else {
        return;
    };
    assert_eq!(count(&recording.timeline(), "flip-reset"), 12);
}

#[test]
fn a_demolition_is_one_event_in_every_generation() {
    let name = "replay-format-2026-01-14-v868-32-net10-demolish-extended";
    let Some(recording) = recording(name) else {
        return;
    };
    assert_eq!(count(&recording.timeline(), "demolition"), 10);
    let one = super::recording("1_DEMO").unwrap();
    assert_eq!(count(&one.timeline(), "demolition"), 1);
}

#[test]
fn pads_have_the_sizes_and_sides_the_file_name_says() {
    let Some(recording) = recording("6_BIG_25_SMALL") else {
        return;
    };
    let timeline = recording.timeline();
    assert_eq!(count(&timeline, "boost-pickup"), 31);
    assert_eq!(detailed(&timeline, "boost-pickup", "size", "big"), 6);
    assert_eq!(detailed(&timeline, "boost-pickup", "size", "small"), 25);
    assert_eq!(count(&timeline, "boost-back"), 31);
}

#[test]
fn kickoffs_and_shots_are_as_the_file_name_says() {
    let Some(recording) = recording("3_KICKOFFS_4_SHOTS") else {
        return;
    };
    let timeline = recording.timeline();
    assert_eq!(count(&timeline, "kick-off"), 3);
    assert_eq!(count(&timeline, "shot"), 4);
    let last = super::recording("LAST_KICKOFF_NO_TOUCH")
        .unwrap()
        .timeline();
    let kickoffs: Vec<_> = last
        .events
        .iter()
        .filter(|event| event.kind == "kick-off")
        .collect();
    let is_touched =
        |details: &[(&str, String)]| details.iter().any(|detail| detail.0 == "first_touch_s");
    assert!(
        !is_touched(&kickoffs.last().unwrap().details),
        "nobody touches the last one"
    );
}

#[test]
fn old_playstation_players_with_equal_ids_stay_apart() {
    let Some(files) = replays() else { return };
    let mut seen = 0;
    for path in files {
        let recording = read(&path);
        let postgame::Recording::RocketLeague(replay) = &recording else {
            panic!()
        };
        if replay.header.versions.net() >= 1 || replay.header.versions.are_none() {
            continue;
        }
        let timeline = recording.timeline();
        let stated: Vec<&str> = replay
            .header
            .properties
            .array("PlayerStats")
            .iter()
            .filter_map(|player| player.text("Name"))
            .collect();
        for name in &stated {
            let players = timeline
                .entities
                .iter()
                .filter(|entity| entity.kind == "player" && entity.name == *name);
            seen += usize::from(players.count() >= 1);
        }
    }
    assert!(seen > 20, "{seen} players of old files found by name");
}

#[test]
fn statistics_add_up() {
    let Some(recording) = recording("recent-ranked-doubles-2026-03-10") else {
        return;
    };
    let stats = recording.stats(&recording.timeline()).unwrap();
    let number = |value: Option<&Number>| match value {
        Some(Number::Count(count)) => *count as f64,
        Some(Number::Amount(Some(amount))) => *amount,
        other => panic!("{other:?}"),
    };
    let touches: f64 = stats
        .teams
        .iter()
        .map(|team| number(team.get("play", "touches")))
        .sum();
    let by_players: f64 = stats
        .players
        .iter()
        .map(|player| number(player.get("play", "touches")))
        .sum();
    assert_eq!(touches, by_players);
    assert!(touches > 50.0, "{touches}");
    for player in &stats.players {
        let pads = number(player.get("boost", "pads_taken_small"));
        let seen = number(player.get("boost", "count_collected_small"));
        assert!(
            pads >= seen - 1.0,
            "the exact counter sees at least what the amounts show: {pads} {seen}"
        );
    }
}
