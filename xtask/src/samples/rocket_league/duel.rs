//! The duel: positions of ball and cars at any time. X across, Y towards the orange goal, Z up; centimetres.
//!
//! Angles come from `libm`, so that every machine computes the same bits.

use libm::{atan2, sqrt};

/// Duration of the duel.
pub const SECONDS: f64 = 30.0;
/// The countdown ends.
pub const START_S: f64 = 3.0;
/// Both cars meet the ball.
pub const KICK_OFF_S: f64 = 5.2;
/// Orange is demolished, and comes back.
pub const DEMOLITION_S: f64 = 20.0;
/// See above.
pub const RETURN_S: f64 = 23.0;
/// The ball crosses the line.
pub const GOAL_S: f64 = 26.0;

/// Heights of the centres of ball and car on the ground.
const BALL_Z: f64 = 93.15;
const CAR_Z: f64 = 17.01;

/// A waypoint: seconds, x, y, z.
type Point = [f64; 4];

const BALL: &[Point] = &[
    [0.0, 0.0, 0.0, BALL_Z],
    [KICK_OFF_S, 0.0, 0.0, BALL_Z],
    [6.0, -700.0, 500.0, 420.0],
    [7.2, -1500.0, 1100.0, BALL_Z],
    [10.0, -2400.0, 1900.0, BALL_Z],
    [13.0, -1200.0, 2300.0, BALL_Z],
    [15.0, -200.0, 1500.0, BALL_Z],
    [16.5, 500.0, 2900.0, 800.0],
    [18.5, 900.0, 3900.0, BALL_Z],
    [21.0, 400.0, 3300.0, BALL_Z],
    [24.0, 0.0, 2600.0, BALL_Z],
    [25.0, 30.0, 3900.0, 380.0],
    [GOAL_S, 40.0, 5220.0, 300.0],
];

const BLUE: &[Point] = &[
    [0.0, -2048.0, -2560.0, CAR_Z],
    [START_S, -2048.0, -2560.0, CAR_Z],
    [KICK_OFF_S, -90.0, -140.0, CAR_Z],
    [6.4, -900.0, -1300.0, CAR_Z],
    [8.0, -3072.0, -4096.0, CAR_Z],
    [10.5, -3000.0, -1800.0, CAR_Z],
    [12.5, -3584.0, 0.0, CAR_Z],
    [15.0, -330.0, 1360.0, CAR_Z],
    [17.0, -1700.0, 600.0, CAR_Z],
    [18.4, -900.0, 100.0, CAR_Z],
    [DEMOLITION_S, 1100.0, 2850.0, CAR_Z],
    [21.5, 700.0, 1900.0, CAR_Z],
    [22.8, -60.0, 1300.0, CAR_Z],
    [24.0, -10.0, 2430.0, CAR_Z],
    [26.5, 100.0, 4300.0, CAR_Z],
    [28.5, 150.0, 4700.0, CAR_Z],
    [SECONDS, 150.0, 4720.0, CAR_Z],
];

const ORANGE: &[Point] = &[
    [0.0, 2048.0, 2560.0, CAR_Z],
    [START_S, 2048.0, 2560.0, CAR_Z],
    [KICK_OFF_S, 90.0, 140.0, CAR_Z],
    [6.6, 1200.0, 1500.0, CAR_Z],
    [8.5, 3072.0, 4096.0, CAR_Z],
    [11.5, 1800.0, 2900.0, CAR_Z],
    [15.5, 400.0, 2700.0, CAR_Z],
    [18.5, 900.0, 3500.0, CAR_Z],
    [DEMOLITION_S, 1200.0, 3000.0, CAR_Z],
];

const ORANGE_AGAIN: &[Point] = &[
    [RETURN_S, 2304.0, 4608.0, CAR_Z],
    [24.0, 1700.0, 4500.0, CAR_Z],
    [26.0, 500.0, 4700.0, CAR_Z],
    [28.0, 300.0, 4800.0, CAR_Z],
    [SECONDS, 300.0, 4820.0, CAR_Z],
];

/// The pads: their numbers on the map, and who takes each of them when (0 blue, 1 orange).
pub const PADS: [(u32, &[(f64, usize)]); 4] = [
    (3, &[(8.0, 0)]),
    (12, &[(8.5, 1)]),
    (21, &[(12.5, 0), (22.8, 0)]),
    (30, &[]),
];

/// A large pad respawns after this long.
pub const PAD_S: f64 = 10.0;

/// The times at which a car uses its boost.
pub fn is_boosting(player: usize, time_s: f64) -> bool {
    let spans: &[(f64, f64)] = match player {
        0 => &[
            (3.2, 4.0),
            (8.4, 9.2),
            (13.2, 14.4),
            (18.5, 20.0),
            (22.9, 23.9),
        ],
        _ => &[(3.2, 4.0), (9.0, 9.8), (23.4, 24.0)],
    };
    spans
        .iter()
        .any(|(from, to)| (*from..*to).contains(&time_s))
}

/// Position, velocity and direction.
#[derive(Clone, Copy)]
pub struct Body {
    pub location: [f64; 3],
    pub velocity: [f64; 3],
    /// Around the vertical axis, radians.
    pub yaw: f64,
}

/// The ball; absent after the goal.
pub fn ball(time_s: f64) -> Option<Body> {
    (time_s < GOAL_S).then(|| on_path(BALL, time_s, 0.0))
}

/// A player's car; absent after a demolition.
pub fn car(player: usize, time_s: f64) -> Option<Body> {
    match player {
        0 => Some(on_path(BLUE, time_s, atan2(2560.0, 2048.0))),
        _ if time_s < DEMOLITION_S => Some(on_path(ORANGE, time_s, atan2(-2560.0, -2048.0))),
        _ if time_s >= RETURN_S => Some(on_path(ORANGE_AGAIN, time_s, atan2(-1.0, 0.0))),
        _ => None,
    }
}

/// A smooth path through the waypoints: a cubic between two of them, with the mean slope at each. It rests between
/// equal waypoints.
fn on_path(points: &[Point], time_s: f64, resting_yaw: f64) -> Body {
    let after = points
        .partition_point(|point| point[0] <= time_s)
        .clamp(1, points.len() - 1);
    let (from, to) = (points[after - 1], points[after]);
    let span = to[0] - from[0];
    let part = ((time_s - from[0]) / span).clamp(0.0, 1.0);
    let slope = |index: usize, axis: usize| -> f64 {
        let (before, next) = (points.get(index.wrapping_sub(1)), points.get(index + 1));
        let (Some(before), Some(next)) = (before, next) else {
            return 0.0;
        };
        let here = points[index];
        if before[axis] == here[axis] || next[axis] == here[axis] {
            return 0.0;
        }
        (next[axis] - before[axis]) / (next[0] - before[0])
    };
    let (mut location, mut velocity) = ([0.0; 3], [0.0; 3]);
    for axis in 0..3 {
        let (a, b) = (from[axis + 1], to[axis + 1]);
        let (m, n) = (
            slope(after - 1, axis + 1) * span,
            slope(after, axis + 1) * span,
        );
        let (p, p2, p3) = (part, part * part, part * part * part);
        location[axis] = (2.0 * p3 - 3.0 * p2 + 1.0) * a
            + (p3 - 2.0 * p2 + p) * m
            + (3.0 * p2 - 2.0 * p3) * b
            + (p3 - p2) * n;
        velocity[axis] = ((6.0 * p2 - 6.0 * p) * a
            + (3.0 * p2 - 4.0 * p + 1.0) * m
            + (6.0 * p - 6.0 * p2) * b
            + (3.0 * p2 - 2.0 * p) * n)
            / span;
    }
    let speed = sqrt(velocity[0] * velocity[0] + velocity[1] * velocity[1]);
    let yaw = if speed > 20.0 {
        atan2(velocity[1], velocity[0])
    } else {
        resting_yaw
    };
    Body {
        location,
        velocity,
        yaw,
    }
}
