//! Carries: dribbling with the ball on the roof.

use super::super::feat::Feat;
use super::super::geometry::{flat, length, sub};
use super::super::known::Known;
use super::super::touches::Touch;

/// The ball is over the car: flat gap and height above the car's origin, in uu (subtr-actor; carball has 120.6).
const FLAT_UU: f32 = 129.85;
const ABOVE_UU: f32 = 220.0;

/// The ball is off the floor and not in the air, in uu (subtr-actor, carball).
const BALL_UU: [f32; 2] = [97.75, 600.0];

/// A shorter stretch is not a carry, in seconds (subtr-actor, carball).
const MIN_S: f64 = 1.0;

/// Holes are bridged in which the ball hops: up to this long, with the ball this near and between floor and air (carball merges
/// over stretches of such heights), in seconds and uu.
const BRIDGE_S: f64 = 1.0;
const HOP_UU: f32 = 300.0;

/// A car this far up and near a wall is on it, in uu.
const WALL_UU: f32 = 120.0;

/// Whether a player has the ball on the roof.
pub(super) fn is_carried(known: &Known<'_>, person: usize, frame: usize) -> bool {
    let (Some(ball), Some(car)) = (
        known.ball.position(frame),
        known
            .person(person)
            .and_then(|person| person.car.position(frame)),
    ) else {
        return false;
    };
    let between = sub(ball, car);
    let is_on_wall = car[2] >= WALL_UU && (car[0].abs() >= 3600.0 || car[1].abs() >= 5000.0);
    (BALL_UU[0]..=BALL_UU[1]).contains(&ball[2])
        && (0.0..=ABOVE_UU).contains(&between[2])
        && length(flat(between)) <= FLAT_UU
        && !is_on_wall
}

/// Whether the ball hops near a player who carried it.
fn hops(known: &Known<'_>, person: usize, frame: usize) -> bool {
    let car = known
        .person(person)
        .and_then(|person| person.car.position(frame));
    known
        .ball
        .position(frame)
        .zip(car)
        .is_some_and(|(ball, car)| {
            (BALL_UU[0]..=BALL_UU[1]).contains(&ball[2]) && length(flat(sub(ball, car))) <= HOP_UU
        })
}

pub(in super::super) fn find(known: &Known<'_>, touches: &[Touch]) -> Vec<Feat> {
    let mut feats = Vec::new();
    let mut index = 0;
    // A stretch of frames in which its player carries the ball.
    let mut open: Option<(usize, usize, usize)> = None;
    let close = |open: &mut Option<(usize, usize, usize)>, feats: &mut Vec<Feat>| {
        if let Some((person, from, to)) = open.take()
            && known.time_s(to) - known.time_s(from) >= MIN_S
        {
            let own = touches
                .iter()
                .filter(|touch| touch.person == person && (from..=to).contains(&touch.frame));
            let way = known.ball.position(from).zip(known.ball.position(to));
            let way = way.map_or(0.0, |(from, to)| length(flat(sub(to, from))));
            feats.push(
                Feat::new(known, "carry", person, from)
                    .until(to)
                    .with("touches", own.count().to_string())
                    .whole("way_uu", way),
            );
        }
    };
    for frame in 0..known.times_s.len() {
        while touches.get(index).is_some_and(|touch| touch.frame <= frame) {
            index += 1;
        }
        let owner = index
            .checked_sub(1)
            .and_then(|last| touches.get(last))
            .map(|touch| touch.person);
        let carrier =
            owner.filter(|&owner| known.is_live(frame) && is_carried(known, owner, frame));
        match (&mut open, carrier) {
            (Some((person, _, to)), Some(carrier)) if *person == carrier => *to = frame,
            (Some((person, _, to)), _)
                if owner == Some(*person)
                    && known.is_live(frame)
                    && known.time_s(frame) - known.time_s(*to) <= BRIDGE_S
                    && hops(known, *person, frame) => {}
            (_, carrier) => {
                close(&mut open, &mut feats);
                open = carrier.map(|carrier| (carrier, frame, frame));
            }
        }
    }
    close(&mut open, &mut feats);
    feats
}
