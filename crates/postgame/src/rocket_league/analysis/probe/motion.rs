//! Velocities against displacement, angular velocities against the change of orientation.

use super::ENOUGH;
use super::bodies::{bodies, dot, length, median, minus, share};
use crate::probe::{Aspect, Probe};
use crate::rocket_league::coords::METRES;
use crate::timeline::Timeline;

/// Velocity against displacement, in size and direction.
pub(super) fn speeds(timeline: &Timeline, kind: &'static str) -> Vec<Probe> {
    let least = f64::from(100.0 * METRES);
    let (mut ratios, mut directions) = (Vec::new(), Vec::new());
    for body in bodies(timeline, kind) {
        for (index, passed_s) in body.near_pairs() {
            let (Some(&from), Some(&to), Some(&velocity)) = (
                body.positions.get(index),
                body.positions.get(index + 1),
                body.velocities.get(index),
            ) else {
                continue;
            };
            let way = minus(to, from);
            let speed = length(way) / passed_s;
            if speed >= least && length(velocity) >= least {
                ratios.push(length(velocity) / speed);
                directions.push(dot(way, velocity) / (length(way) * length(velocity)));
            }
        }
    }
    let count = ratios.len();
    let plausible = share(&ratios, |ratio| (0.5..=2.0).contains(&ratio));
    let (name, aspect) = (
        if kind == "ball" { "ball" } else { "cars" },
        Aspect::Plausibility,
    );
    let off = median(ratios.iter().map(|ratio| ratio.log2().abs()).collect());
    vec![
        Probe::at_most(
            aspect,
            format!("{name}: velocity against displacement, median factor as a power of 2"),
            count,
            ENOUGH,
            off,
            1.0,
        ),
        Probe::at_least(
            aspect,
            format!("{name}: velocity within half and double of the displacement, share"),
            count,
            ENOUGH,
            plausible,
            0.6,
        ),
        Probe::at_least(
            aspect,
            format!("{name}: velocity along the displacement, median cosine"),
            count,
            ENOUGH,
            median(directions),
            0.9,
        ),
    ]
}

/// Angular velocity against the change of orientation.
pub(super) fn spin(timeline: &Timeline) -> Vec<Probe> {
    let (mut cosines, mut ratios) = (Vec::new(), Vec::new());
    for body in bodies(timeline, "car") {
        for (index, passed_s) in body.near_pairs() {
            let (Some(&from), Some(&to), Some(&told)) = (
                body.rotations.get(index),
                body.rotations.get(index + 1),
                body.turns.get(index),
            ) else {
                continue;
            };
            // At 5.5 rad/s two samples 0.2 s apart are 63 degrees from each other.
            if length(told) < 0.3 {
                continue;
            }
            let seen = turn_between(from, to, passed_s);
            if length(seen) >= 0.5 {
                cosines.push(dot(seen, told) / (length(seen) * length(told)));
                ratios.push((length(told) / length(seen)).log2().abs());
            }
        }
    }
    let (count, positive) = (cosines.len(), share(&cosines, |cosine| cosine > 0.0));
    vec![
        Probe::at_least(
            Aspect::Plausibility,
            "cars: angular velocity along the change of orientation, median cosine",
            count,
            ENOUGH,
            median(cosines),
            0.99,
        ),
        Probe::at_least(
            Aspect::Plausibility,
            "cars: turning the way the angular velocity says, share",
            count,
            ENOUGH,
            positive,
            0.95,
        ),
        Probe::at_most(
            Aspect::Plausibility,
            "cars: angular velocity against the change of orientation, median factor as a power of 2",
            count,
            ENOUGH,
            median(ratios),
            1.0,
        ),
    ]
}

/// The angular velocity that turns one orientation into another.
fn turn_between([ax, ay, az, aw]: [f32; 4], [bx, by, bz, bw]: [f32; 4], passed_s: f64) -> [f32; 3] {
    // b times the inverse of a.
    let x = -bw * ax + bx * aw - by * az + bz * ay;
    let y = -bw * ay + by * aw - bz * ax + bx * az;
    let z = -bw * az + bz * aw - bx * ay + by * ax;
    let w = bw * aw + bx * ax + by * ay + bz * az;
    let (axis, w) = if w < 0.0 {
        ([-x, -y, -z], -w)
    } else {
        ([x, y, z], w)
    };
    let sine = length(axis);
    let angle = 2.0 * sine.atan2(f64::from(w));
    let scale = if sine > 1e-9 {
        angle / sine / passed_s
    } else {
        0.0
    };
    axis.map(|part| part * scale as f32)
}
