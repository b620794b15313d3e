//! Whether a RUMBLE replay can be true.

use super::events::{distance, samples};
use crate::probe::{Aspect, Probe};
use crate::rumble::codec::model::{FirstReplay, Replay, SecondReplay};
use crate::timeline::{Entity, EntityId, Sample, Timeline};

/// A hand is at most an arm and a half from the head: an arm is less than half the span, the rest is the neck's.
const REACH_OF_SPAN: f32 = 0.75;

/// The arm span where a file gives none: the tallest people's.
const SPAN_M: f32 = 2.2;

/// Nobody's head is higher above the rig than this.
const HEAD_M: f64 = 2.5;

/// Everything happens within this distance of the origin: arenas are some tens of metres across.
const WORLD_M: f64 = 500.0;

/// A hand may jump (tracking is lost and found), but hardly ever faster than this.
const HAND_M_S: f64 = 25.0;

const ENOUGH: usize = 20;

/// All measurements of a replay.
pub fn probe(replay: &Replay, timeline: &Timeline) -> Vec<Probe> {
    let (spans, stated_s) = match replay {
        Replay::First(FirstReplay { header, frames, .. }) => {
            let spans: Vec<f32> = header
                .players
                .iter()
                .map(|player| player.arm_span)
                .collect();
            let frames = frames.as_ref().map_or(0, |frames| frames.len());
            (
                spans,
                (header.fps > 0).then(|| frames.saturating_sub(1) as f64 / f64::from(header.fps)),
            )
        }
        Replay::Second(SecondReplay { manifest, .. }) => {
            let spans = manifest
                .players()
                .iter()
                .map(|player| player.arm_span_m.unwrap_or(0.0) as f32)
                .collect();
            (spans, manifest.number_of("Duration"))
        }
        // Neither a span nor a length of time is in the file.
        Replay::Rr(_) => (Vec::new(), None),
    };
    let mut probes = vec![metadata(timeline, stated_s)];
    probes.extend([
        reach(timeline, &spans),
        head_height(timeline),
        hand_speed(timeline),
        norms(timeline),
        bounds(timeline),
    ]);
    probes
}

fn metadata(timeline: &Timeline, stated_s: Option<f64>) -> Probe {
    let difference = stated_s.map_or(0.0, |stated_s| {
        (timeline.duration_s() / stated_s - 1.0).abs()
    });
    let samples = usize::from(stated_s.is_some_and(|stated_s| stated_s > 0.5));
    Probe::at_most(
        Aspect::Metadata,
        "duration against the header's, relative difference",
        samples,
        1,
        difference,
        0.25,
    )
}

fn parts<'a>(
    timeline: &'a Timeline,
    kind: &'static str,
) -> impl Iterator<Item = (EntityId, &'a Entity)> {
    timeline
        .entities
        .iter()
        .filter(move |entity| entity.kind == kind)
        .filter_map(|entity| Some((entity.parent?, entity)))
}

/// The share of hand samples out of the arm's reach from the head.
fn reach(timeline: &Timeline, spans: &[f32]) -> Probe {
    let players: Vec<EntityId> = parts(timeline, "head").map(|(player, _)| player).collect();
    let (mut count, mut outside) = (0, 0);
    for kind in ["left_hand", "right_hand"] {
        for (player, hand) in parts(timeline, kind) {
            let head = parts(timeline, "head")
                .find(|(owner, _)| *owner == player)
                .map(|(_, head)| head);
            let number = players
                .iter()
                .position(|candidate| *candidate == player)
                .unwrap_or(0);
            let span = spans
                .get(number)
                .copied()
                .filter(|span| *span > 0.5)
                .unwrap_or(SPAN_M);
            for (time_s, sample) in samples(hand, "position") {
                let (Sample::Position(hand), Some(head)) =
                    (sample, head.and_then(|head| head.position(time_s)))
                else {
                    continue;
                };
                count += 1;
                outside += usize::from(distance(hand, head) > span * REACH_OF_SPAN);
            }
        }
    }
    let name = "hands out of the arms' reach from the head, share";
    Probe::at_most(
        Aspect::Plausibility,
        name,
        count,
        ENOUGH,
        share(outside, count),
        0.02,
    )
}

fn head_height(timeline: &Timeline) -> Probe {
    let (mut count, mut most) = (0, f64::NEG_INFINITY);
    for (player, head) in parts(timeline, "head") {
        let rig = parts(timeline, "rig")
            .find(|(owner, _)| *owner == player)
            .map(|(_, rig)| rig);
        for (time_s, sample) in samples(head, "position") {
            if let (Sample::Position(head), Some(rig)) =
                (sample, rig.and_then(|rig| rig.position(time_s)))
            {
                count += 1;
                most = most.max(f64::from(head[1] - rig[1]));
            }
        }
    }
    Probe::at_most(
        Aspect::Plausibility,
        "head above the rig, metres",
        count,
        ENOUGH,
        most,
        HEAD_M,
    )
}

/// The share of steps of a hand that are faster than any hand.
fn hand_speed(timeline: &Timeline) -> Probe {
    let (mut count, mut fast) = (0, 0);
    for (_, hand) in parts(timeline, "left_hand").chain(parts(timeline, "right_hand")) {
        let way: Vec<_> = samples(hand, "position").collect();
        for pair in way.windows(2) {
            if let ((from_s, Sample::Position(from)), (to_s, Sample::Position(to))) =
                (pair[0], pair[1])
            {
                count += 1;
                fast += usize::from(f64::from(distance(from, to)) > HAND_M_S * (to_s - from_s));
            }
        }
    }
    let name = "hand steps faster than 25 m/s, share";
    Probe::at_most(
        Aspect::Plausibility,
        name,
        count,
        ENOUGH,
        share(fast, count),
        0.01,
    )
}

fn norms(timeline: &Timeline) -> Probe {
    let (mut count, mut most) = (0, 0.0f64);
    for entity in &timeline.entities {
        for (_, sample) in samples(entity, "rotation") {
            if let Sample::Rotation(rotation) = sample {
                let norm = rotation
                    .iter()
                    .map(|value| f64::from(*value).powi(2))
                    .sum::<f64>()
                    .sqrt();
                count += 1;
                most = most.max((norm - 1.0).abs());
            }
        }
    }
    Probe::at_most(
        Aspect::Plausibility,
        "rotations' distance from length 1",
        count,
        ENOUGH,
        most,
        1e-5,
    )
}

fn bounds(timeline: &Timeline) -> Probe {
    let (mut count, mut most) = (0, 0.0f64);
    for entity in &timeline.entities {
        for (_, sample) in samples(entity, "position") {
            if let Sample::Position(position) = sample {
                count += 1;
                most = most.max(f64::from(distance(position, [0.0; 3])));
            }
        }
    }
    Probe::at_most(
        Aspect::VectorRanges,
        "distance from the origin, metres",
        count,
        ENOUGH,
        most,
        WORLD_M,
    )
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}
