//! Air dribbles: one player's touches carry the ball through the air.

use super::super::feat::Feat;
use super::super::known::Known;
use super::super::touches::Touch;

/// Touches follow each other within this, in seconds (subtr-actor).
const APART_S: f64 = 3.0;

/// All touches, and those off wall and ground with the ball this high, in uu (subtr-actor).
const MIN_TOUCHES: usize = 3;
const MIN_AIR_TOUCHES: usize = 2;
const BALL_UU: f32 = 300.0;

/// The ball has fallen, in uu: it ends the dribble (subtr-actor).
const FALLEN_UU: f32 = 110.0;

/// A shorter one is none, in seconds (subtr-actor).
const MIN_S: f64 = 0.65;

/// Where a car is on a wall, in uu (subtr-actor).
const WALL_UU: [f32; 3] = [3200.0, 4600.0, 120.0];

/// A car lower than this is on the ground, in uu.
const GROUND_UU: f32 = 50.0;

fn is_on_wall([x, y, z]: [f32; 3]) -> bool {
    z >= WALL_UU[2] && (x.abs() >= WALL_UU[0] || y.abs() >= WALL_UU[1])
}

pub(in super::super) fn find(known: &Known<'_>, touches: &[Touch]) -> Vec<Feat> {
    let mut feats = Vec::new();
    let mut index = 0;
    while index < touches.len() {
        let mut last = index;
        while let (Some(touch), Some(next)) = (touches.get(last), touches.get(last + 1)) {
            let is_next = next.person == touch.person && next.time_s - touch.time_s <= APART_S;
            let stays_up = (touch.frame..=next.frame).all(|frame| {
                known
                    .ball
                    .position(frame)
                    .is_some_and(|ball| ball[2] > FALLEN_UU)
                    && known.is_live(frame)
            });
            if !is_next || !(stays_up || touch.ball.position[2] < BALL_UU) {
                break;
            }
            last += 1;
        }
        if let Some(group) = touches.get(index..=last) {
            feats.extend(one(known, group));
        }
        index = last + 1;
    }
    feats
}

fn one(known: &Known<'_>, group: &[Touch]) -> Option<Feat> {
    let in_air = group.iter().filter(|touch| {
        touch.ball.position[2] >= BALL_UU
            && touch.car.position[2] >= GROUND_UU
            && !is_on_wall(touch.car.position)
    });
    let (first, last) = (group.first()?, group.last()?);
    let is_one = group.len() >= MIN_TOUCHES
        && in_air.clone().count() >= MIN_AIR_TOUCHES
        && last.time_s - first.time_s >= MIN_S
        && last.ball.position[2] >= BALL_UU;
    let origin = if is_on_wall(first.car.position) {
        "wall"
    } else {
        "ground"
    };
    is_one.then(|| {
        Feat::new(known, "air-dribble", first.person, first.frame)
            .until(last.frame)
            .with("touches", group.len().to_string())
            .with("air_touches", in_air.count().to_string())
            .with("from", origin)
    })
}
