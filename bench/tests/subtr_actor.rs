//! Events of Rocket League replays, held against those of subtr-actor for the streams that both have.
//!
//! Agreement is parity, not truth: the facts in `crates/postgame/tests/rocket_league_facts` are. What differs has a reason in
//! [`STREAMS`]. `cargo test -p postgame-bench --test subtr_actor -- --nocapture` prints the table.

// A test fails by panicking, and prints its table.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use std::path::{Path, PathBuf};

use boxcars::RemoteId;
use postgame::timeline::{Event, Timeline};
use subtr_actor::{EventTiming, PlayerId, StatsTimelineEventCollector};

/// The files of subtr-actor's own tests of statistics. On some others version 1.5.1 aborts the program (`whiff_features`).
const FILES: [&str; 3] = [
    "problematic-private-duel-2026-03-20.replay",
    "recent-ranked-doubles-2026-03-10.replay",
    "recent-ranked-standard-2026-03-10-a.replay",
];

/// A stream of both: theirs, ours, how far apart events may be in seconds, which shares of theirs and of ours must be found
/// in the other one in percent, and why not all are.
struct Stream {
    theirs: &'static str,
    ours: &'static str,
    apart_s: f64,
    theirs_found: usize,
    ours_found: usize,
    reason: &'static str,
}

const fn stream(
    theirs: &'static str,
    ours: &'static str,
    apart_s: f64,
    [theirs_found, ours_found]: [usize; 2],
    reason: &'static str,
) -> Stream {
    Stream {
        theirs,
        ours,
        apart_s,
        theirs_found,
        ours_found,
        reason,
    }
}

/// The definitions differ, and the single events were not looked at. The floors hold what agrees today.
const NOT_TRACED: &str = "not traced";

const STREAMS: &[Stream] = &[
    stream("touch", "touch", 0.25, [80, 80], NOT_TRACED),
    stream("dodge", "dodge", 0.1, [98, 90], ""),
    stream("demolition", "demolition", 0.1, [98, 98], ""),
    stream("kickoff", "kick-off", 4.0, [71, 71], NOT_TRACED),
    stream("boost_pickups", "boost-pickup", 0.3, [97, 96], ""),
    stream("boost_respawn", "respawn-boost", 3.5, [5, 7], NOT_TRACED),
    stream("powerslide", "power-slide", 0.1, [45, 45], NOT_TRACED),
    stream("dodge_reset", "dodge-refresh", 0.1, [0, 0], NOT_TRACED),
    stream("fifty_fifty", "fifty-fifty", 0.5, [43, 44], NOT_TRACED),
    stream("pass", "pass", 0.5, [78, 73], NOT_TRACED),
    stream("possession", "possession", 1.0, [29, 81], NOT_TRACED),
    stream(
        "player_possession",
        "player-possession",
        1.0,
        [62, 61],
        NOT_TRACED,
    ),
    stream(
        "rotation_role",
        "first-man",
        0.5,
        [7, 89],
        "theirs has a role for every player, ours is the first man",
    ),
    stream(
        "first_man_change",
        "first-man-change",
        0.5,
        [90, 58],
        NOT_TRACED,
    ),
    stream(
        "territorial_pressure",
        "pressure",
        1.0,
        [58, 53],
        NOT_TRACED,
    ),
    stream("shadow_defense", "shadow-defence", 1.0, [7, 75], NOT_TRACED),
    stream("rush", "rush", 1.0, [17, 23], NOT_TRACED),
    stream("ball_carry", "carry", 1.0, [83, 64], NOT_TRACED),
    stream("air_dribble", "air-dribble", 1.0, [55, 48], NOT_TRACED),
    stream("flick", "flick", 0.5, [0, 0], NOT_TRACED),
    stream("speed_flip", "speed-flip", 0.3, [65, 50], NOT_TRACED),
    stream("half_flip", "half-flip", 0.3, [0, 0], NOT_TRACED),
    stream("wavedash", "wavedash", 0.5, [93, 93], ""),
    stream("half_volley", "half-volley", 0.3, [93, 78], NOT_TRACED),
    stream("wall_aerial", "wall-aerial", 0.5, [19, 16], NOT_TRACED),
    stream("bump", "bump", 0.3, [58, 53], NOT_TRACED),
    stream("whiff", "whiff", 1.0, [15, 38], NOT_TRACED),
    stream(
        "beaten_to_ball",
        "beaten-to-ball",
        0.5,
        [28, 81],
        NOT_TRACED,
    ),
    stream("center", "centre", 1.0, [55, 83], NOT_TRACED),
    stream("one_timer", "one-timer", 0.5, [0, 0], NOT_TRACED),
    stream("backboard", "backboard", 0.5, [98, 48], NOT_TRACED),
    stream("double_tap", "double-tap", 0.5, [0, 0], NOT_TRACED),
];

/// Something that happened: when, and who did it, where it is a player.
struct Moment {
    time_s: f64,
    who: Option<String>,
}

fn folder() -> Option<PathBuf> {
    let folder = match std::env::var_os("POSTGAME_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus"),
    };
    let folder = folder.join("rocket-league");
    if folder.is_dir() {
        return Some(folder);
    }
    println!(
        "NO CORPUS in {}: this test ran on nothing",
        folder.display()
    );
    None
}

/// Their events by stream.
fn theirs(bytes: &[u8]) -> Vec<(String, Moment)> {
    let replay = boxcars::ParserBuilder::new(bytes)
        .must_parse_network_data()
        .parse()
        .unwrap();
    let timeline = StatsTimelineEventCollector::new()
        .get_replay_stats_timeline_scaffold(&replay)
        .unwrap();
    let meta = &timeline.replay_meta;
    let players: Vec<(RemoteId, String)> = meta
        .team_zero
        .iter()
        .chain(&meta.team_one)
        .map(|player| (player.remote_id.clone(), player.name.clone()))
        .collect();
    let name = |id: &PlayerId| {
        let player = players.iter().find(|player| player.0 == *id);
        player.map(|player| player.1.clone())
    };
    let events = timeline.events.events.into_iter().map(|event| {
        let time_s = match event.meta.timing {
            EventTiming::Moment { time, .. } => time,
            EventTiming::Span { start_time, .. } => start_time,
        };
        let moment = Moment {
            time_s: f64::from(time_s),
            who: event.meta.primary_player.as_ref().and_then(name),
        };
        (event.meta.stream, moment)
    });
    events.collect()
}

fn ours(timeline: &Timeline, kind: &str) -> Vec<Moment> {
    // Who came second is the other one of the event.
    let who = |event: &Event| match kind {
        "beaten-to-ball" => event.whom,
        _ => event.who,
    };
    let events = timeline.events_of_kind(kind);
    let moments = events.map(|event| Moment {
        time_s: event.time_s,
        who: who(event).and_then(|id| Some(timeline.entity(id)?.name.clone())),
    });
    moments.collect()
}

/// How many of some events the others have: each event answers for one.
fn found(some: &[Moment], others: &[Moment], apart_s: f64) -> usize {
    let mut used = vec![false; others.len()];
    let mut count = 0;
    for one in some {
        let fits = |(index, other): &(usize, &Moment)| {
            let is_same = match (&one.who, &other.who) {
                (Some(one), Some(other)) => one == other,
                _ => true,
            };
            !used[*index] && is_same && (one.time_s - other.time_s).abs() <= apart_s
        };
        let near = others
            .iter()
            .enumerate()
            .filter(fits)
            .min_by(|one_of, other_of| {
                let apart = |moment: &Moment| (moment.time_s - one.time_s).abs();
                apart(one_of.1).total_cmp(&apart(other_of.1))
            });
        if let Some((index, _)) = near {
            used[index] = true;
            count += 1;
        }
    }
    count
}

#[test]
fn streams_agree_with_subtr_actor() {
    let Some(folder) = folder() else { return };
    let mut counts = vec![[0_usize; 4]; STREAMS.len()];
    let mut others: Vec<String> = Vec::new();
    for file in FILES {
        let bytes = std::fs::read(folder.join(file)).unwrap();
        let (recording, _) = postgame::read(&bytes, &postgame::ReadOptions::default()).unwrap();
        let timeline = recording.timeline();
        let theirs = theirs(&bytes);
        for (stream, counts) in STREAMS.iter().zip(&mut counts) {
            let of_stream = theirs.iter().filter(|(name, _)| name == stream.theirs);
            let of_stream: Vec<Moment> = of_stream
                .map(|(_, moment)| Moment {
                    time_s: moment.time_s,
                    who: moment.who.clone(),
                })
                .collect();
            let own = ours(&timeline, stream.ours);
            counts[0] += of_stream.len();
            counts[1] += found(&of_stream, &own, stream.apart_s);
            counts[2] += own.len();
            counts[3] += found(&own, &of_stream, stream.apart_s);
        }
        let unknown = theirs.iter().map(|(name, _)| name);
        others.extend(
            unknown
                .filter(|name| STREAMS.iter().all(|stream| stream.theirs != **name))
                .cloned(),
        );
    }
    others.sort();
    others.dedup();
    println!(
        "{:22} {:20} {:>6} {:>6} {:>6} {:>6}",
        "theirs", "ours", "theirs", "found", "ours", "found"
    );
    let mut missed = Vec::new();
    for (stream, [theirs, theirs_found, ours, ours_found]) in STREAMS.iter().zip(counts) {
        println!(
            "{:22} {:20} {theirs:6} {theirs_found:6} {ours:6} {ours_found:6}  {}",
            stream.theirs, stream.ours, stream.reason
        );
        let is_met = theirs_found * 100 >= theirs * stream.theirs_found
            && ours_found * 100 >= ours * stream.ours_found;
        if !is_met {
            missed.push(stream.theirs);
        }
    }
    println!("streams that only subtr-actor has: {}", others.join(", "));
    assert!(missed.is_empty(), "less agreement than before: {missed:?}");
}
