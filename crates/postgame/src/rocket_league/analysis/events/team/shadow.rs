//! Shadow defence: falling back between the attacker and the own goal.

use super::super::feat::Feat;
use super::super::geometry::{Vector, dot, length, scale, sub};
use super::super::known::{Known, attack};
use super::super::touches::Touch;

/// The ball is not deeper in the other half, in uu (subtr-actor).
const BALL_UU: f32 = 1024.0;

/// The defender is goal-side of ball and owner by this, and this far from the nearer, in uu.
const GOAL_SIDE_UU: f32 = 250.0;
const APART_UU: [f32; 2] = [700.0, 3200.0];

/// And this near to the line from the ball to the goal, which is this far from the middle; in uu.
const LINE_UU: f32 = 1300.0;
const GOAL_UU: f32 = 4240.0;

/// Both move towards the goal, alike, in uu/s.
const BACK_UU_S: f32 = 100.0;
const ALIKE_UU_S: f32 = 900.0;

/// A shorter stretch is none, and holes are bridged, in seconds.
const MIN_S: f64 = 0.5;
const HOLE_S: f64 = 0.2;

/// Looked at ten times a second.
const STEP_S: f64 = 0.1;

pub(in super::super) fn find(known: &Known<'_>, touches: &[Touch]) -> Vec<Feat> {
    let mut feats = Vec::new();
    let mut open: Vec<Option<(usize, usize)>> = vec![None; known.people.len()];
    let close = |person: usize, span: &mut Option<(usize, usize)>, feats: &mut Vec<Feat>| {
        if let Some((from, to)) = span.take()
            && known.time_s(to) - known.time_s(from) >= MIN_S
        {
            feats.push(Feat::new(known, "shadow-defence", person, from).until(to));
        }
    };
    let mut last_s = f64::NEG_INFINITY;
    let mut next = 0;
    for frame in 0..known.times_s.len() {
        let time_s = known.time_s(frame);
        if time_s - last_s < STEP_S {
            continue;
        }
        last_s = time_s;
        while touches.get(next).is_some_and(|touch| touch.frame <= frame) {
            next += 1;
        }
        let owner = next.checked_sub(1).and_then(|last| touches.get(last));
        for (person, span) in open.iter_mut().enumerate() {
            let is_one = owner.is_some_and(|owner| {
                known.is_live(frame) && is_shadow(known, person, owner, frame)
            });
            match (is_one, &mut *span) {
                (true, Some((_, to))) => *to = frame,
                (true, None) => *span = Some((frame, frame)),
                (false, Some((_, to))) if time_s - known.time_s(*to) <= HOLE_S => {}
                (false, _) => close(person, span, &mut feats),
            }
        }
    }
    for (person, span) in open.iter_mut().enumerate() {
        close(person, span, &mut feats);
    }
    feats
}

fn is_shadow(known: &Known<'_>, person: usize, owner: &Touch, frame: usize) -> bool {
    let Some(team) = known
        .team(person)
        .filter(|&team| owner.team.is_some_and(|other| other != team))
    else {
        return false;
    };
    let sense = attack(team);
    let Some(ball) = known
        .ball
        .pose(frame)
        .filter(|ball| sense * ball.position[1] <= BALL_UU)
    else {
        return false;
    };
    let (Some(car), Some(threat)) = (known.car(person, frame), known.car(owner.person, frame))
    else {
        return false;
    };
    let y = |place: Vector| sense * place[1];
    let apart =
        length(sub(car.position, ball.position)).min(length(sub(car.position, threat.position)));
    let goal = [0.0, -sense * GOAL_UU, 0.0];
    let line = sub(goal, ball.position);
    let share =
        (dot(sub(car.position, ball.position), line) / dot(line, line).max(1.0)).clamp(0.0, 1.0);
    let off = length(sub(sub(car.position, ball.position), scale(line, share)));
    let back = -sense * car.velocity[1];
    let theirs = (-sense * ball.velocity[1]).max(-sense * threat.velocity[1]);
    y(car.position) <= y(ball.position).min(y(threat.position)) - GOAL_SIDE_UU
        && (APART_UU[0]..=APART_UU[1]).contains(&apart)
        && off <= LINE_UU
        && back >= BACK_UU_S
        && theirs >= BACK_UU_S
        && (back - theirs).abs() <= ALIKE_UU_S
}
