//! Bumps: one car knocks another without destroying it.

use super::super::feat::Feat;
use super::super::geometry::{add, dot, flat, length, scale, sub, unit};
use super::super::known::{Axes, Known, Person, Pose};
use crate::rocket_league::analysis::timeline::state::Deed;

/// Cars farther apart do not meet in a step, in uu.
const LOOK_UU: f32 = 400.0;

/// Boxes this near touch, in uu (subtr-actor).
const GAP_UU: f32 = 35.0;

/// Samples farther apart say nothing, in seconds (subtr-actor).
const STEP_S: f64 = 0.18;

/// How it is scored (subtr-actor): the least score, how much better than the other way round, closing and impulse in uu/s.
const SCORE: f32 = 650.0;
const BETTER: f32 = 175.0;
const CLOSING_UU_S: f32 = 420.0;
const IMPULSE_UU_S: f32 = 180.0;

/// The same two within this time are one bump, in seconds (subtr-actor: ten frames).
const SAME_S: f64 = 0.33;

/// Bumps this near to a demolition of either are part of it, in seconds.
const DEMOLITION_S: f64 = 0.2;

/// A pair's bump, from the one who does it.
struct Bump {
    person: usize,
    other: usize,
    score: f32,
    impulse: f32,
}

pub(in super::super) fn find(known: &Known<'_>) -> Vec<Feat> {
    let demolitions: Vec<(f64, [Option<usize>; 2])> = known
        .scene
        .found
        .happenings
        .iter()
        .filter_map(|happening| match happening.what {
            Deed::Demolition {
                attacker, victim, ..
            } => {
                let person =
                    |car: Option<usize>| known.scene.entities.owners.get(car?).copied().flatten();
                Some((happening.time_s, [person(attacker), person(victim)]))
            }
            _ => None,
        })
        .collect();
    let mut feats: Vec<Feat> = Vec::new();
    let count = known.people.len();
    for frame in 1..known.times_s.len() {
        if !known.is_live(frame) {
            continue;
        }
        for one in 0..count {
            for other in one + 1..count {
                let Some(bump) = meeting(known, frame, one, other) else {
                    continue;
                };
                let time_s = known.time_s(frame);
                let is_same = feats.iter().rev().take(6).any(|feat| {
                    let pair = [feat.person, feat.other];
                    pair.contains(&Some(one))
                        && pair.contains(&Some(other))
                        && time_s - known.time_s(feat.frame) < SAME_S
                });
                let is_demolition = demolitions.iter().any(|(when_s, pair)| {
                    (when_s - time_s).abs() <= DEMOLITION_S
                        && pair.contains(&Some(one))
                        && pair.contains(&Some(other))
                });
                if is_same || is_demolition {
                    continue;
                }
                let mut feat = Feat::new(known, "bump", bump.person, frame);
                feat.other = Some(bump.other);
                let is_mate = known.team(one) == known.team(other);
                feats.push(
                    feat.whole("impulse_uu_s", bump.impulse)
                        .whole("score", bump.score)
                        .flag("own_team", is_mate),
                );
            }
        }
    }
    feats
}

/// The bump between two cars in a frame.
fn meeting(known: &Known<'_>, frame: usize, one: usize, other: usize) -> Option<Bump> {
    let (first, second) = (known.person(one)?, known.person(other)?);
    let (a, b) = (first.car.position(frame)?, second.car.position(frame)?);
    let apart = sub(b, a);
    if apart.into_iter().any(|part| part.abs() > LOOK_UU) {
        return None;
    }
    let (a, b) = (fresh(first, frame)?, fresh(second, frame)?);
    if !boxes_meet(first, &a, second, &b) {
        return None;
    }
    let from_one = score(&a, &b);
    let from_other = score(&b, &a);
    let (person, victim, best, worse) = if from_one.score >= from_other.score {
        (one, other, from_one, from_other)
    } else {
        (other, one, from_other, from_one)
    };
    let is_one = best.score >= SCORE
        && best.score >= worse.score + BETTER
        && best.closing >= CLOSING_UU_S
        && best.impulse >= IMPULSE_UU_S;
    is_one.then_some(Bump {
        person,
        other: victim,
        score: best.score,
        impulse: best.impulse,
    })
}

/// A car's samples around a frame: the last before and the one now.
struct Around {
    before: Pose,
    now: Pose,
    axes: Axes,
}

fn fresh(person: &Person<'_>, frame: usize) -> Option<Around> {
    let index = person.car.index(frame)?;
    let now = person.car.pose_of(index)?;
    // The sample that shows what the contact did may be the last one or the next.
    let before = person.car.pose_of(index.checked_sub(1)?)?;
    (now.time_s - before.time_s <= STEP_S).then_some(())?;
    Some(Around {
        before,
        now,
        axes: person.car.axes_of(index - 1)?,
    })
}

fn boxes_meet(first: &Person<'_>, a: &Around, second: &Person<'_>, b: &Around) -> bool {
    const INSTANTS: usize = 4;
    (0..=INSTANTS).any(|instant| {
        let share = instant as f32 / INSTANTS as f32;
        let at = |around: &Around| {
            add(
                scale(around.before.position, 1.0 - share),
                scale(around.now.position, share),
            )
        };
        let (pa, pb) = (at(a), at(b));
        let centre = |person: &Person<'_>, around: &Around, position| {
            let [forward, _, up] = person.hitbox.middle_uu;
            add(
                position,
                add(
                    scale(around.axes.forward, forward),
                    scale(around.axes.up, up),
                ),
            )
        };
        let between = sub(centre(second, b, pb), centre(first, a, pa));
        // How far each box reaches towards the other.
        let reach = |person: &Person<'_>, axes: &Axes| {
            let [x, y, z] = axes.local(unit(between)).map(f32::abs);
            let [length, width, height] = person.hitbox.size_uu.map(|size| size / 2.0);
            (length / x.max(1e-3))
                .min(width / y.max(1e-3))
                .min(height / z.max(1e-3))
        };
        length(between) - reach(first, &a.axes) - reach(second, &b.axes) <= GAP_UU
    })
}

struct Score {
    score: f32,
    closing: f32,
    impulse: f32,
}

/// How much `a` knocked `b`.
fn score(a: &Around, b: &Around) -> Score {
    let normal = unit(flat(sub(b.before.position, a.before.position)));
    let closing = dot(sub(a.before.velocity, b.before.velocity), normal);
    let impulse = dot(sub(b.now.velocity, b.before.velocity), normal);
    let lost = dot(sub(a.before.velocity, a.now.velocity), normal);
    let faster = length(a.before.velocity) - length(b.before.velocity);
    let score = closing
        + 1.35 * impulse
        + 0.35 * lost
        + 220.0 * dot(a.axes.forward, normal).max(0.0)
        + 0.15 * faster.max(0.0);
    Score {
        score,
        closing,
        impulse,
    }
}
