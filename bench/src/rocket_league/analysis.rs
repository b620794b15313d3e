//! Timeline, events and statistics, compared with our own reading of the file, and with subtr-actor, which does the
//! same work on the output of boxcars. The second comparison excludes reading on both sides.

use postgame::Recording;
use subtr_actor::{Collector, NDArrayCollector, ReplayDataCollector, StatsCollector};

use crate::measure::{Pair, pool};

/// Maximum time of the analysis, relative to reading.
const AGAINST_READING: f64 = 1.0;
/// Minimum speed relative to subtr-actor.
const AGAINST_SUBTR_ACTOR: f64 = 5.0;

/// The modules of subtr-actor that correspond to our statistics and events.
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

/// The files used: those of subtr-actor's own tests of statistics. On others its statistics abort the program (1.5.1,
/// `whiff_features`), whichever modules are selected.
const FILES: [&str; 3] = [
    "problematic-private-duel-2026-03-20.replay",
    "recent-ranked-doubles-2026-03-10.replay",
    "recent-ranked-standard-2026-03-10-a.replay",
];

fn ours(recording: &Recording) {
    let timeline = recording.timeline();
    std::hint::black_box(recording.stats(&timeline));
}

/// subtr-actor's minimum: bodies, boost and jumps in every frame, as numbers, without events and statistics.
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

/// subtr-actor's timeline: everything in every frame, with its events, without statistics.
fn their_timeline(replay: &boxcars::Replay) -> Option<()> {
    let data = ReplayDataCollector::new().get_replay_data(replay).ok()?;
    std::hint::black_box(data);
    Some(())
}

/// subtr-actor's timeline and statistics, each in one pass over the frames.
fn their_all(replay: &boxcars::Replay) -> Option<()> {
    their_timeline(replay)?;
    let stats = StatsCollector::only_modules(MODULES).get_stats(replay);
    std::hint::black_box(stats.ok()?);
    Some(())
}

/// The variant of subtr-actor that corresponds to all of ours.
type Theirs = (&'static str, fn(&boxcars::Replay) -> Option<()>);

/// From subtr-actor's minimum to the equivalent of our work. It starts from the output of boxcars, ours from our model.
const THEIRS: [Theirs; 3] = [
    ("all of ours, subtr-actor's features alone", their_features),
    ("all of ours, its frames and events alone", their_timeline),
    ("all of ours, its frames, events, statistics", their_all),
];

/// Prints both comparisons and returns the claims that are not met.
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
