//! Wall aerials and ceiling shots.

use super::super::feat::Feat;
use super::super::geometry::{Vector, cosine, dot, ramp, sub, unit};
use super::super::known::{Known, attack};
use super::super::touches::Touch;

/// A car on a wall (subtr-actor): how high, how near, and its roof points inside; in uu.
const UP_UU: f32 = 120.0;
const NEAR_UU: f32 = 60.0;
const ROOF: f32 = 0.5;

/// It was there this long, left it this long before the touch at most, and left it this high; in seconds and uu.
const RIDE_S: f64 = 0.30;
const LEFT_UU: f32 = 100.0;
const FLIGHT_S: f64 = 2.75;

/// The touch is this high: car and ball, in uu (subtr-actor).
const CAR_UU: f32 = 300.0;
const BALL_UU: f32 = 400.0;

/// One in this time, in seconds (subtr-actor).
const ONCE_S: f64 = 3.0;

/// Holes in the contact with the wall are bridged, in seconds.
const HOLE_S: f64 = 0.12;

/// Half the field's width and length, half of the goal's mouth, and the radius of a corner's arc, in uu.
const SIDE_UU: f32 = 4096.0;
const BACK_UU: f32 = 5120.0;
const MOUTH_UU: f32 = 900.0;
const CORNER_UU: f32 = 1152.0;

/// The inside of the wall a place is at.
fn wall([x, y, z]: Vector) -> Option<Vector> {
    if z < UP_UU {
        return None;
    }
    // A corner is an arc between the walls (subtr-actor).
    let [inner_x, inner_y] = [SIDE_UU - CORNER_UU, BACK_UU - CORNER_UU];
    if x.abs() > inner_x && y.abs() > inner_y {
        let [out_x, out_y] = [x.abs() - inner_x, y.abs() - inner_y];
        let out = (out_x * out_x + out_y * out_y).sqrt();
        return (CORNER_UU - out <= NEAR_UU)
            .then(|| [-x.signum() * out_x / out, -y.signum() * out_y / out, 0.0]);
    }
    if SIDE_UU - x.abs() <= NEAR_UU {
        return Some([-x.signum(), 0.0, 0.0]);
    }
    (BACK_UU - y.abs() <= NEAR_UU && (x.abs() > MOUTH_UU || z > 642.775)).then_some([
        0.0,
        -y.signum(),
        0.0,
    ])
}

fn is_on_wall(known: &Known<'_>, person: usize, frame: usize) -> bool {
    let Some(car) = known.person(person).map(|person| &person.car) else {
        return false;
    };
    let inside = car.position(frame).and_then(wall);
    inside.is_some_and(|inside| {
        car.axes(frame)
            .is_some_and(|axes| dot(axes.up, inside) >= ROOF)
    })
}

/// A touch this near to a side or back wall is one on the wall, in uu (subtr-actor's surface of a touch).
const BY_SIDE_UU: f32 = 3600.0;
const BY_BACK_UU: f32 = 5000.0;

/// Whether a car is by a wall: driving on it or only just off it.
fn is_by_wall([x, y, z]: Vector) -> bool {
    z >= UP_UU && (x.abs() >= BY_SIDE_UU || (y.abs() >= BY_BACK_UU && x.abs() > MOUTH_UU))
}

/// The name of the wall a car left, seen from its team's attack.
fn label([x, y, _]: Vector, team: u8) -> &'static str {
    let sense = attack(team);
    // +X is to the left of blue, which attacks towards +Y.
    let (left, ahead) = (sense * x > 0.0, sense * y > 0.0);
    let (across, along) = (x.abs() / SIDE_UU, y.abs() / BACK_UU);
    let is_corner = across.min(along) / across.max(along).max(1e-3) >= 0.95;
    match (is_corner, across >= along, left, ahead) {
        (true, _, true, true) => "front-left-corner",
        (true, _, false, true) => "front-right-corner",
        (true, _, true, false) => "back-left-corner",
        (true, _, false, false) => "back-right-corner",
        (false, true, true, _) => "left",
        (false, true, false, _) => "right",
        (false, false, _, true) => "front",
        (false, false, _, false) => "back",
    }
}

pub(in super::super) fn wall_aerials(known: &Known<'_>, touches: &[Touch]) -> Vec<Feat> {
    let mut feats: Vec<Feat> = Vec::new();
    if !known.is_standard {
        return feats;
    }
    for touch in touches {
        let is_high = touch.car.position[2] >= CAR_UU && touch.ball.position[2] >= BALL_UU;
        let Some(team) = touch
            .team
            .filter(|_| is_high && !is_by_wall(touch.car.position))
        else {
            continue;
        };
        let is_again = feats.iter().rev().any(|other| {
            other.person == Some(touch.person) && touch.time_s - known.time_s(other.frame) < ONCE_S
        });
        if is_again {
            continue;
        }
        if let Some((left, ride_s)) = ride(known, touch) {
            let flight_s = touch.time_s - known.time_s(left);
            let confidence = 0.30
                + 0.20 * ramp(ride_s as f32, 0.3, 1.2)
                + 0.18 * (1.0 - ramp(flight_s as f32, 0.15, 2.75))
                + 0.16 * ramp(touch.car.position[2], 100.0, 850.0)
                + 0.16 * ramp(touch.push_uu_s(), 80.0, 900.0);
            let place = known
                .person(touch.person)
                .and_then(|person| person.car.position(left));
            feats.push(
                Feat::new(known, "wall-aerial", touch.person, touch.frame)
                    .with("wall", label(place.unwrap_or([0.0; 3]), team))
                    .decimal("ride_s", ride_s)
                    .decimal("flight_s", flight_s)
                    .decimal("confidence", confidence.into()),
            );
        }
    }
    feats
}

/// The frame in which the car left the wall before a touch, and how long it had been on it.
fn ride(known: &Known<'_>, touch: &Touch) -> Option<(usize, f64)> {
    let car = &known.person(touch.person)?.car;
    let mut left = None;
    let mut first = touch.frame;
    for frame in (0..touch.frame).rev() {
        let time_s = known.time_s(frame);
        let position = car.position(frame)?;
        if is_on_wall(known, touch.person, frame) {
            left.get_or_insert(frame);
            first = frame;
        } else if left.is_some() {
            if known.time_s(first) - time_s > HOLE_S {
                break;
            }
        } else if touch.time_s - time_s > FLIGHT_S || position[2] < LEFT_UU {
            // It touched the ground in between.
            return None;
        }
    }
    let left = left?;
    let ride_s = known.time_s(left) - known.time_s(first);
    (ride_s >= RIDE_S).then_some((left, ride_s))
}

/// The ceiling: how far below it a car drives, its roof pointing down (subtr-actor), in uu.
const CEILING_UU: f32 = 2044.0;
const CEILING_NEAR_UU: f32 = 90.0;
const CEILING_ROOF: f32 = 0.72;

/// A ceiling shot's touch (subtr-actor): how long after, and where; in s, uu and uu/s.
const CEILING_S: f64 = 1.35;
const DROP_UU: f32 = 120.0;
const CEILING_CAR_UU: f32 = 260.0;
const CEILING_BALL_UU: f32 = 220.0;
const CEILING_LOCAL_UU: [f32; 3] = [-120.0, 260.0, 240.0];
const CEILING_NOSE: f32 = 0.12;
const CEILING_APPROACH_UU_S: f32 = 90.0;
const CEILING_PUSH_UU_S: f32 = 120.0;
const CEILING_CONFIDENCE: f32 = 0.54;

pub(in super::super) fn ceiling_shots(known: &Known<'_>, touches: &[Touch]) -> Vec<Feat> {
    let shots = touches.iter().filter(|_| known.is_standard);
    shots
        .filter_map(|touch| ceiling_shot(known, touch))
        .collect()
}

fn ceiling_shot(known: &Known<'_>, touch: &Touch) -> Option<Feat> {
    let car = &known.person(touch.person)?.car;
    let height = touch.car.position[2];
    let is_placed = (CEILING_CAR_UU..=CEILING_UU - DROP_UU).contains(&height)
        && touch.ball.position[2] >= CEILING_BALL_UU
        && touch.push_uu_s() >= CEILING_PUSH_UU_S;
    if !is_placed {
        return None;
    }
    let first = known.frame(touch.time_s - CEILING_S);
    let contact = (first..touch.frame).rev().find(|&frame| {
        car.position(frame)
            .is_some_and(|position| CEILING_UU - position[2] <= CEILING_NEAR_UU)
            && car
                .axes(frame)
                .is_some_and(|axes| -axes.up[2] >= CEILING_ROOF)
    })?;
    let local = known.local_ball(touch.person, touch.frame)?;
    let axes = car.axes(touch.frame)?;
    let between = sub(touch.ball.position, touch.car.position);
    let nose = cosine(axes.forward, between);
    let approach = dot(
        sub(touch.car.velocity, touch.before.velocity),
        unit(between),
    );
    let is_aimed = local[0] >= CEILING_LOCAL_UU[0]
        && local[1].abs() <= CEILING_LOCAL_UU[1]
        && local[2].abs() <= CEILING_LOCAL_UU[2]
        && nose >= CEILING_NOSE
        && approach >= CEILING_APPROACH_UU_S;
    let after_s = touch.time_s - known.time_s(contact);
    let roof = car.axes(contact).map_or(0.0, |axes| -axes.up[2]);
    let confidence = 0.20 * (1.0 - ramp(after_s as f32, 0.2, CEILING_S as f32))
        + 0.15 * ramp(CEILING_UU - height, 140.0, 520.0)
        + 0.12 * ramp(height, 220.0, 900.0)
        + 0.17 * ramp(nose, 0.12, 0.92)
        + 0.16 * ramp(approach, 90.0, 900.0)
        + 0.10 * ramp(touch.push_uu_s(), 120.0, 900.0)
        + 0.10 * ramp(roof, 0.72, 0.98);
    (is_aimed && confidence >= CEILING_CONFIDENCE).then(|| {
        Feat::new(known, "ceiling-shot", touch.person, touch.frame)
            .decimal("since_ceiling_s", after_s)
            .decimal("confidence", confidence.into())
    })
}
