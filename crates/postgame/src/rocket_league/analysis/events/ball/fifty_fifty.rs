//! Fifty-fifties: two opponents hit the ball together.

use super::super::feat::Feat;
use super::super::geometry::{add, distance, dot, flat, length, scale, sub, unit};
use super::super::known::Known;
use super::super::touches::Touch;
use super::intent::Intent;

/// Touches of both teams within this time are a fifty-fifty, and later ones prolong it, in seconds (subtr-actor; carball has
/// five frames).
const TOGETHER_S: f64 = 0.2;

/// It is decided from this long after the last touch, and undecided from that, in seconds (subtr-actor).
const DECIDED_S: f64 = 0.35;
const UNDECIDED_S: f64 = 1.25;

/// The ball is on one side of the plane between the cars: by place in uu, else by speed in uu/s (subtr-actor).
const SIDE_UU: f32 = 180.0;
const SIDE_UU_S: f32 = 220.0;

/// A ball that leaves it towards a goal faster than this was dunked, in uu/s (carball).
const DUNK_UU_S: f32 = 2300.0;

pub(in super::super) fn find(
    known: &Known<'_>,
    touches: &[Touch],
    intents: &[Intent],
) -> Vec<Feat> {
    let mut feats = Vec::new();
    let mut index = 0;
    while index < touches.len() {
        let mut last = index;
        let mut is_both = false;
        while let (Some(touch), Some(next)) = (touches.get(last), touches.get(last + 1)) {
            if next.time_s - touch.time_s > TOGETHER_S {
                break;
            }
            is_both |= touch.team != next.team && touch.team.is_some() && next.team.is_some();
            last += 1;
        }
        if is_both && let Some(group) = touches.get(index..=last) {
            feats.extend(one(known, group, intents.get(last)));
        }
        index = last + 1;
    }
    feats
}

fn one(known: &Known<'_>, group: &[Touch], intent: Option<&Intent>) -> Option<Feat> {
    let (first, last) = (group.first()?, group.last()?);
    let of = |team: u8| group.iter().rev().find(|touch| touch.team == Some(team));
    let (blue, orange) = (of(0)?, of(1)?);
    let normal = unit(flat(sub(orange.car.position, blue.car.position)));
    let middle = scale(add(blue.car.position, orange.car.position), 0.5);
    let mut winner = None;
    let from = known.frame(last.time_s + DECIDED_S);
    for frame in from..=known.frame(last.time_s + UNDECIDED_S) {
        let Some(ball) = known.ball.pose(frame).filter(|_| known.is_live(frame)) else {
            break;
        };
        let side = dot(flat(sub(ball.position, middle)), normal);
        let speed = dot(flat(ball.velocity), normal);
        if side.abs() >= SIDE_UU || speed.abs() >= SIDE_UU_S {
            let towards_orange = if side.abs() >= SIDE_UU {
                side > 0.0
            } else {
                speed > 0.0
            };
            winner = Some(if towards_orange { "blue" } else { "orange" });
            break;
        }
    }
    let is_kickoff = known.round(first.frame).is_some_and(|round| {
        let is_first = known.time_s(first.frame) - round.go_s < 5.0;
        is_first && distance(flat(first.ball.position), [0.0; 3]) < 400.0 && round.has_kickoff
    });
    // A dunk is a hard exit towards either goal's line.
    let dunk = intent.is_some_and(|intent| {
        length(intent.velocity) >= DUNK_UU_S && intent.velocity[1].abs() >= 0.5 * DUNK_UU_S
    });
    let other = if first.person == blue.person {
        orange.person
    } else {
        blue.person
    };
    let mut feat = Feat::new(known, "fifty-fifty", first.person, first.frame).until(last.frame);
    feat.team = None;
    feat.other = Some(other);
    if feat.end == feat.frame {
        feat.details
            .push(("end_frame", known.number(last.frame).to_string().into()));
    }
    Some(
        feat.with("won_by", winner.unwrap_or("neutral"))
            .with("touches", group.len().to_string())
            .flag("kick_off", is_kickoff)
            .flag("dodged_blue", blue.is_dodging)
            .flag("dodged_orange", orange.is_dodging)
            .flag("dunk", dunk && !is_kickoff),
    )
}
