//! Timeline, events and statistics: against our own reading of the file, and against subtr-actor, which does the same
//! work on what boxcars has read. Reading is on neither side of the second comparison.

use postgame::Recording;
use subtr_actor::{Collector, NDArrayCollector, ReplayDataCollector, StatsCollector};

use crate::measure::{Pair, pool};

/// The analysis may take at most as long as reading.
const AGAINST_READING: f64 = 1.0;
/// And must be this many times as fast as subtr-actor's.
const AGAINST_SUBTR_ACTOR: f64 = 5.0;

/// What subtr-actor calculates here: its modules for what our statistics and events have too, no others.
const MODULES: [&str; 12] = [
    "core",
    "boost",
    "movement",
    "positioning",
    "powerslide",
    "demo",
    "possession",
    "touch",
    "pass",
    "kickoff",
    "rotation",
    "dodge",
];

/// The files it is measured on: those of its own tests of statistics. On others its statistics stop the program
/// (1.5.1, `whiff_features`), whichever modules are asked for.
const FILES: [&str; 3] = [
    "problematic-private-duel-2026-03-20.replay",
    "recent-ranked-doubles-2026-03-10.replay",
    "recent-ranked-standard-2026-03-10-a.replay",
];

fn ours(recording: &Recording) {
    let timeline = recording.timeline();
    std::hint::black_box(recording.stats(&timeline));
}

/// Their least: bodies, boost and jumps in every frame, as numbers. No events, no statistics.
fn their_features(replay: &boxcars::Replay) -> Option<()> {
    let collector = NDArrayCollector::<f32>::from_strings(
        &["BallRigidBodyQuaternionVelocities", "SecondsRemaining"],
        &[
            "PlayerRigidBodyQuaternionVelocities",
            "PlayerBoost",
            "PlayerAnyJump",
        ],
    );
    let bodies = collector.ok()?.process_replay(replay).ok()?;
    std::hint::black_box(bodies.get_ndarray().ok()?);
    Some(())
}

/// Their timeline: everything in every frame, with the events that come with it. No statistics.
fn their_timeline(replay: &boxcars::Replay) -> Option<()> {
    let data = ReplayDataCollector::new().get_replay_data(replay).ok()?;
    std::hint::black_box(data);
    Some(())
}

/// Their timeline and their statistics, which are one pass over the frames each.
fn their_all(replay: &boxcars::Replay) -> Option<()> {
    their_timeline(replay)?;
    let stats = StatsCollector::only_modules(MODULES).get_stats(replay);
    std::hint::black_box(stats.ok()?);
    Some(())
}

/// What of theirs stands beside all of ours.
type Theirs = (&'static str, fn(&boxcars::Replay) -> Option<()>);

/// From their least to what is the same work as ours. Theirs begins with what boxcars has read, ours with what we have.
const THEIRS: [Theirs; 3] = [
    ("all of ours, subtr-actor's features alone", their_features),
    ("all of ours, its frames and events alone", their_timeline),
    ("all of ours, its frames, events, statistics", their_all),
];

/// Prints both comparisons and returns the claims that do not hold.
pub fn compare(files: &[(String, Vec<u8>)], recordings: &[(&[u8], Recording)]) -> Vec<String> {
    let mut missed = Vec::new();
    let one = pool(1);
    let pair = Pair::time_after(
        9,
        recordings,
        |(bytes, _)| one.install(|| super::ours(bytes, postgame::Depth::Full)),
        |recording| one.install(|| ours(recording)),
    );
    pair.print("timeline, events and statistics, against reading");
    if pair.speedup() < AGAINST_READING {
        missed.push(format!(
            "timeline, events and statistics are {:.2} times as fast as reading",
            pair.speedup()
        ));
    }
    let mut both = Vec::new();
    let known = files.iter().zip(recordings);
    for ((name, bytes), (_, recording)) in
        known.filter(|((name, _), _)| FILES.contains(&name.as_str()))
    {
        let replay = super::peer(bytes, true);
        if their_all(&replay).is_some() {
            both.push((recording, replay));
        } else {
            println!("  left out, subtr-actor cannot analyse it: {name}");
        }
    }
    for (what, theirs) in THEIRS {
        let pair = Pair::time_each(
            2,
            &both,
            |(recording, _)| one.install(|| ours(recording)),
            |(_, replay)| theirs(replay),
        );
        pair.print(what);
        if pair.speedup() < AGAINST_SUBTR_ACTOR {
            missed.push(format!("{what}: {:.2} times as fast", pair.speedup()));
        }
    }
    missed
}
