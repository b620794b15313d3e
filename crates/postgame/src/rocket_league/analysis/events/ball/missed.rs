//! Whiffs, and challengers who come second to the ball.

use super::super::feat::Feat;
use super::super::geometry::{cosine, distance, dot, length, sub, unit};
use super::super::known::Known;
use super::super::touches::Touch;
use super::super::touches::gap::box_gap;

/// A whiff starts within this of the box to the ball's centre and ends beyond that, in uu (subtr-actor).
const START_UU: f32 = 220.0;
const END_UU: f32 = 360.0;

/// How it must move towards the ball: approach, closing, nose and velocity to the ball (subtr-actor); in uu/s.
const APPROACH_UU_S: f32 = 350.0;
const CLOSING_UU_S: f32 = 250.0;
const NOSE: f32 = 0.3;
const ALONG: f32 = 0.45;
const BESIDE_UU: f32 = 200.0;

/// The same for a dodge.
const DODGE_APPROACH_UU_S: f32 = 450.0;
const DODGE_CLOSING_UU_S: f32 = 300.0;
const DODGE_NOSE: f32 = 0.25;
const DODGE_BEHIND_UU: f32 = -20.0;
const DODGE_BESIDE_UU: f32 = 150.0;

/// It is over after this, in seconds.
const MAX_S: f64 = 1.0;

/// Cars farther from the ball are not looked at, in uu.
const LOOK_UU: f32 = 420.0;

pub(in super::super) fn whiffs(known: &Known<'_>, touches: &[Touch]) -> Vec<Feat> {
    let mut feats = Vec::new();
    for (person, player) in known.people.iter().enumerate() {
        // Since which frame, and the least distance.
        let mut open: Option<(usize, f32)> = None;
        let mut next = 0;
        for frame in 0..known.times_s.len() {
            while touches.get(next).is_some_and(|touch| touch.frame < frame) {
                next += 1;
            }
            let (Some(ball), Some(car)) = (known.ball.position(frame), player.car.position(frame))
            else {
                open = None;
                continue;
            };
            let is_touched = touches.get(next).is_some_and(|touch| touch.frame == frame);
            if is_touched || !known.is_live(frame) {
                open = None;
                continue;
            }
            let apart = distance(ball, car);
            if apart > LOOK_UU && open.is_none() {
                continue;
            }
            let Some(axes) = player.car.axes(frame) else {
                continue;
            };
            let gap = box_gap(player, car, &axes, ball);
            match &mut open {
                None => {
                    if gap <= START_UU && goes_for_it(known, person, frame) {
                        open = Some((frame, gap));
                    }
                }
                Some((from, least)) => {
                    *least = least.min(gap);
                    if known.time_s(frame) - known.time_s(*from) > MAX_S {
                        open = None;
                    } else if gap > END_UU {
                        let feat =
                            Feat::new(known, "whiff", person, *from).whole("closest_uu", *least);
                        feats.push(
                            feat.flag("dodging", known.is_dodging(person, known.time_s(frame)))
                                .flag("aerial", car[2] > 40.0),
                        );
                        open = None;
                    }
                }
            }
        }
    }
    feats
}

fn goes_for_it(known: &Known<'_>, person: usize, frame: usize) -> bool {
    let (Some(ball), Some(car), Some(axes)) = (
        known.ball.pose(frame),
        known.car(person, frame),
        known.axes(person, frame),
    ) else {
        return false;
    };
    let between = sub(ball.position, car.position);
    let towards = unit(between);
    let approach = dot(car.velocity, towards);
    let closing = dot(sub(car.velocity, ball.velocity), towards);
    let local = axes.local(between);
    let nose = dot(axes.forward, towards);
    let is_driving = approach >= APPROACH_UU_S
        && closing >= CLOSING_UU_S
        && nose >= NOSE
        && cosine(car.velocity, between) >= ALONG
        && local[0] >= 0.0
        && local[1].abs() <= BESIDE_UU;
    let is_dodging = known.is_dodging(person, known.time_s(frame))
        && approach >= DODGE_APPROACH_UU_S
        && closing >= DODGE_CLOSING_UU_S
        && nose >= DODGE_NOSE
        && local[0] >= DODGE_BEHIND_UU
        && local[1].abs() <= DODGE_BESIDE_UU;
    is_driving || is_dodging
}

/// Second to the ball (subtr-actor): how long is looked back, how much nearer the car came, on average how fast; how near it
/// is and how late, in s, uu and uu/s.
const LOOK_BACK_S: f64 = 1.0;
const NEARER_UU: f32 = 200.0;
const BEATEN_UU_S: f32 = 400.0;
const BEATEN_UU: f32 = 1200.0;
const BEATEN_NEAR_UU: f32 = 400.0;
const BEATEN_LATE_S: f32 = 0.75;
const BEATEN_COSINE: f32 = 0.45;

pub(in super::super) fn beaten(known: &Known<'_>, touches: &[Touch]) -> Vec<Feat> {
    let mut feats: Vec<Feat> = Vec::new();
    for (index, touch) in touches.iter().enumerate() {
        let Some(team) = touch.team else { continue };
        for person in known.members(1 - team.min(1)) {
            let around = touches
                .get(index.saturating_sub(12)..(index + 12).min(touches.len()))
                .unwrap_or_default();
            let touched = around.iter().any(|other| {
                other.person == person && (other.time_s - touch.time_s).abs() <= LOOK_BACK_S
            });
            let from = known.frame(touch.time_s - LOOK_BACK_S);
            if touched || !known.is_live(from) {
                continue;
            }
            let Some(feat) = second(known, person, touch, from) else {
                continue;
            };
            let is_again = feats.iter().rev().take(6).any(|other| {
                other.other == Some(person)
                    && touch.time_s - known.time_s(other.frame) <= LOOK_BACK_S
            });
            if !is_again {
                feats.push(feat);
            }
        }
    }
    feats
}

fn second(known: &Known<'_>, person: usize, touch: &Touch, from: usize) -> Option<Feat> {
    let car = &known.person(person)?.car;
    let apart = |frame: usize| Some(distance(known.ball.position(frame)?, car.position(frame)?));
    let (before, now) = (apart(from)?, apart(touch.frame)?);
    let mut closing = 0;
    let mut count = 0;
    let mut last = before;
    for frame in from + 1..=touch.frame {
        let apart = apart(frame)?;
        closing += usize::from(apart <= last);
        count += 1;
        last = apart;
    }
    let pose = car.pose(touch.frame)?;
    let between = sub(known.ball.position(touch.frame)?, pose.position);
    let approach = dot(pose.velocity, unit(between));
    let mean = (before - now) / LOOK_BACK_S as f32;
    let late_s = now / approach.max(1.0);
    let is_second = before - now >= NEARER_UU
        && closing * 10 >= count * 7
        && cosine(pose.velocity, between) >= BEATEN_COSINE
        && (mean >= BEATEN_UU_S || approach >= BEATEN_UU_S)
        && now <= BEATEN_UU
        && (late_s <= BEATEN_LATE_S || now <= BEATEN_NEAR_UU);
    is_second.then(|| {
        let mut feat = Feat::new(known, "beaten-to-ball", touch.person, touch.frame);
        feat.other = Some(person);
        feat.whole("distance_uu", now)
            .decimal("late_s", late_s.into())
            .whole("approach_uu_s", length(pose.velocity))
    })
}
