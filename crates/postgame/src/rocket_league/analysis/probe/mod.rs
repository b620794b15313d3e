//! Whether a replay can be true: motion against physics, values against their bounds.
//!
//! A wrong scale, sign or order of rotation reads every bit and is wrong all the same; each of these measurements fails
//! on one of them (`tests/it/rocket_league_stats/probe.rs` tries). The limits are those of the format's notes.
//!
//! - `bodies`: the samples that are measured, and the arithmetic
//! - `motion`: velocities against displacement, angular velocities against the change of orientation
//! - `rotation`: lengths of rotations, cars on the ground
//! - `demolition`: the velocities in demolitions
//! - `ranges`: the vectors of every field

mod bodies;
mod demolition;
mod motion;
mod ranges;
mod rotation;

use crate::probe::{Aspect, Probe};
use crate::rocket_league::codec::model::Replay;
use crate::timeline::Timeline;

/// Fewer samples say nothing.
const ENOUGH: usize = 100;

/// All measurements of a replay.
pub fn probe(replay: &Replay, timeline: &Timeline) -> Vec<Probe> {
    let mut probes = metadata(replay, timeline);
    for kind in ["ball", "car"] {
        probes.extend(motion::speeds(timeline, kind));
    }
    probes.extend(rotation::alignment(timeline));
    probes.extend(motion::spin(timeline));
    probes.extend(rotation::norms(replay, timeline));
    probes.push(rotation::upright(replay, timeline));
    probes.extend(demolition::demolitions(timeline));
    probes.extend(ranges::ranges(replay, timeline));
    probes
}

fn metadata(replay: &Replay, timeline: &Timeline) -> Vec<Probe> {
    let frames = replay
        .body
        .as_ref()
        .map_or(0, |body| body.network.frame_count_with_gaps());
    let stated = replay.stated_frames();
    let difference = stated.map_or(0.0, |stated| (frames as f64 - f64::from(stated)).abs());
    let properties = &replay.header.properties;
    let score = |name: &str| {
        properties
            .int(name)
            .and_then(|score| usize::try_from(score).ok())
            .unwrap_or(0)
    };
    let score = score("Team0Score") + score("Team1Score");
    let listed = properties.array("Goals").len();
    let goals = timeline
        .events
        .iter()
        .filter(|event| event.kind == "goal")
        .count();
    vec![
        Probe::at_most(
            Aspect::Metadata,
            "frames against the header's",
            usize::from(stated.is_some()),
            1,
            difference,
            0.0,
        ),
        Probe::at_most(
            Aspect::Metadata,
            // A goal in the last frame is in the header alone.
            "goals against the header's",
            if frames > 0 { listed } else { 0 },
            1,
            // Training forgets goals when it starts anew.
            listed.abs_diff(goals).min(score.abs_diff(goals)) as f64,
            1.0,
        ),
    ]
}
