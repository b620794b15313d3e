//! Flicks: the carried ball is thrown with a dodge.

use super::super::feat::Feat;
use super::super::geometry::{cosine, flat, length, ramp, sub};
use super::super::known::{Known, attack};
use super::super::touches::Touch;
use crate::rocket_league::tables::GRAVITY_UU_S2;

/// The set-up: where the ball is over the car, in uu, in the car's frame and the world's (subtr-actor).
const BALL_UU: [f32; 2] = [97.75, 700.0];
const FLAT_UU: f32 = 157.7;
const ABOVE_UU: [f32; 2] = [35.0, 280.0];
const LOCAL_FORWARD_UU: [f32; 2] = [-95.0, 210.0];
const LOCAL_RIGHT_UU: f32 = 170.0;
const LOCAL_UP_UU: f32 = 20.0;

/// How long it lasts, the holes in it, and how long before the dodge it ends, in seconds (subtr-actor).
const SETUP_S: f64 = 0.20;
const HOLE_S: f64 = 0.12;
const BEFORE_S: f64 = 0.08;

/// In some frame of it, ball and car move alike, in uu/s (subtr-actor).
const ALIKE_UU_S: f32 = 300.0;

/// The own touch: before and after the dodge begins, in seconds (subtr-actor).
const TOUCH_S: [f64; 2] = [0.25, 0.32];

/// The throw: over how long, how strongly, how much away from the car (subtr-actor), in seconds and uu/s.
const THROW_S: f64 = 0.15;
const THROW_UU_S: f32 = 325.0;
const AWAY: f32 = 0.15;

/// The least confidence (subtr-actor).
const CONFIDENCE: f32 = 0.55;

fn is_set_up(known: &Known<'_>, person: usize, frame: usize) -> bool {
    let (Some(ball), Some(car), Some(local)) = (
        known.ball.position(frame),
        known
            .person(person)
            .and_then(|person| person.car.position(frame)),
        known.local_ball(person, frame),
    ) else {
        return false;
    };
    let between = sub(ball, car);
    (BALL_UU[0]..=BALL_UU[1]).contains(&ball[2])
        && length(flat(between)) <= FLAT_UU
        && (ABOVE_UU[0]..=ABOVE_UU[1]).contains(&between[2])
        && (LOCAL_FORWARD_UU[0]..=LOCAL_FORWARD_UU[1]).contains(&local[0])
        && local[1].abs() <= LOCAL_RIGHT_UU
        && local[2] >= LOCAL_UP_UU
}

/// How long the set-up before a dodge lasted, if there was one with ball and car moving alike.
fn set_up_s(known: &Known<'_>, person: usize, frame: usize, time_s: f64) -> Option<f64> {
    let (mut last_s, mut first_s) = (None, time_s);
    let mut is_alike = false;
    for at in (0..=frame).rev() {
        let at_s = known.time_s(at);
        if last_s.is_none() && time_s - at_s > BEFORE_S {
            return None;
        }
        if is_set_up(known, person, at) {
            last_s.get_or_insert(at_s);
            first_s = at_s;
            let ball = known.ball.velocity(at);
            let car = known
                .person(person)
                .and_then(|person| person.car.velocity(at));
            is_alike |= ball
                .zip(car)
                .is_some_and(|(ball, car)| length(flat(sub(ball, car))) <= ALIKE_UU_S);
        } else if last_s.is_some() && first_s - at_s > HOLE_S {
            break;
        }
        if time_s - at_s > 3.0 {
            break;
        }
    }
    let lasted_s = last_s? - first_s;
    (lasted_s >= SETUP_S && is_alike).then_some(lasted_s)
}

pub(in super::super) fn find(known: &Known<'_>, touches: &[Touch]) -> Vec<Feat> {
    let mut feats = Vec::new();
    for dodge in known
        .dodges
        .iter()
        .filter(|dodge| known.is_live(dodge.frame))
    {
        let own = touches.iter().find(|touch| {
            let since_s = touch.time_s - dodge.time_s;
            touch.person == dodge.person && (-TOUCH_S[0]..=TOUCH_S[1]).contains(&since_s)
        });
        let Some(lasted_s) = own.and(set_up_s(known, dodge.person, dodge.frame, dodge.time_s))
        else {
            continue;
        };
        feats.extend(flick(known, dodge, lasted_s));
    }
    feats
}

fn flick(known: &Known<'_>, dodge: &super::super::known::Dodge, lasted_s: f64) -> Option<Feat> {
    let from = known.frame(dodge.time_s - TOUCH_S[0]);
    let to = known.frame(dodge.time_s + TOUCH_S[1]);
    // The strongest change of velocity over a short time, without falling.
    let mut best: Option<([f32; 3], usize)> = None;
    for first in from..=to {
        let Some(before) = known.ball.velocity(first) else {
            continue;
        };
        let last = known.frame(known.time_s(first) + THROW_S);
        let Some(after) = known.ball.velocity(last).filter(|_| known.is_live(last)) else {
            continue;
        };
        let mut change = sub(after, before);
        change[2] += GRAVITY_UU_S2 * (known.time_s(last) - known.time_s(first)) as f32;
        if best.is_none_or(|best| length(change) > length(best.0)) {
            best = Some((change, first));
        }
    }
    let (throw, frame) = best?;
    let (ball, car) = (known.ball.position(frame)?, known.car(dodge.person, frame)?);
    let between = sub(ball, car.position);
    let strength = length(throw);
    let away = cosine(throw, between);
    if strength < THROW_UU_S || away < AWAY {
        return None;
    }
    let confidence = 0.16
        + 0.19 * ramp(lasted_s as f32, 0.2, 0.75)
        + 0.12 * (1.0 - ramp(length(flat(between)), 60.0, FLAT_UU))
        + 0.10 * (1.0 - ramp((between[2] - 110.0).abs(), 30.0, 150.0))
        + 0.22 * ramp(strength, THROW_UU_S, 1450.0)
        + 0.15 * ramp(away, AWAY, 0.85)
        + 0.06 * ramp(throw[2], 100.0, 750.0);
    if confidence < CONFIDENCE {
        return None;
    }
    let [forward, right] = dodge.direction.unwrap_or([0.0; 2]);
    let heading = known
        .person(dodge.person)
        .and_then(|person| person.car.velocity(dodge.frame));
    let ahead = cosine(flat(throw), flat(heading.unwrap_or([0.0; 3])));
    let is_rolled = known
        .axes(dodge.person, dodge.frame)
        .is_some_and(|axes| axes.right[2].abs() >= 0.2);
    let is_flat = throw[2].abs() / strength.max(1.0) <= 0.6;
    let kind = if forward <= -0.25 && ahead >= 0.4 && is_flat && is_rolled {
        "reverse"
    } else if right.abs() >= 0.6 {
        "side"
    } else if forward >= 0.35 {
        "forward"
    } else {
        "other"
    };
    let to_goal = known.team(dodge.person).map_or(0.0, attack) * throw[1];
    Some(
        Feat::new(known, "flick", dodge.person, dodge.frame)
            .with("kind", kind)
            .whole("push_uu_s", strength)
            .whole("towards_goal_uu_s", to_goal)
            .decimal("confidence", confidence.into()),
    )
}
