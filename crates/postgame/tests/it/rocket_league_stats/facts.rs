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
    timeline
        .events
        .iter()
        .filter(|event| event.kind == kind && event.detail(name) == Some(value))
        .count()
}

#[test]
fn flip_resets_are_those_the_game_counts() {
    let Some(recording) = recording("8206e") else {
        return;
    };
    let timeline = recording.timeline();
    assert_eq!(count(&timeline, "dodge-refresh"), 12);
    let forfeits = timeline.events.iter();
    let forfeits = forfeits.filter(|event| event.kind == "forfeit");
    assert_eq!(forfeits.count(), 1);
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
    // One player took them all, and the statistics say the same.
    let stats = recording.stats(&timeline).unwrap();
    let sum = |name: &str| -> i64 {
        let players = stats.players.iter();
        players
            .map(|player| match player.get("boost", name) {
                Some(Number::Count(count)) => *count,
                other => panic!("{other:?}"),
            })
            .sum()
    };
    // carball's own test of this file says that two were stolen; it counts big ones only.
    let names = ["pads_taken_big", "pads_taken_small", "pads_stolen_big"];
    assert_eq!(names.map(sum), [6, 25, 2]);
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
    let touched = kickoffs.last().unwrap().detail("first_touch_s");
    assert_eq!(touched, None, "nobody touches the last one");
}

/// By the game's states: from a countdown to play, told apart by hand in the files' JSON.
#[test]
fn a_kickoff_is_a_countdown_that_ends() {
    for (name, kickoffs, goals) in [
        ("problematic-private-duel-2026-03-20", 12, 12),
        ("recent-ranked-doubles-2026-03-10", 5, 5),
        ("recent-ranked-standard-2026-03-10-a", 2, 1),
    ] {
        let Some(recording) = recording(name) else {
            return;
        };
        let timeline = recording.timeline();
        assert_eq!(count(&timeline, "kick-off"), kickoffs, "{name}");
        assert_eq!(count(&timeline, "goal"), goals, "{name}");
        // The ball rests in the middle until it is touched, however long ago it was told to be there.
        let ball = timeline
            .entities
            .iter()
            .find(|entity| entity.kind == "ball")
            .unwrap();
        let starts = timeline
            .events
            .iter()
            .filter(|event| event.kind == "kick-off");
        for start in starts {
            let [x, height, y] = ball.position(start.time_s).unwrap();
            assert!(x == 0.0 && y == 0.0, "{name}: {x} {y} at {}", start.time_s);
            assert!((0.9..1.0).contains(&height), "{name}: {height}");
        }
    }
}

#[test]
fn the_tournament_of_2016_has_the_goals_of_its_header() {
    let Some(recording) = recording("rlcs") else {
        return;
    };
    let postgame::Recording::RocketLeague(replay) = &recording else {
        panic!()
    };
    let timeline = recording.timeline();
    let scores: Vec<i32> = timeline
        .events
        .iter()
        .filter(|event| event.kind == "goal")
        .map(|event| {
            let score = event.details.iter().find(|detail| detail.0 == "score");
            let (blue, orange) = score.unwrap().1.split_once(':').unwrap();
            blue.parse::<i32>().unwrap() + orange.parse::<i32>().unwrap()
        })
        .collect();
    let listed = replay.header.properties.array("Goals").len() as i32;
    assert_eq!(scores, (1..=listed).collect::<Vec<_>>(), "steps of one");
}

/// A file that begins in the middle of a match begins with a score of 4 and players who have scored; the two goals that
/// are in it are those of its header.
#[test]
fn the_state_a_recording_begins_with_is_no_event() {
    let Some(recording) = recording("a671") else {
        return;
    };
    let timeline = recording.timeline();
    let goals: Vec<_> = timeline
        .events
        .iter()
        .filter(|event| event.kind == "goal")
        .map(|event| &*event.details[1].1)
        .collect();
    assert_eq!(goals, ["0:5", "0:6"]);
    let early = |kind: &str| {
        let events = timeline.events.iter();
        events
            .filter(|event| event.kind == kind && event.frame < 10)
            .count()
    };
    assert_eq!(["shot", "save", "assist"].map(early), [0; 3]);
}

/// When players' actors come and go in the file, read from its JSON: Sasha Kaun leaves, bots take over, others join.
#[test]
fn joining_leaving_and_substitution_are_intervals() {
    let Some(recording) = recording("rumble") else {
        return;
    };
    let timeline = recording.timeline();
    let players = |name: &str| -> Vec<Vec<(f64, f64)>> {
        let entities = timeline.entities.iter();
        entities
            .filter(|entity| entity.kind == "player" && entity.name == name)
            .map(|entity| entity.presence.intervals().to_vec())
            .collect()
    };
    let near = |times: &[(f64, f64)], wanted: (f64, f64)| {
        assert_eq!(times.len(), 1, "{times:?}");
        let (from_s, to_s) = times[0];
        assert!((from_s - wanted.0).abs() < 0.01, "{times:?}");
        assert!(
            to_s == wanted.1 || (to_s - wanted.1).abs() < 0.01,
            "{times:?}"
        );
    };
    near(&players("Sasha Kaun")[0], (6.271, 179.776));
    near(&players("Cougar")[0], (119.907, 200.285));
    near(&players("BigCruz187")[0], (137.704, 289.558));
    near(&players("comagoosie")[0], (6.271, f64::INFINITY));
    near(&players("GOOSE LORD")[0], (260.549, f64::INFINITY));
    assert_eq!(count(&timeline, "leave"), 4);
    let event = |kind: &str, who: &str| {
        let who = timeline.find(who);
        let events = timeline.events.iter();
        events
            .filter(|event| event.kind == kind && event.who == who)
            .map(|event| event.time_s)
            .collect::<Vec<_>>()
    };
    assert!((event("leave", "Cougar")[0] - 200.285).abs() < 0.01);
    assert!((event("join", "GOOSE LORD")[0] - 260.549).abs() < 0.01);
    assert!(event("leave", "comagoosie").is_empty());
}

/// Two files from before PlayStation ids had an account number: all they have in common is a 1, and names differ.
#[test]
fn old_playstation_players_with_equal_ids_stay_apart() {
    for (name, wanted) in [
        ("3d07e", ["TheGoldenGarp", "NoVa_KnighTs", "Sasquatch7802"]),
        ("b82d", ["ximat123", "ManueIHits", "barcolives"]),
    ] {
        let Some(recording) = recording(name) else {
            return;
        };
        let timeline = recording.timeline();
        for wanted in wanted {
            let players = timeline
                .entities
                .iter()
                .filter(|entity| entity.kind == "player" && entity.name == wanted);
            assert_eq!(players.count(), 1, "{name}: {wanted}");
        }
    }
}

#[test]
fn two_players_of_one_name_are_two() {
    let Some(recording) = recording("PLAYERNAME_TWO_PLAYERS_NAMED_SAME") else {
        return;
    };
    let timeline = recording.timeline();
    let mut names: Vec<&str> = timeline
        .entities
        .iter()
        .filter(|entity| entity.kind == "player")
        .map(|entity| entity.name.as_str())
        .collect();
    names.sort_unstable();
    let is_twice = names.windows(2).any(|pair| pair[0] == pair[1]);
    assert!(is_twice, "{names:?}");
}

/// Every kind of event happens in some real file.
#[test]
fn every_kind_of_event_happens() {
    let Some(files) = replays() else { return };
    let mut counts = std::collections::BTreeMap::<String, usize>::new();
    let mut forfeits = Vec::new();
    for path in &files {
        let recording = read(path);
        let timeline = recording.timeline();
        for event in &timeline.events {
            *counts.entry(event.kind.to_string()).or_default() += 1;
        }
        let postgame::Recording::RocketLeague(replay) = &recording else {
            panic!()
        };
        let is_stated = replay.header.properties.flag("bForfeit") == Some(true);
        if is_stated || count(&timeline, "forfeit") > 0 {
            forfeits.push((is_stated, count(&timeline, "forfeit")));
        }
    }
    println!("{counts:#?}");
    for kind in [
        "kick-off",
        "touch",
        "goal",
        "assist",
        "shot",
        "save",
        "demolition",
        "car-destroyed",
        "boost-pickup",
        "boost-back",
        "jump",
        "double-jump",
        "dodge",
        "flip-over",
        "dodge-refresh",
        "flip-reset",
        "fifty-fifty",
        "bump",
        "whiff",
        "beaten-to-ball",
        "carry",
        "air-dribble",
        "flick",
        "backboard",
        "pass",
        "clear",
        "centre",
        "one-timer",
        "half-volley",
        "speed-flip",
        "half-flip",
        "wavedash",
        "wall-aerial",
        "possession",
        "player-possession",
        "pressure",
        "rush",
        "counter-attack",
        "first-man",
        "shadow-defence",
        "kick-off-role",
        "item-taken",
        "item-used",
        "tile-damaged",
        "tile-opened",
        "supersonic",
        "supersonic-end",
        "power-slide",
        "power-slide-end",
        "ball-camera",
        "car-camera",
        "rear-camera",
        "rear-camera-end",
        "overtime",
        "forfeit",
        "join",
        "leave",
    ] {
        assert!(counts.contains_key(kind), "no {kind} in any file");
    }
    // The game says it in the stream once, and in most headers.
    assert!(
        forfeits.iter().all(|forfeit| forfeit.1 == 1),
        "{forfeits:?}"
    );
    let stated = forfeits.iter().filter(|forfeit| forfeit.0);
    assert_eq!((stated.count(), forfeits.len()), (4, 5));
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
