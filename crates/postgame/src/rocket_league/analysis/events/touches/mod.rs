//! Who touched the ball.
//!
//! Between two samples the ball moves by itself (`path`); what is left of the change of its velocity or spin is evidence
//! of a contact. The cars whose own boxes reach the ball then (`gap`) have touched it. The game's own word for the team
//! that touched the ball last, sent when it changes, is evidence too.

pub(super) mod gap;
mod path;

use super::geometry::{Vector, cosine, length, sub};
use super::known::{Known, Pose, Samples};
use crate::rocket_league::analysis::timeline::state::Deed;
use gap::Gap;
use path::Push;

/// A push or a change of spin that only a contact explains, in uu/s and rad/s (notes 3.5).
const STRONG_UU_S: f32 = 60.0;
const STRONG_RAD_S: f32 = 0.5;

/// One that a contact explains if a car is at the ball.
const WEAK_UU_S: f32 = 15.0;
const WEAK_RAD_S: f32 = 0.05;

/// How near a car must be: with strong or other evidence, with weak evidence; in uu.
const REACH_UU: f32 = 25.0;
const NEAR_UU: f32 = 5.0;

/// The same where the game says that the car's team touched the ball.
const MARKED_UU: f32 = 60.0;

/// A second car touches too if its cost is this near to the best: a mate's, an opponent's.
const MATE_COST: f32 = 5.0;
const OPPONENT_COST: f32 = 10.0;

/// An opponent's car at the ball this soon after a touch has touched it as well, in seconds (subtr-actor).
const CONTEST_S: f64 = 0.2;

/// Contacts of a player within this time are one touch, in seconds.
const SAME_S: f64 = 0.15;

/// A change of the game's word is this near to its touch, in seconds.
const MARK_S: f64 = 0.1;

/// An item of Rumble acts on the ball for about this long, in seconds: hooks, magnets and freezes of the corpus.
const ITEM_S: f64 = 3.0;

/// Samples of the ball farther apart say nothing, in seconds.
const MAX_STEP_S: f64 = 0.5;

/// A touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub time_s: f64,
    pub frame: usize,
    pub person: usize,
    pub team: Option<u8>,
    /// The change of the ball's velocity that only the contact explains.
    pub push: Vector,
    /// The ball before and after.
    pub before: Pose,
    pub ball: Pose,
    pub gap_uu: f32,
    pub car: Pose,
    /// The car was in a dodge.
    pub is_dodging: bool,
    /// Cars of both teams touched the ball at once.
    pub is_contested: bool,
    /// The change of the game's word says so.
    pub is_marked: bool,
    /// An item of Rumble reached the ball, not the car.
    pub is_item: bool,
}

impl Touch {
    pub fn push_uu_s(&self) -> f32 {
        length(self.push)
    }
}

/// The moments at which the game says that another team than before has touched the ball.
pub(super) fn marks(known: &Known<'_>) -> Vec<(f64, u8)> {
    let mut before = None;
    let mut rounds = known.rounds.iter().peekable();
    let mut marks = Vec::new();
    for happening in &known.scene.found.happenings {
        let Deed::HitTeam(team) = happening.what else {
            continue;
        };
        // Each round has a fresh ball, whose first word is news.
        while rounds
            .next_if(|round| round.go_s <= happening.time_s)
            .is_some()
        {
            before = None;
        }
        let last = before.replace(team);
        if team < 2 && last != Some(team) {
            marks.push((happening.time_s, team));
        }
    }
    marks
}

/// A step of the ball and what was pushed in it.
struct Step {
    frame: usize,
    before: Pose,
    after: Pose,
    push: Push,
}

/// All touches, in order of time.
pub(super) fn touches(known: &Known<'_>) -> Vec<Touch> {
    let marks = marks(known);
    let mut touches: Vec<Touch> = Vec::new();
    let found = known.scene.found;
    for (life, &ball) in known
        .scene
        .entities
        .balls
        .iter()
        .enumerate()
        .take(found.balls.len())
    {
        let samples = Samples::of(known.scene.motions.balls.get(ball));
        let Some(range) = known.scene.motions.ball_range(life) else {
            continue;
        };
        let mut frame = 0;
        let mut before: Option<Pose> = None;
        for sample in range {
            let Some(after) = samples.pose_of(sample) else {
                break;
            };
            while known
                .times_s
                .get(frame + 1)
                .is_some_and(|&time_s| time_s <= after.time_s)
            {
                frame += 1;
            }
            let Some(last) = before.replace(after) else {
                continue;
            };
            if !known.is_live(frame) {
                continue;
            }
            let passed_s = after.time_s - last.time_s;
            let is_at_rest = last.velocity == [0.0; 3];
            // In a goal the ball stands still; a ball that is told of late says nothing.
            let is_told = passed_s > 0.0 && (passed_s <= MAX_STEP_S || is_at_rest);
            if !is_told || after.velocity == [0.0; 3] {
                continue;
            }
            let last = match is_at_rest {
                true => Pose {
                    time_s: after.time_s - passed_s.min(0.034),
                    ..last
                },
                false => last,
            };
            let push = path::push(known.is_standard, known.ball_radius_uu, &last, &after);
            let step = Step {
                frame,
                before: last,
                after,
                push,
            };
            touch(known, &step, &marks, &mut touches);
        }
    }
    add_marked(known, &marks, &mut touches);
    add_contested(known, &mut touches);
    touches.sort_by(|one, other| one.time_s.total_cmp(&other.time_s));
    contest(&mut touches);
    touches
}

/// The touches of a step.
fn touch(known: &Known<'_>, step: &Step, marks: &[(f64, u8)], touches: &mut Vec<Touch>) {
    let Step { push, .. } = step;
    let size = length(push.velocity);
    let is_strong = !push.is_unsure && (size >= STRONG_UU_S || push.spin >= STRONG_RAD_S);
    let is_weak = size >= WEAK_UU_S || push.spin >= WEAK_RAD_S;
    let first = marks.partition_point(|mark| mark.0 < step.before.time_s - MARK_S);
    let near = marks.get(first..).unwrap_or_default().iter();
    let near = near.take_while(|mark| mark.0 <= step.after.time_s + MARK_S);
    let mut marked = [false; 2];
    for &(_, team) in near {
        if let Some(slot) = marked.get_mut(usize::from(team)) {
            *slot = true;
        }
    }
    if !is_weak {
        return;
    }
    let mut candidates: Vec<(f32, usize, Gap)> = Vec::new();
    let from = known
        .frame(step.before.time_s)
        .min(step.frame.saturating_sub(1));
    for (person, player) in known.people.iter().enumerate() {
        let Some(gap) = gap::gap(known, player, from, &step.before, &step.after) else {
            continue;
        };
        let has_mark = player
            .team
            .is_some_and(|team| marked.get(usize::from(team)) == Some(&true));
        let other_mark = player
            .team
            .is_some_and(|team| marked.get(usize::from(1 - team.min(1))) == Some(&true));
        let reach = if is_strong || has_mark {
            REACH_UU
        } else {
            NEAR_UU
        };
        // What the age of samples forgives is no more than the reach, unless the game says that the team touched the ball.
        let most = if has_mark { MARKED_UU } else { REACH_UU };
        if gap.gap_uu > (reach + gap.slack_uu).min(most) {
            continue;
        }
        // What a push to the ball does not explain is no contact: the car would have to pull.
        let towards = cosine(push.velocity, sub(step.after.position, gap.car.position));
        let is_dodging = known.is_dodging(person, step.after.time_s);
        let cost = gap.gap_uu + if gap.gap_uu > NEAR_UU { 100.0 } else { 0.0 }
            - if size >= WEAK_UU_S {
                20.0 * towards
            } else {
                0.0
            }
            - if is_dodging { 1.0 } else { 0.0 }
            + if other_mark && !has_mark { 15.0 } else { 0.0 };
        candidates.push((cost, person, gap));
    }
    let Some(&(best, first, _)) = candidates
        .iter()
        .min_by(|one, other| one.0.total_cmp(&other.0))
    else {
        return;
    };
    let first_team = known.team(first);
    for (cost, person, gap) in candidates {
        let team = known.team(person);
        let room = if team == first_team {
            MATE_COST
        } else {
            OPPONENT_COST
        };
        if person == first || cost <= best + room {
            let is_marked = team.is_some_and(|team| marked.get(usize::from(team)) == Some(&true));
            add(known, step, person, &gap, is_marked, touches);
        }
    }
}

/// Adds a touch, or makes one with the same player's last one.
fn add(
    known: &Known<'_>,
    step: &Step,
    person: usize,
    gap: &Gap,
    is_marked: bool,
    touches: &mut Vec<Touch>,
) {
    let time_s = step.after.time_s;
    let touch = Touch {
        time_s,
        frame: step.frame,
        person,
        team: known.team(person),
        push: step.push.velocity,
        before: step.before,
        ball: step.after,
        gap_uu: gap.gap_uu,
        car: gap.car,
        is_dodging: known.is_dodging(person, time_s),
        is_contested: false,
        is_marked,
        is_item: false,
    };
    let is_same = |other: &&mut Touch| {
        other.person == person
            && (time_s - other.time_s).abs() < SAME_S
            && (other.is_dodging || !touch.is_dodging)
    };
    match touches.iter_mut().rev().take(8).find(is_same) {
        Some(other) => {
            if touch.push_uu_s() > other.push_uu_s() {
                other.push = touch.push;
            }
            other.ball = touch.ball;
            other.is_marked |= is_marked;
            other.gap_uu = other.gap_uu.min(touch.gap_uu);
        }
        None => touches.push(touch),
    }
}

/// Where the game says that a team touched the ball and no touch was found, its nearest car did.
fn add_marked(known: &Known<'_>, marks: &[(f64, u8)], touches: &mut Vec<Touch>) {
    let mut added = Vec::new();
    for &(time_s, team) in marks {
        let is_met = touches
            .iter()
            .any(|touch| touch.team == Some(team) && (touch.time_s - time_s).abs() <= SAME_S);
        let at = known.frame(time_s);
        if is_met || !(known.is_live(at) || known.is_live(at.saturating_sub(1))) {
            continue;
        }
        let mut best: Option<(usize, Gap, usize)> = None;
        for frame in at.saturating_sub(3)..=at + 1 {
            let (Some(before), Some(after)) = (
                known.ball.pose(frame.saturating_sub(1)),
                known.ball.pose(frame),
            ) else {
                continue;
            };
            for person in known.members(team) {
                let Some(player) = known.person(person) else {
                    continue;
                };
                let Some(gap) = gap::gap(known, player, frame.saturating_sub(1), &before, &after)
                else {
                    continue;
                };
                if gap.gap_uu <= MARKED_UU
                    && best.as_ref().is_none_or(|best| gap.gap_uu < best.1.gap_uu)
                {
                    best = Some((person, gap, frame));
                }
            }
        }
        let by_item = || {
            let person = item_user(known, time_s, team)?;
            let car = known.car(person, at)?;
            let apart = length(sub(known.ball.position(at)?, car.position));
            let gap_uu = (apart - known.ball_radius_uu).max(0.0);
            let gap = Gap {
                gap_uu,
                slack_uu: 0.0,
                car,
            };
            Some((person, gap, at))
        };
        let is_item = best.is_none();
        if let Some((person, gap, frame)) = best.or_else(by_item)
            && let (Some(before), Some(after)) = (
                known.ball.pose(frame.saturating_sub(1)),
                known.ball.pose(frame),
            )
        {
            added.push(Touch {
                time_s: known.time_s(frame),
                frame,
                person,
                team: Some(team),
                push: sub(after.velocity, before.velocity),
                before,
                ball: after,
                gap_uu: gap.gap_uu,
                car: gap.car,
                is_dodging: known.is_dodging(person, known.time_s(frame)),
                is_contested: false,
                is_marked: true,
                is_item,
            });
        }
    }
    touches.append(&mut added);
}

/// The player of a team who used an item of Rumble last, shortly before a time.
fn item_user(known: &Known<'_>, time_s: f64, team: u8) -> Option<usize> {
    let happenings = &known.scene.found.happenings;
    let end = happenings.partition_point(|happening| happening.time_s <= time_s + MARK_S);
    let before = happenings.get(..end)?.iter().rev();
    before
        .take_while(|happening| time_s - happening.time_s <= ITEM_S)
        .find_map(|happening| {
            let Deed::ItemUsed(car, _) = happening.what else {
                return None;
            };
            let person = known.scene.entities.owners.get(car).copied().flatten()?;
            (known.team(person) == Some(team)).then_some(person)
        })
}

/// An opponent whose box is at the ball just after a touch has touched it as well.
fn add_contested(known: &Known<'_>, touches: &mut Vec<Touch>) {
    let mut added: Vec<Touch> = Vec::new();
    for touch in touches.iter() {
        let Some(team) = touch.team else { continue };
        for person in known.members(1 - team.min(1)) {
            let Some(player) = known.person(person) else {
                continue;
            };
            let has_own = |list: &[Touch]| {
                let own = list.iter().filter(|other| other.person == person);
                own.into_iter()
                    .any(|other| (other.time_s - touch.time_s).abs() <= CONTEST_S + SAME_S)
            };
            if has_own(touches) || has_own(&added) {
                continue;
            }
            let frames = touch.frame..=known.frame(touch.time_s + CONTEST_S);
            let found = frames
                .filter(|&frame| known.is_live(frame))
                .find_map(|frame| {
                    let before = known.ball.pose(frame.checked_sub(1)?)?;
                    let after = known.ball.pose(frame)?;
                    let gap = gap::gap(known, player, frame - 1, &before, &after)?;
                    (gap.gap_uu <= NEAR_UU).then_some((frame, before, after, gap))
                });
            if let Some((frame, before, after, gap)) = found {
                added.push(Touch {
                    time_s: known.time_s(frame),
                    frame,
                    person,
                    team: known.team(person),
                    push: sub(after.velocity, before.velocity),
                    before,
                    ball: after,
                    gap_uu: gap.gap_uu,
                    car: gap.car,
                    is_dodging: known.is_dodging(person, known.time_s(frame)),
                    is_contested: true,
                    is_marked: false,
                    is_item: false,
                });
            }
        }
    }
    touches.append(&mut added);
}

/// Marks the touches at which both teams are at the ball.
fn contest(touches: &mut [Touch]) {
    for index in 1..touches.len() {
        let Some((before, [touch, ..])) = touches.split_at_mut_checked(index) else {
            continue;
        };
        for other in before.iter_mut().rev().take(4) {
            if touch.time_s - other.time_s <= CONTEST_S
                && touch.team.is_some()
                && other.team.is_some()
                && touch.team != other.team
            {
                touch.is_contested = true;
                other.is_contested = true;
            }
        }
    }
}
