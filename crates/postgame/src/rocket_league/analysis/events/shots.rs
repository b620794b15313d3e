//! Shots and saves the game counted: from where, where the ball would have crossed the goal line, and what became of it.

use super::ball::intent::Intent;
use super::ball::project::{Crossing, GOAL_HALF_WIDTH_UU, GOAL_HEIGHT_UU, crossing};
use super::geometry::{distance, length};
use super::known::{Known, attack};
use super::touches::Touch;
use crate::rocket_league::tables::GOAL_LINE_UU;
use crate::timeline::{Detail, EntityId, Event};

/// A counter grows this long after its touch at most, or a moment before it, in seconds (notes 7.1: a goal within 10 s).
const COUNTED_S: f64 = 10.0;
const EARLY_S: f64 = 0.25;

/// The flight is followed for this long, in seconds.
const FLIGHT_S: f32 = 4.0;

/// A save is of the last shot of the other team that ended this long ago at most, in seconds (subtr-actor).
const SAVED_S: f64 = 3.0;

/// A goal is a shot's if it falls this long after it, in seconds.
const SCORED_S: f64 = 5.0;

/// What became of a shot.
enum Outcome {
    Goal,
    /// The number of the save.
    Saved(usize),
    /// Somebody touched the ball before it crossed the line.
    Blocked(EntityId),
    Missed,
}

/// Adds details to the events of shots and saves.
pub(super) fn describe(
    known: &Known<'_>,
    touches: &[Touch],
    intents: &[Intent],
    events: &mut [Event],
) {
    let of_kind = |kind: &str| -> Vec<usize> {
        let found = events
            .iter()
            .enumerate()
            .filter(|(_, event)| event.kind == kind);
        found.map(|(index, _)| index).collect()
    };
    let (mut shots, saves, goals) = (of_kind("shot"), of_kind("save"), of_kind("goal"));
    let by_time = |one: &usize, other: &usize| {
        let time_s = |index: &usize| events.get(*index).map_or(0.0, |event| event.time_s);
        time_s(one).total_cmp(&time_s(other))
    };
    shots.sort_by(by_time);
    let mut used = vec![false; saves.len()];
    let mut changes: Vec<(usize, Option<EntityId>, Vec<Detail>)> = Vec::new();
    for &index in &shots {
        let Some(shot) = events.get(index) else {
            continue;
        };
        let Some(at) = touch_of(known, touches, shot) else {
            continue;
        };
        let (Some(touch), Some(intent)) = (touches.get(at), intents.get(at)) else {
            continue;
        };
        let Some(team) = touch.team else { continue };
        let outcome = outcome(known, touches, at, events, (&saves, &used, &goals));
        let mut details = flight(known, touch, intent, team);
        let (name, whom) = match outcome {
            Outcome::Goal => ("goal", None),
            Outcome::Missed => ("missed", None),
            Outcome::Blocked(who) => ("blocked", Some(who)),
            Outcome::Saved(save) => {
                if let Some(used) = used.get_mut(save) {
                    *used = true;
                }
                let save = saves.get(save).copied();
                let saver = save.and_then(|save| events.get(save)?.who);
                let since_s = save
                    .and_then(|save| events.get(save))
                    .map(|save| save.time_s - touch.time_s);
                if let Some(save) = save {
                    let mut details = Vec::new();
                    details.extend(
                        since_s.map(|since_s| ("after_shot_s", format!("{since_s:.2}").into())),
                    );
                    changes.push((save, shot.who, details));
                }
                ("saved", saver)
            }
        };
        details.push(("outcome", name.into()));
        changes.push((index, whom, details));
    }
    for (index, whom, details) in changes {
        if let Some(event) = events.get_mut(index) {
            event.whom = whom;
            let mut all = event.details.to_vec();
            all.extend(details);
            event.details = all.into();
        }
    }
}

/// The touch that an event of a counter is of: the player's last one.
fn touch_of(known: &Known<'_>, touches: &[Touch], event: &Event) -> Option<usize> {
    let end = touches.partition_point(|touch| touch.time_s <= event.time_s + EARLY_S);
    let own = touches.get(..end)?.iter().enumerate().rev();
    own.take_while(|(_, touch)| event.time_s - touch.time_s <= COUNTED_S)
        .find(|(_, touch)| known.person(touch.person).map(|person| person.entity) == event.who)
        .map(|(index, _)| index)
}

/// Where the ball of a shot goes.
fn flight(known: &Known<'_>, touch: &Touch, intent: &Intent, team: u8) -> Vec<Detail> {
    let sense = attack(team);
    let goal = [0.0, sense * GOAL_LINE_UU, 0.0];
    let whole = |number: f32| (number.round() as i64).to_string().into();
    let mut details = vec![
        ("touch_s", format!("{:.2}", touch.time_s).into()),
        ("distance_uu", whole(distance(touch.ball.position, goal))),
        ("ball_uu_s", whole(length(intent.velocity))),
    ];
    if !known.is_standard {
        return details;
    }
    let Some(found) = crossing(known, intent.position, intent.velocity, sense, FLIGHT_S) else {
        details.push(("on_target", "false".into()));
        return details;
    };
    let Crossing { after_s, x, z } = found;
    let margin = margin_uu(known, found);
    details.push(("on_target", (margin >= 0.0).to_string().into()));
    details.push(("target_x_uu", whole(x)));
    details.push(("target_z_uu", whole(z)));
    details.push(("margin_uu", whole(margin)));
    details.push(("to_goal_s", format!("{after_s:.2}").into()));
    details
}

/// How far inside of the posts and the crossbar a whole ball passes, in uu; negative outside.
fn margin_uu(known: &Known<'_>, crossing: Crossing) -> f32 {
    let radius = known.ball_radius_uu;
    let side = GOAL_HALF_WIDTH_UU - radius - crossing.x.abs();
    let top = GOAL_HEIGHT_UU - radius - crossing.z;
    side.min(top)
}

/// What became of the shot of a touch. Saves that another shot has are left out.
fn outcome(
    known: &Known<'_>,
    touches: &[Touch],
    at: usize,
    events: &[Event],
    (saves, used, goals): (&[usize], &[bool], &[usize]),
) -> Outcome {
    let Some(touch) = touches.get(at) else {
        return Outcome::Missed;
    };
    let team = touch.team.unwrap_or(0);
    // The next shot or the end of the round ends this one.
    let round_end_s = known
        .round(touch.frame)
        .map_or(f64::INFINITY, |round| round.end_s);
    let save = saves.iter().enumerate().find(|(number, index)| {
        let Some(save) = events.get(**index) else {
            return false;
        };
        let since_s = save.time_s - touch.time_s;
        let by = known
            .people
            .iter()
            .find(|person| Some(person.entity) == save.who);
        used.get(*number) == Some(&false)
            && (-EARLY_S..=SAVED_S).contains(&since_s)
            && by.and_then(|person| person.team) == Some(1 - team.min(1))
    });
    if let Some((number, _)) = save {
        return Outcome::Saved(number);
    }
    let next = touches
        .get(at + 1)
        .filter(|next| next.time_s <= round_end_s);
    let is_goal = goals
        .iter()
        .filter_map(|&index| events.get(index))
        .any(|goal| {
            let since_s = goal.time_s - touch.time_s;
            let is_own = goal.detail("team") == Some(if team == 0 { "blue" } else { "orange" });
            let is_next = next.is_none_or(|next| {
                // What the defenders touch on the line still goes in.
                next.team != Some(team) && next.person != touch.person
            });
            is_own && is_next && (0.0..=SCORED_S).contains(&since_s)
        });
    if is_goal {
        return Outcome::Goal;
    }
    match next {
        Some(next)
            if next.team == Some(1 - team.min(1)) && next.time_s - touch.time_s <= SAVED_S =>
        {
            match known.person(next.person) {
                Some(person) => Outcome::Blocked(person.entity),
                None => Outcome::Missed,
            }
        }
        _ => Outcome::Missed,
    }
}
