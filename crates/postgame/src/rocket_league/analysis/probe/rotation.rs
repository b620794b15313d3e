//! Rotations: their lengths, and whether cars on the ground stand and drive as cars do.

use super::ENOUGH;
use super::bodies::{bodies, dot, length, median, share};
use crate::probe::{Aspect, Probe};
use crate::rocket_league::codec::model::Replay;
use crate::rocket_league::codec::model::network::Body;
use crate::rocket_league::codec::model::values::BodyRotation;
use crate::rocket_league::coords::{METRES, turned};
use crate::timeline::Timeline;

/// The samples of cars that drive on the ground: forward and up of the car, velocity.
fn grounded(timeline: &Timeline) -> Vec<([f32; 3], [f32; 3], [f32; 3])> {
    let mut found = Vec::new();
    for body in bodies(timeline, "car") {
        for ((position, rotation), velocity) in body
            .positions
            .iter()
            .zip(body.rotations.iter())
            .zip(body.velocities)
        {
            let planar = f64::from(velocity[0]).hypot(f64::from(velocity[2]));
            if position[1].abs() <= 60.0 * METRES
                && velocity[1].abs() <= 200.0 * METRES
                && planar >= f64::from(500.0 * METRES)
            {
                let forward = turned(*rotation, [1.0, 0.0, 0.0]);
                let up = turned(*rotation, [0.0, 1.0, 0.0]);
                found.push((forward, up, *velocity));
            }
        }
    }
    found
}

/// In fewer samples a car may well be driving backwards all the time.
const ENOUGH_DRIVEN: usize = 2000;

/// Cars on the ground drive where they look, or straight back.
pub(super) fn alignment(timeline: &Timeline) -> Vec<Probe> {
    let cosines: Vec<f64> = grounded(timeline)
        .into_iter()
        .map(|(forward, _, velocity)| {
            let flat = |[x, _, z]: [f32; 3]| [x, 0.0, z];
            let (forward, velocity) = (flat(forward), flat(velocity));
            dot(forward, velocity) / (length(forward) * length(velocity)).max(1e-9)
        })
        .collect();
    let (count, forward) = (cosines.len(), share(&cosines, |cosine| cosine > 0.0));
    let along = cosines.into_iter().map(f64::abs).collect();
    vec![
        Probe::at_least(
            Aspect::Plausibility,
            "cars on the ground: nose along velocity, median cosine without sign",
            count,
            ENOUGH,
            median(along),
            0.95,
        ),
        Probe::at_least(
            Aspect::Plausibility,
            "cars on the ground: driving forward, share",
            count,
            ENOUGH_DRIVEN,
            forward,
            0.8,
        ),
    ]
}

fn norm([x, y, z, w]: [f32; 4]) -> f64 {
    [x, y, z, w]
        .iter()
        .map(|part| f64::from(*part).powi(2))
        .sum::<f64>()
        .sqrt()
}

/// Rotations have length 1: as the file has them, and on the timeline.
pub(super) fn norms(replay: &Replay, timeline: &Timeline) -> Vec<Probe> {
    let blocks = replay.body.iter().flat_map(|body| &body.network.blocks);
    let (mut count, mut most) = (0, 0.0f64);
    for body in blocks.flat_map(|block| &block.bodies) {
        let rotation =
            BodyRotation::from_bits(body.rotation_bits(), body.form & Body::QUATERNION != 0);
        count += 1;
        most = most.max((norm(rotation.to_quaternion()) - 1.0).abs());
    }
    let (mut on_timeline, mut most_there) = (0, 0.0f64);
    for body in bodies(timeline, "ball").chain(bodies(timeline, "car")) {
        for rotation in body.rotations.iter() {
            on_timeline += 1;
            most_there = most_there.max((norm(*rotation) - 1.0).abs());
        }
    }
    vec![
        Probe::at_most(
            Aspect::Plausibility,
            "rotations of the file: distance from length 1",
            count,
            1,
            most,
            0.01,
        ),
        Probe::at_most(
            Aspect::Plausibility,
            "rotations: distance from length 1",
            on_timeline,
            1,
            most_there,
            1e-5,
        ),
    ]
}

/// Cars on the ground stand upright: wrong pitch or roll shows here. Before network version 7 only.
pub(super) fn upright(replay: &Replay, timeline: &Timeline) -> Probe {
    let is_legacy = replay.header.versions.net() < 7;
    let ups: Vec<f64> = match is_legacy {
        true => grounded(timeline)
            .into_iter()
            .map(|(_, up, _)| f64::from(up[1]))
            .collect(),
        false => Vec::new(),
    };
    let name = "cars on the ground: upright, median cosine";
    Probe::at_least(
        Aspect::LegacyRotation,
        name,
        ups.len(),
        ENOUGH,
        median(ups),
        0.95,
    )
}
