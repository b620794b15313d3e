//! Flip resets: the ball gives the dodge back, and what became of it.

use super::super::feat::Feat;
use super::super::geometry::length;
use super::super::known::Known;
use super::super::touches::Touch;
use crate::rocket_league::analysis::timeline::state::Deed;

/// The game's counter rose on the ball (subtr-actor): car and ball are this high, this near, and the ball is below the
/// car's roof, in uu.
const CAR_UU: f32 = 95.0;
const BALL_UU: f32 = 80.0;
const APART_UU: f32 = 180.0;
const LOCAL_UP_UU: f32 = 140.0;

/// Without the counter: the ball is under the wheels, in uu (subtr-actor, and the wheels' side of the box).
const UNDER_UU: [f32; 2] = [110.0, -60.0];
const UNDER_GAP_UU: f32 = 10.0;

/// The dodge comes this long after it, and its touch; in seconds (subtr-actor).
const USED_S: [f64; 2] = [0.05, 2.0];
const TOUCH_AFTER_S: f64 = 0.35;

/// A car this low has landed, in uu (subtr-actor).
const LANDED_UU: f32 = 80.0;

/// The refreshes by the game's counter: time, person.
fn refreshes(known: &Known<'_>) -> Vec<(f64, usize)> {
    let happenings = known.scene.found.happenings.iter();
    let refreshes = happenings.filter_map(|happening| {
        let Deed::Refresh(car) = happening.what else {
            return None;
        };
        Some((happening.time_s, (*known.scene.entities.owners.get(car)?)?))
    });
    refreshes.collect()
}

pub(in super::super) fn find(known: &Known<'_>, touches: &[Touch]) -> Vec<Feat> {
    let counted = refreshes(known);
    let has_counter = known
        .scene
        .found
        .cars
        .iter()
        .any(|car| car.refreshes.is_some());
    let mut feats: Vec<Feat> = Vec::new();
    if has_counter {
        for &(time_s, person) in &counted {
            let frame = known.frame(time_s);
            if is_on_ball(known, person, frame) {
                feats.push(reset(known, touches, person, frame));
            }
        }
        return feats;
    }
    for touch in touches
        .iter()
        .filter(|touch| !touch.is_dodging && touch.gap_uu <= UNDER_GAP_UU)
    {
        let Some(local) = known.local_ball(touch.person, touch.frame) else {
            continue;
        };
        let is_under = local[0].abs() <= UNDER_UU[0]
            && local[1].abs() <= UNDER_UU[0]
            && local[2] <= UNDER_UU[1];
        let is_up = touch.car.position[2] >= CAR_UU;
        if is_under && is_up {
            let feat = reset(known, touches, touch.person, touch.frame);
            // Without the counter only a dodge that could not have been had proves it.
            if feat.detail("outcome") == Some("used") {
                feats.push(feat);
            }
        }
    }
    feats
}

fn is_on_ball(known: &Known<'_>, person: usize, frame: usize) -> bool {
    let near = frame.saturating_sub(2)..=frame + 1;
    near.into_iter().any(|frame| {
        let (Some(ball), Some(local), Some(car)) = (
            known.ball.position(frame),
            known.local_ball(person, frame),
            known
                .person(person)
                .and_then(|person| person.car.position(frame)),
        ) else {
            return false;
        };
        car[2] >= CAR_UU
            && ball[2] >= BALL_UU
            && length(local) <= APART_UU
            && local[2] <= LOCAL_UP_UU
    })
}

fn reset(known: &Known<'_>, touches: &[Touch], person: usize, frame: usize) -> Feat {
    let time_s = known.time_s(frame);
    let car = known.person(person).map(|person| &person.car);
    let landed_s = (frame + 1..known.times_s.len())
        .take_while(|&frame| known.time_s(frame) - time_s <= USED_S[1])
        .find(|&frame| {
            car.and_then(|car| car.position(frame))
                .is_none_or(|car| car[2] <= LANDED_UU)
        })
        .map(|frame| known.time_s(frame));
    let dodge = known.dodges.iter().find(|dodge| {
        let since_s = dodge.time_s - time_s;
        dodge.person == person && (USED_S[0]..=USED_S[1]).contains(&since_s)
    });
    let dodge = dodge.filter(|dodge| landed_s.is_none_or(|landed_s| dodge.time_s < landed_s));
    let hit = dodge.and_then(|dodge| {
        touches.iter().find(|touch| {
            let since_s = touch.time_s - dodge.time_s;
            touch.person == person
                && touch.time_s > time_s
                && (-0.25..=TOUCH_AFTER_S.max(super::super::known::DODGE_S)).contains(&since_s)
        })
    });
    let outcome = match (dodge, landed_s) {
        (Some(_), _) => "used",
        (None, Some(_)) => "landed",
        (None, None) => "expired",
    };
    let feat = Feat::new(known, "flip-reset", person, frame).with("outcome", outcome);
    let feat = match dodge {
        Some(dodge) => feat.decimal("dodge_s", dodge.time_s),
        None => feat,
    };
    match hit {
        Some(touch) => feat.decimal("hit_s", touch.time_s),
        None => feat,
    }
}
