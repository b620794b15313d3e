//! Passes, one-timers, centres, clears and booms.

use super::super::feat::Feat;
use super::super::geometry::{cosine, distance, length, sub};
use super::super::known::{Known, attack};
use super::super::touches::Touch;
use super::intent::{Action, Intent};
use super::project::{GOAL_HALF_WIDTH_UU, GOAL_HEIGHT_UU};
use crate::rocket_league::tables::{GOAL_LINE_UU, THIRD_UU};

/// A mate's touch this long after one's own is a pass if the ball has moved this far, in seconds and uu (subtr-actor).
const PASS_S: f64 = 3.5;
const PASS_UU: f32 = 500.0;

/// A one-timer (subtr-actor), in uu/s and s.
const ONE_TIMER_UU_S: f32 = 1000.0;
const ONE_TIMER_COSINE: f32 = 0.65;
const ONE_TIMER_S: f32 = 4.0;
const MOUTH_ROOM_UU: f32 = 139.0;

/// A centre (subtr-actor): from how far out and ahead, to where, how far, within which time; in uu and s.
const WING_UU: f32 = 1600.0;
const WING_AHEAD_UU: f32 = 128.0;
const CENTRE_UU: f32 = 1400.0;
const CENTRE_AHEAD_UU: f32 = 2300.0;
const CENTRE_WAY_UU: f32 = 500.0;
const CENTRE_S: f64 = 3.0;

/// A clear (carball): from beyond the own third by this, until the next touch on the other side of it; in uu.
const CLEAR_ROOM_UU: f32 = 400.0;

pub(in super::super) fn find(
    known: &Known<'_>,
    touches: &[Touch],
    intents: &[Intent],
) -> Vec<Feat> {
    let mut feats = Vec::new();
    for (index, (touch, intent)) in touches.iter().zip(intents).enumerate() {
        let Some(team) = touch.team else { continue };
        let next = touches.get(index + 1);
        let is_same_round = |other: &&Touch| {
            let round = known.round(touch.frame).map(|round| round.first);
            round == known.round(other.frame).map(|round| round.first)
        };
        let next = next.filter(is_same_round);
        if let Some(next) = next
            && next.person != touch.person
            && next.team == touch.team
            && next.time_s - touch.time_s <= PASS_S
            && distance(next.ball.position, touch.ball.position) >= PASS_UU
        {
            let mut pass = Feat::new(known, "pass", touch.person, touch.frame).until(next.frame);
            pass.other = Some(next.person);
            let way = distance(next.ball.position, touch.ball.position);
            let advance = attack(team) * (next.ball.position[1] - touch.ball.position[1]);
            feats.push(
                pass.whole("way_uu", way)
                    .whole("advance_uu", advance)
                    .flag("contested", touch.is_contested),
            );
            feats.extend(one_timer(known, next, intents.get(index + 1), team));
        }
        if is_clear(touch, next, intent, attack(team)) {
            let clear = Feat::new(known, "clear", touch.person, touch.frame);
            feats.push(clear.whole("ball_uu_s", length(intent.velocity)));
        }
        if intent.action == Action::Boom {
            let boom = Feat::new(known, "boom", touch.person, touch.frame);
            feats.push(boom.whole("ball_uu_s", length(intent.velocity)));
        }
        if intent.action != Action::Shot {
            feats.extend(centre(known, touch, next, attack(team)));
        }
    }
    feats
}

/// Out of the own third: the ball was beyond its border, and is on the other side of it at the next touch, of whom ever,
/// or by its own flight.
fn is_clear(touch: &Touch, next: Option<&Touch>, intent: &Intent, sense: f32) -> bool {
    let ahead = sense * touch.ball.position[1];
    if ahead > -THIRD_UU - CLEAR_ROOM_UU {
        return false;
    }
    match next {
        Some(next) => sense * next.ball.position[1] >= -THIRD_UU + CLEAR_ROOM_UU,
        None => sense * intent.velocity[1] >= 1000.0,
    }
}

/// A pass is shot first time.
fn one_timer(known: &Known<'_>, touch: &Touch, intent: Option<&Intent>, team: u8) -> Option<Feat> {
    let velocity = intent?.velocity;
    let sense = attack(team);
    let position = touch.ball.position;
    let goal = [0.0, sense * GOAL_LINE_UU, GOAL_HEIGHT_UU / 2.0];
    let after_s = (GOAL_LINE_UU - sense * position[1]) / (sense * velocity[1]).max(1.0);
    let x = position[0] + velocity[0] * after_s;
    let z = position[2] + velocity[2] * after_s;
    let is_one = length(velocity) >= ONE_TIMER_UU_S
        && cosine(velocity, sub(goal, position)) >= ONE_TIMER_COSINE
        && after_s <= ONE_TIMER_S
        && x.abs() <= GOAL_HALF_WIDTH_UU + MOUTH_ROOM_UU
        && z <= GOAL_HEIGHT_UU + MOUTH_ROOM_UU;
    is_one.then(|| {
        Feat::new(known, "one-timer", touch.person, touch.frame)
            .whole("ball_uu_s", length(velocity))
    })
}

/// From the wing before the goal.
fn centre(known: &Known<'_>, touch: &Touch, next: Option<&Touch>, sense: f32) -> Option<Feat> {
    let from = touch.ball.position;
    if from[0].abs() < WING_UU || sense * from[1] < WING_AHEAD_UU {
        return None;
    }
    let until_s = next
        .map_or(f64::INFINITY, |next| next.time_s)
        .min(touch.time_s + CENTRE_S);
    let last = known.frame(until_s);
    let end = (touch.frame..=last)
        .take_while(|&frame| known.is_live(frame))
        .find(|&frame| {
            known.ball.position(frame).is_some_and(|ball| {
                ball[0].abs() <= CENTRE_UU
                    && sense * ball[1] >= CENTRE_AHEAD_UU
                    && distance(ball, from) >= CENTRE_WAY_UU
                    && from[0].abs() - ball[0].abs() >= CENTRE_WAY_UU
            })
        })?;
    Some(Feat::new(known, "centre", touch.person, touch.frame).until(end))
}
