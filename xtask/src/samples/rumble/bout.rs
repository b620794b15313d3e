//! The bout: positions, rotations and health at any time. Left-handed, Y up, metres, as in Unity.
//!
//! Sine and root come from `libm`, so that every machine computes the same bits.

use libm::{atan2, cos, fabs, fmin, sin, sqrt};

/// Duration of the bout.
pub const SECONDS: f64 = 20.0;

/// The players' names.
pub const PLAYERS: [&str; 2] = ["Ada", "Bo"];

/// The structure of each throw, by number; the players alternate.
pub const STRUCTURES: [u8; 12] = [3, 1, 4, 0, 3, 2, 4, 1, 3, 0, 6, 3];

/// Initial hit points, and the damage of a hit.
const HEALTH: i16 = 20;
const DAMAGE: i16 = 4;

/// The first throw, and the time from one to the next.
const FIRST_THROW_S: f64 = 1.0;
const BETWEEN_THROWS_S: f64 = 1.5;

/// Times after the summons at which the structure has risen, is struck, and arrives.
const RISEN_S: f64 = 0.4;
const STRUCK_S: f64 = 0.9;
const FLIGHT_S: f64 = 0.55;

const GRAVITY: f64 = 9.81;

/// A position and a rotation.
#[derive(Clone, Copy)]
pub struct Pose {
    /// Metres.
    pub position: [f64; 3],
    /// x y z w.
    pub rotation: [f64; 4],
}

/// A player at a time.
pub struct Player {
    /// The feet.
    pub rig: Pose,
    /// The head.
    pub head: Pose,
    /// The hands, left first.
    pub hands: [Pose; 2],
    /// Hit points.
    pub health: i16,
}

/// A structure at a time.
pub struct Structure {
    /// Where it is.
    pub pose: Pose,
    /// False once it is broken.
    pub active: bool,
    /// True while it stands in the ground.
    pub grounded: bool,
}

/// When the throw with this number begins.
pub fn throw_s(throw: usize) -> f64 {
    FIRST_THROW_S + BETWEEN_THROWS_S * throw as f64
}

/// The player who throws.
pub fn thrower(throw: usize) -> usize {
    throw % 2
}

/// The time at which a throw hits the other player; every third one misses.
pub fn hit_s(throw: usize) -> Option<f64> {
    (throw % 3 != 2).then(|| throw_s(throw) + STRUCK_S + FLIGHT_S)
}

/// The time at which a throw is struck.
pub fn struck_s(throw: usize) -> f64 {
    throw_s(throw) + STRUCK_S
}

/// From 0 to 1 between two times, starting and ending at rest.
fn ease(time_s: f64, from_s: f64, to_s: f64) -> f64 {
    let part = ((time_s - from_s) / (to_s - from_s)).clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}

/// From 0 up to 1 and back within a time.
fn pulse(time_s: f64, from_s: f64, to_s: f64) -> f64 {
    let middle = (from_s + to_s) / 2.0;
    ease(time_s, from_s, middle) - ease(time_s, middle, to_s)
}

fn feet(player: usize, time_s: f64) -> [f64; 3] {
    let side = if player == 0 { -1.0 } else { 1.0 };
    // They circle slowly and shift their weight.
    let angle = 0.12 * time_s + 0.05 * sin(0.9 * time_s + side);
    let distance = 3.0 + 0.25 * sin(0.7 * time_s + 2.0 * side);
    [
        side * distance * cos(angle),
        0.0,
        side * distance * sin(angle),
    ]
}

/// The rotation about the vertical by an angle that turns Z towards X, as left-handed spaces do.
fn yaw(angle: f64) -> [f64; 4] {
    [0.0, sin(angle / 2.0), 0.0, cos(angle / 2.0)]
}

/// The direction from one player to the other: angle and unit vector.
fn facing(player: usize, time_s: f64) -> (f64, [f64; 3]) {
    let (from, to) = (feet(player, time_s), feet(1 - player, time_s));
    let (x, z) = (to[0] - from[0], to[2] - from[2]);
    let length = sqrt(x * x + z * z);
    (atan2(x, z), [x / length, 0.0, z / length])
}

/// A player at a time.
pub fn player(player: usize, time_s: f64) -> Player {
    let base = feet(player, time_s);
    let (angle, ahead) = facing(player, time_s);
    let aside = [ahead[2], 0.0, -ahead[0]];
    let place = |forward: f64, right: f64, up: f64| {
        [
            base[0] + ahead[0] * forward + aside[0] * right,
            up,
            base[2] + ahead[2] * forward + aside[2] * right,
        ]
    };
    let (mut raise, mut punch, mut health) = (0.0, 0.0, HEALTH);
    for throw in 0..STRUCTURES.len() {
        let start_s = throw_s(throw);
        if thrower(throw) == player {
            raise += pulse(time_s, start_s - 0.2, start_s + RISEN_S + 0.1);
            punch += pulse(time_s, start_s + STRUCK_S - 0.2, start_s + STRUCK_S + 0.2);
        } else if hit_s(throw).is_some_and(|hit_s| time_s >= hit_s) {
            health -= DAMAGE / 2;
        }
    }
    let breath = 0.01 * sin(1.6 * time_s + player as f64);
    let head = Pose {
        position: place(0.05 + 0.12 * punch, 0.0, 1.68 + breath - 0.08 * raise),
        rotation: yaw(angle),
    };
    let hand = |right: f64| {
        let punching = if right > 0.0 { punch } else { -0.3 * punch };
        let position = place(
            0.35 + 0.38 * punching,
            0.24 * right,
            1.15 + breath + 0.45 * raise + 0.15 * punching,
        );
        Pose {
            position,
            rotation: yaw(angle - 0.5 * right * (1.0 - punch)),
        }
    };
    Player {
        rig: Pose {
            position: base,
            rotation: yaw(angle),
        },
        head,
        hands: [hand(-1.0), hand(1.0)],
        health,
    }
}

/// The structure of a throw at a time; `None` before it is summoned.
pub fn structure(throw: usize, time_s: f64) -> Option<Structure> {
    let start_s = throw_s(throw);
    let since_s = time_s - start_s;
    if since_s < 0.0 {
        return None;
    }
    let (angle, ahead) = facing(thrower(throw), start_s);
    let base = feet(thrower(throw), start_s);
    let start = |up: f64| [base[0] + ahead[0] * 1.2, up, base[2] + ahead[2] * 1.2];
    const HEIGHT: f64 = 0.9;
    let flying_s = since_s - STRUCK_S;
    if flying_s < 0.0 {
        let up = -0.7 + (HEIGHT + 0.7) * ease(since_s, 0.0, RISEN_S);
        let pose = Pose {
            position: start(up),
            rotation: yaw(angle),
        };
        return Some(Structure {
            pose,
            active: true,
            grounded: since_s < RISEN_S,
        });
    }
    // Struck so that it arrives at chest height after its flight time.
    let target = feet(1 - thrower(throw), start_s + STRUCK_S);
    let from = start(HEIGHT);
    let miss = if hit_s(throw).is_some() { 0.0 } else { 1.1 };
    let goal = [
        target[0] - ahead[2] * miss,
        1.2,
        target[2] + ahead[0] * miss,
    ];
    let along = |t: f64| {
        [
            from[0] + (goal[0] - from[0]) * t / FLIGHT_S,
            from[2] + (goal[2] - from[2]) * t / FLIGHT_S,
        ]
    };
    let rise = (goal[1] - from[1]) / FLIGHT_S + GRAVITY * FLIGHT_S / 2.0;
    let height = |t: f64| from[1] + rise * t - GRAVITY * t * t / 2.0;
    // A miss lands 0.35 m above the ground (its own half height) and slides to a stop.
    let landed_s = (rise + sqrt(rise * rise + 2.0 * GRAVITY * (from[1] - 0.35))) / GRAVITY;
    let broken = hit_s(throw).is_some_and(|_| flying_s >= FLIGHT_S);
    let t = if broken { FLIGHT_S } else { flying_s };
    let slide_s = 0.6;
    let moved_s = if t <= landed_s {
        t
    } else {
        landed_s + slide_s * 0.5 * ease_out((t - landed_s) / slide_s)
    };
    let [x, z] = along(moved_s);
    let position = [x, if t <= landed_s { height(t) } else { 0.35 }, z];
    let spin = 5.0 * fmin(moved_s, landed_s);
    let pose = Pose {
        position,
        rotation: yaw(angle + spin),
    };
    Some(Structure {
        pose,
        active: !broken,
        grounded: fabs(t - landed_s) > slide_s && t > landed_s,
    })
}

/// From 0 to 1, fast at first, like an object that slides to a stop.
fn ease_out(part: f64) -> f64 {
    let left = 1.0 - part.clamp(0.0, 1.0);
    1.0 - left * left
}
