//! Where the ball goes by itself: falling, drag, bounces. What is left of the change of its velocity is a push.

use super::super::geometry::{Vector, add, cross, dot, length, scale, sub};
use super::super::known::Pose;
use crate::rocket_league::tables::GRAVITY_UU_S2;

/// The share of its speed a ball loses to the air in a second (RocketSim).
const DRAG_PER_S: f32 = 0.03;

/// The share of its speed across a surface that a ball keeps when it bounces (smish.dev).
const RESTITUTION: f32 = 0.6;

/// Friction of a bounce: of the slip, and twice the speed across the surface (smish.dev).
const FRICTION: f32 = 0.285;

/// A ball that meets a surface more slowly rests on it, in uu/s (subtr-actor).
const REST_UU_S: f32 = 50.0;

/// A surface is met within this of where a ball's path ends, in uu: half a step of a fast ball's rounding.
const MEET_UU: f32 = 20.0;

/// Ramps between planes reach this far from each, in uu; a ball this near to two planes may be on one.
const RAMP_UU: f32 = 256.0 + 120.0;

/// Planes of the standard field: the normal points inside, and the distance of the middle of the field's floor.
const PLANES: &[(Vector, f32)] = &[
    ([0.0, 0.0, 1.0], 0.0),
    ([0.0, 0.0, -1.0], -2044.0),
    ([1.0, 0.0, 0.0], -4096.0),
    ([-1.0, 0.0, 0.0], -4096.0),
    ([0.0, 1.0, 0.0], -5120.0),
    ([0.0, -1.0, 0.0], -5120.0),
    ([DIAGONAL, DIAGONAL, 0.0], -8064.0 * DIAGONAL),
    ([DIAGONAL, -DIAGONAL, 0.0], -8064.0 * DIAGONAL),
    ([-DIAGONAL, DIAGONAL, 0.0], -8064.0 * DIAGONAL),
    ([-DIAGONAL, -DIAGONAL, 0.0], -8064.0 * DIAGONAL),
];
const DIAGONAL: f32 = std::f32::consts::FRAC_1_SQRT_2;

/// Near a goal's mouth, posts and crossbar can be met, in uu: from the back wall, beside the mouth, above it.
const MOUTH_UU: [f32; 3] = [1100.0, 4800.0, 900.0];

/// What is left of a change of the ball's velocity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Push {
    pub velocity: Vector,
    /// The change of the ball's spin, in rad/s; zero where a bounce explains it.
    pub spin: f32,
    /// The ball may have met what is not a plane.
    pub is_unsure: bool,
}

fn fallen(velocity: Vector, passed_s: f32) -> Vector {
    let mut velocity = scale(velocity, 1.0 - DRAG_PER_S * passed_s);
    velocity[2] -= GRAVITY_UU_S2 * passed_s;
    velocity
}

/// The velocity after meeting a plane.
fn bounced(velocity: Vector, spin: Vector, normal: Vector, radius: f32) -> Vector {
    let across = dot(velocity, normal);
    let along = sub(velocity, scale(normal, across));
    let slip = add(along, scale(cross(normal, spin), radius));
    let slipping = length(slip);
    let share = if slipping > 1e-3 {
        (2.0 * across.abs() / slipping).min(1.0)
    } else {
        0.0
    };
    let along = sub(along, scale(slip, FRICTION * share));
    let across = if -across < REST_UU_S {
        0.0
    } else {
        -RESTITUTION * across
    };
    add(along, scale(normal, across))
}

/// The push between two samples of a ball, on the standard field or elsewhere.
pub(super) fn push(is_standard: bool, radius: f32, before: &Pose, after: &Pose) -> Push {
    let passed_s = (after.time_s - before.time_s) as f32;
    if before.velocity == [0.0; 3] {
        // A ball at rest is told again only when it moves.
        return Push {
            velocity: after.velocity,
            spin: length(after.spin),
            is_unsure: false,
        };
    }
    let free = fallen(before.velocity, passed_s);
    let mut left = sub(after.velocity, free);
    let mut spin = length(sub(after.spin, before.spin));
    if !is_standard {
        return Push {
            velocity: left,
            spin,
            is_unsure: true,
        };
    }
    let [x, y, z] = before.position.map(f32::abs);
    let mut near = 0;
    for &(normal, offset) in PLANES {
        let gap = dot(before.position, normal) - offset;
        near += usize::from(gap < RAMP_UU);
        let falling = dot(free, normal);
        let least = gap + falling.min(dot(before.velocity, normal)).min(0.0) * passed_s;
        if least > radius + MEET_UU {
            continue;
        }
        spin = 0.0;
        // The bounce is before or after the fall: which of them is a matter of a few uu/s.
        let by_plane = sub(after.velocity, bounced(free, before.spin, normal, radius));
        if length(by_plane) < length(left) {
            left = by_plane;
        }
    }
    let is_mouth = x < MOUTH_UU[0] && y > MOUTH_UU[1] && z < MOUTH_UU[2];
    Push {
        velocity: left,
        spin,
        is_unsure: near > 1 || is_mouth,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RADIUS: f32 = 91.25;

    fn pose(time_s: f64, position: Vector, velocity: Vector) -> Pose {
        Pose {
            time_s,
            position,
            velocity,
            spin: [0.0; 3],
        }
    }

    #[test]
    fn falling_is_no_push() {
        let before = pose(0.0, [0.0, 0.0, 900.0], [600.0, 0.0, 100.0]);
        let after = pose(0.1, [60.0, 0.0, 905.0], [598.2, 0.0, 34.7]);
        let push = push(true, RADIUS, &before, &after);
        assert!(length(push.velocity) < 1.0 && !push.is_unsure, "{push:?}");
    }

    #[test]
    fn a_bounce_off_the_floor_is_no_push() {
        let before = pose(0.0, [0.0, 0.0, 100.0], [0.0, 0.0, -800.0]);
        let after = pose(0.033, [0.0, 0.0, 100.0], [0.0, 0.0, 480.0]);
        let push = push(true, RADIUS, &before, &after);
        assert!(length(push.velocity) < 30.0, "{push:?}");
    }

    #[test]
    fn a_kick_is_a_push() {
        let before = pose(0.0, [0.0, 0.0, 93.0], [0.0, 0.0, 0.1]);
        let after = pose(0.033, [0.0, 30.0, 95.0], [0.0, 1500.0, 200.0]);
        let push = push(true, RADIUS, &before, &after);
        assert!(length(push.velocity) > 1400.0, "{push:?}");
    }

    #[test]
    fn near_ramps_the_path_is_unsure() {
        let before = pose(0.0, [4000.0, 0.0, 150.0], [500.0, 0.0, 0.0]);
        let after = pose(0.033, [4010.0, 0.0, 150.0], [100.0, 0.0, 400.0]);
        assert!(push(true, RADIUS, &before, &after).is_unsure);
    }
}
