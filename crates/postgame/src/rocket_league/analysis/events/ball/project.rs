//! Where a ball crosses a goal line, if nobody touches it.

use super::super::geometry::Vector;
use super::super::known::Known;
use crate::rocket_league::tables::{GOAL_LINE_UU, GRAVITY_UU_S2};

/// Half the width and the height of a goal, in uu (RLBot wiki).
pub(in super::super) const GOAL_HALF_WIDTH_UU: f32 = 892.755;
pub(in super::super) const GOAL_HEIGHT_UU: f32 = 642.775;

/// Steps of the flight, in seconds: eight of the game's.
const STEP_S: f32 = 1.0 / 60.0;

/// Bounces as in the touch detector: kept across a surface, kept along it.
const RESTITUTION: f32 = 0.6;
const ALONG: f32 = 0.9;

/// The share of its speed a ball loses to the air in a second.
const DRAG_PER_S: f32 = 0.03;

/// Half the inner width and the height of the field, in uu.
const SIDE_UU: f32 = 4096.0;
const CEILING_UU: f32 = 2044.0;

/// Where and when a ball crosses a goal line.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Crossing {
    pub after_s: f32,
    pub x: f32,
    pub z: f32,
}

/// The crossing of the goal line a team attacks, within a time; with bounces off floor, walls and ceiling.
pub(in super::super) fn crossing(
    known: &Known<'_>,
    mut position: Vector,
    mut velocity: Vector,
    attack: f32,
    within_s: f32,
) -> Option<Crossing> {
    let radius = known.ball_radius_uu;
    let mut after_s = 0.0;
    while after_s < within_s {
        if attack * position[1] >= GOAL_LINE_UU {
            return Some(Crossing {
                after_s,
                x: position[0],
                z: position[2],
            });
        }
        velocity[2] -= GRAVITY_UU_S2 * STEP_S;
        for axis in 0..3 {
            velocity[axis] *= 1.0 - DRAG_PER_S * STEP_S;
            position[axis] += velocity[axis] * STEP_S;
        }
        after_s += STEP_S;
        let mut bounce = |axis: usize, limit: f32, sense: f32| {
            if sense * (position[axis] - limit) < 0.0 && sense * velocity[axis] < 0.0 {
                position[axis] = limit;
                for (other, speed) in velocity.iter_mut().enumerate() {
                    *speed *= if other == axis { -RESTITUTION } else { ALONG };
                }
            }
        };
        bounce(2, radius, 1.0);
        bounce(2, CEILING_UU - radius, -1.0);
        bounce(0, radius - SIDE_UU, 1.0);
        bounce(0, SIDE_UU - radius, -1.0);
        if attack * velocity[1] <= 0.0 {
            return None;
        }
    }
    None
}
