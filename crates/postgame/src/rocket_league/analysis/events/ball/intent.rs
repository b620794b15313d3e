//! What each touch was for. The rank is save, shot, clear, pass, boom, control; the game's own counters come first.

use super::super::geometry::{Vector, cosine, dot, flat, length, scale, sub};
use super::super::known::{Known, attack};
use super::super::touches::Touch;
use super::project::{GOAL_HALF_WIDTH_UU, GOAL_HEIGHT_UU, crossing};
use crate::rocket_league::analysis::timeline::state::Deed;
use crate::rocket_league::tables::{GOAL_LINE_UU, THIRD_UU};

/// A counter comes this long after its touch at most, in seconds (subtr-actor).
const COUNTER_S: f64 = 0.75;

/// The ball's velocity is settled this long after a touch, in seconds: dodges push for several frames (subtr-actor).
const SETTLED_S: f64 = 0.06;

/// A save: the ball before, faster than this, would have crossed the line within this time (subtr-actor), in uu/s and s.
const SAVED_UU_S: f32 = 250.0;
const SAVED_S: f32 = 2.0;

/// A shot: the same after (subtr-actor).
const SHOT_UU_S: f32 = 1000.0;
const SHOT_S: f32 = 2.5;

/// How far outside the mouth a ball may pass to be shot-like: one and a half radii, in uu.
const MOUTH_ROOM_UU: f32 = 137.0;

/// Where a hit is judged by where the ball goes: time (carball), in seconds.
const PROJECTED_S: f32 = 3.0;

/// A clear: slower balls and other directions are none (subtr-actor).
const CLEAR_UU_S: f32 = 1300.0;
const CLEAR_COSINE: f32 = 0.2;

/// A pass: the ball's speed, when and how far it passes a mate (subtr-actor), in uu/s, s and uu.
const PASS_UU_S: f32 = 500.0;
const PASS_S: [f32; 2] = [0.15, 2.5];
const PASS_WAY_UU: f32 = 500.0;
const PASS_NEAR_UU: f32 = 800.0;

/// A boom (subtr-actor).
const BOOM_UU_S: f32 = 1500.0;
const BOOM_COSINE: f32 = 0.3;

/// What a touch was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Action {
    Save,
    Shot,
    Clear,
    Pass,
    Boom,
    Control,
}

impl Action {
    pub fn name(self) -> &'static str {
        match self {
            Self::Save => "save",
            Self::Shot => "shot",
            Self::Clear => "clear",
            Self::Pass => "pass",
            Self::Boom => "boom",
            Self::Control => "control",
        }
    }
}

/// A touch's purpose and where the ball would go.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Intent {
    pub action: Action,
    /// The ball would end in the goal.
    pub is_on_goal: bool,
    /// Where the ball is after the touch and how it moves, settled.
    pub position: Vector,
    pub velocity: Vector,
}

/// The ball after a touch, once its velocity is settled and before the next touch.
fn settled(known: &Known<'_>, touch: &Touch, next: Option<&Touch>) -> (Vector, Vector) {
    let until_s = next.map_or(f64::INFINITY, |next| next.time_s - SETTLED_S);
    let mut found = (touch.ball.position, touch.ball.velocity);
    for frame in touch.frame..touch.frame + 4 {
        let time_s = known.time_s(frame);
        if time_s > until_s || time_s > touch.time_s + 0.13 || !known.is_live(frame) {
            break;
        }
        if let Some(ball) = known.ball.pose(frame) {
            found = (ball.position, ball.velocity);
        }
        if time_s >= touch.time_s + SETTLED_S {
            break;
        }
    }
    found
}

/// The purposes of all touches.
pub(in super::super) fn intents(known: &Known<'_>, touches: &[Touch]) -> Vec<Intent> {
    let deeds = |is_one: fn(Deed) -> Option<usize>| {
        let happenings = known.scene.found.happenings.iter();
        let deeds = happenings.filter_map(move |happening| {
            let life = is_one(happening.what)?;
            let person = known.scene.entities.people.get(life).copied()?;
            Some((happening.time_s, person))
        });
        deeds.collect::<Vec<(f64, usize)>>()
    };
    let saves = deeds(|deed| match deed {
        Deed::Save(player) => Some(player),
        _ => None,
    });
    let shots = deeds(|deed| match deed {
        Deed::Shot(player) | Deed::Goal(player) => Some(player),
        _ => None,
    });
    // The counter is of the player's last touch before it.
    let counted = |list: &[(f64, usize)], index: usize, touch: &Touch| {
        list.iter().any(|&(time_s, person)| {
            let since_s = time_s - touch.time_s;
            let later = touches
                .iter()
                .skip(index + 1)
                .take_while(|other| other.time_s <= time_s);
            person == touch.person
                && (-0.05..=COUNTER_S).contains(&since_s)
                && !later.into_iter().any(|other| other.person == person)
        })
    };
    let intent = |(index, touch): (usize, &Touch)| {
        let Some(team) = touch.team else {
            return Intent {
                action: Action::Control,
                is_on_goal: false,
                position: touch.ball.position,
                velocity: touch.ball.velocity,
            };
        };
        let sense = attack(team);
        let (position, velocity) = settled(known, touch, touches.get(index + 1));
        let speed = length(velocity);
        let is_mouth = |crossing: super::project::Crossing, room: f32| {
            crossing.x.abs() <= GOAL_HALF_WIDTH_UU + room && crossing.z <= GOAL_HEIGHT_UU + room
        };
        let theirs = crossing(known, position, velocity, sense, PROJECTED_S);
        let is_on_goal =
            known.is_standard && theirs.is_some_and(|crossing| is_mouth(crossing, 0.0));
        let before = touch.before;
        let saved = known.is_standard
            && length(before.velocity) >= SAVED_UU_S
            && crossing(known, before.position, before.velocity, -sense, SAVED_S)
                .is_some_and(|crossing| is_mouth(crossing, MOUTH_ROOM_UU));
        let is_shot = known.is_standard
            && speed >= SHOT_UU_S
            && theirs.is_some_and(|crossing| {
                crossing.after_s <= SHOT_S && is_mouth(crossing, MOUTH_ROOM_UU)
            });
        let ahead = sense * position[1];
        let own_goal = [0.0, -sense * GOAL_LINE_UU, 0.0];
        let their_goal = [0.0, sense * GOAL_LINE_UU, 0.0];
        let away = cosine(flat(velocity), flat(sub(position, own_goal)));
        let to_goal = cosine(flat(velocity), flat(sub(their_goal, position)));
        let action = if counted(&saves, index, touch) {
            Action::Save
        } else if counted(&shots, index, touch) {
            Action::Shot
        } else if saved {
            Action::Save
        } else if is_shot {
            Action::Shot
        } else if ahead <= -THIRD_UU && speed >= CLEAR_UU_S && away >= CLEAR_COSINE {
            Action::Clear
        } else if speed >= PASS_UU_S && is_pass(known, touch, team, position, velocity) {
            Action::Pass
        } else if speed >= BOOM_UU_S && to_goal >= BOOM_COSINE {
            Action::Boom
        } else {
            Action::Control
        };
        Intent {
            action,
            is_on_goal,
            position,
            velocity,
        }
    };
    touches.iter().enumerate().map(intent).collect()
}

/// Whether the ball goes to a mate.
fn is_pass(known: &Known<'_>, touch: &Touch, team: u8, position: Vector, velocity: Vector) -> bool {
    known
        .members(team)
        .filter(|&mate| mate != touch.person)
        .any(|mate| {
            let Some(at) = known
                .person(mate)
                .and_then(|mate| mate.car.position(touch.frame))
            else {
                return false;
            };
            let between = sub(at, position);
            let nearest_s = dot(between, velocity) / dot(velocity, velocity).max(1.0);
            let way = scale(velocity, nearest_s);
            (PASS_S[0]..=PASS_S[1]).contains(&nearest_s)
                && length(way) >= PASS_WAY_UU
                && length(sub(between, way)) <= PASS_NEAR_UU
        })
}
