//! Bounces: off the backboard, double taps, half volleys.

use super::super::feat::Feat;
use super::super::geometry::{cosine, length, sub};
use super::super::known::{Known, attack};
use super::super::touches::Touch;
use super::project::{GOAL_HALF_WIDTH_UU, GOAL_HEIGHT_UU};
use crate::rocket_league::tables::GOAL_LINE_UU;

/// A bounce off the backboard: how long after the touch, how high, how far ahead, how fast before and after, in s, uu and
/// uu/s (subtr-actor).
const BACKBOARD_S: f64 = 2.5;
const BACKBOARD_UP_UU: f32 = 500.0;
const BACKBOARD_AHEAD_UU: f32 = 4700.0;
const TOWARDS_UU_S: f32 = 350.0;
const AWAY_UU_S: f32 = 250.0;

/// A car lower than this is on the ground, in uu (subtr-actor).
const AIRBORNE_UU: f32 = 20.0;

/// A double tap comes this long after the bounce at most, in seconds.
const TAP_S: f64 = 2.5;

/// One and a half radii: how far beside the mouth a shot may pass, in uu (subtr-actor).
const MOUTH_ROOM_UU: f32 = 137.0;

/// A half volley: the floor bounce and the touch (subtr-actor), in uu, uu/s and s.
const FLOOR_UU: f32 = 137.75;
const FALLING_UU_S: f32 = -250.0;
const RISING_UU_S: f32 = 150.0;
const VOLLEY_S: f64 = 0.45;
const DODGED_S: f64 = 0.35;
const VOLLEY_UU_S: f32 = 1000.0;

/// A bounce off the opponents' backboard.
struct Bounce {
    frame: usize,
    touch: usize,
}

pub(in super::super) fn find(known: &Known<'_>, touches: &[Touch]) -> Vec<Feat> {
    let mut feats = Vec::new();
    for (index, touch) in touches.iter().enumerate() {
        let Some(team) = touch.team else { continue };
        if !known.is_standard {
            break;
        }
        let next = touches.get(index + 1);
        if let Some(bounce) = backboard(known, touch, index, next, attack(team)) {
            feats.push(Feat::new(known, "backboard", touch.person, bounce.frame));
            if let Some(next) = next
                && let Some(tap) = double_tap(known, touches, &bounce, next, attack(team))
            {
                feats.push(tap);
            }
        }
        feats.extend(half_volley(known, touch, attack(team)));
    }
    feats
}

fn is_airborne(known: &Known<'_>, person: usize, from: usize, to: usize) -> bool {
    let car = known.person(person).map(|person| &person.car);
    (from..=to).all(|frame| {
        car.and_then(|car| car.position(frame))
            .is_some_and(|car| car[2] > AIRBORNE_UU)
    })
}

/// The bounce between a touch and the next one.
fn backboard(
    known: &Known<'_>,
    touch: &Touch,
    index: usize,
    next: Option<&Touch>,
    sense: f32,
) -> Option<Bounce> {
    let until_s = next
        .map_or(f64::INFINITY, |next| next.time_s)
        .min(touch.time_s + BACKBOARD_S);
    let mut before = touch.ball;
    for frame in touch.frame + 1..known.times_s.len() {
        if known.time_s(frame) > until_s || !known.is_live(frame) {
            break;
        }
        let ball = known.ball.pose(frame)?;
        let is_there =
            ball.position[2] >= BACKBOARD_UP_UU && sense * ball.position[1] >= BACKBOARD_AHEAD_UU;
        if is_there
            && sense * before.velocity[1] >= TOWARDS_UU_S
            && sense * ball.velocity[1] <= -AWAY_UU_S
        {
            return Some(Bounce {
                frame,
                touch: index,
            });
        }
        // The player's own next touch is at the board.
        let is_own_next =
            next.is_some_and(|next| next.frame == frame && next.person == touch.person);
        if is_own_next
            && sense * ball.position[1] >= 5000.0 - known.ball_radius_uu
            && ball.position[2] >= BACKBOARD_UP_UU
        {
            return Some(Bounce {
                frame,
                touch: index,
            });
        }
        before = ball;
    }
    None
}

/// The same player, still in the air, hits the ball towards the goal.
fn double_tap(
    known: &Known<'_>,
    touches: &[Touch],
    bounce: &Bounce,
    next: &Touch,
    sense: f32,
) -> Option<Feat> {
    let touch = touches.get(bounce.touch)?;
    let since_s = next.time_s - known.time_s(bounce.frame);
    if next.person != touch.person
        || since_s > TAP_S
        || !is_airborne(known, touch.person, touch.frame, next.frame)
    {
        return None;
    }
    let settled = known.ball.pose(next.frame + 2).unwrap_or(next.ball);
    let (position, velocity) = (settled.position, settled.velocity);
    let towards = sense * velocity[1];
    let to_line = GOAL_LINE_UU - sense * position[1];
    let is_in_goal = to_line <= 0.0;
    let after_s = to_line / towards.max(1.0);
    let x = position[0] + velocity[0] * after_s;
    let z = position[2] + velocity[2] * after_s;
    let is_shot = towards > 0.0
        && x.abs() <= GOAL_HALF_WIDTH_UU + MOUTH_ROOM_UU
        && z <= GOAL_HEIGHT_UU + MOUTH_ROOM_UU;
    (is_shot || is_in_goal).then(|| {
        Feat::new(known, "double-tap", next.person, next.frame)
            .decimal("since_s", since_s)
            .decimal("first_touch_s", touch.time_s)
    })
}

/// The ball is hit just as it leaves the floor, out of a dodge.
fn half_volley(known: &Known<'_>, touch: &Touch, sense: f32) -> Option<Feat> {
    let from = known.frame(touch.time_s - VOLLEY_S);
    let bounce = (from.max(1)..touch.frame).rev().find(|&frame| {
        let (Some(before), Some(ball)) = (known.ball.velocity(frame - 1), known.ball.pose(frame))
        else {
            return false;
        };
        ball.position[2] <= FLOOR_UU && before[2] <= FALLING_UU_S && ball.velocity[2] >= RISING_UU_S
    })?;
    let dodge = known.last_dodge(touch.person, touch.time_s)?;
    let car = known
        .person(touch.person)?
        .car
        .position(known.frame(dodge.time_s - VOLLEY_S))?;
    let is_fresh = touch.time_s - dodge.time_s <= DODGED_S && car[2] <= AIRBORNE_UU;
    let settled = known.ball.pose(touch.frame + 1).unwrap_or(touch.ball);
    let speed = length(settled.velocity);
    if !is_fresh || speed < VOLLEY_UU_S {
        return None;
    }
    let goal = [0.0, sense * GOAL_LINE_UU, GOAL_HEIGHT_UU / 2.0];
    Some(
        Feat::new(known, "half-volley", touch.person, touch.frame)
            .decimal("since_bounce_s", touch.time_s - known.time_s(bounce))
            .whole("ball_uu_s", speed)
            .decimal(
                "goal_cosine",
                cosine(settled.velocity, sub(goal, settled.position)).into(),
            ),
    )
}
