//! What the files themselves prove about touches.

use postgame::rocket_league::tables::{BALL_RADIUS_UU, CAR_BODIES, HITBOXES, Hitbox};
use postgame::timeline::{Entity, Event, Sample};

use crate::load::{self, Case};

/// A touch lies this near to the game's word for it, in seconds.
const NEAR_S: f64 = 0.15;

/// A counter grows this long after its touch at most, in seconds.
const COUNTED_S: f64 = 15.0;

/// A car within this of the ball's surface may have touched it, in uu.
const REACH_UU: f64 = 25.0;

fn paths() -> Vec<String> {
    let Some(facts) = load::facts() else {
        return Vec::new();
    };
    let mut paths: Vec<String> = facts.into_iter().map(|fact| fact.path).collect();
    paths.sort();
    paths.dedup();
    paths
}

/// When the game says that another team than before touched the ball, and which: 0 or 1.
fn marks(case: &Case) -> Vec<(f64, u8)> {
    let ball = case
        .timeline
        .entities
        .iter()
        .find(|entity| entity.kind == "ball");
    let track = ball.and_then(|ball| {
        ball.tracks
            .iter()
            .find(|track| track.columns[0].name == "hit_team")
    });
    let Some(track) = track else {
        return Vec::new();
    };
    let mut before = None;
    let mut marks = Vec::new();
    for (index, &time_s) in track.times_s.iter().enumerate() {
        let Some(Sample::Scalar(team)) = track.columns[0].values.get(index) else {
            continue;
        };
        // A keyframe repeats the last one.
        if before.replace(team) != Some(team) && team < 2.0 {
            marks.push((time_s, team as u8));
        }
    }
    marks
}

fn team_of(event: &Event) -> Option<u8> {
    match event.detail("team") {
        Some("blue") => Some(0),
        Some("orange") => Some(1),
        _ => None,
    }
}

/// The ball may be hit and gone before the file tells of it again: what is measured is the closest approach around the touch.
const AROUND_S: f64 = 0.12;
const STEP_S: f64 = 0.004;

/// How near the player's car comes to the ball's surface around a touch, in uu: between samples both move evenly.
fn approach_uu(case: &Case, touch: &Event) -> Option<f64> {
    let who = touch.who?;
    let of_kind = |kind: &str| {
        case.timeline
            .entities
            .iter()
            .filter(move |entity| entity.kind == kind)
            .collect::<Vec<_>>()
    };
    let car = of_kind("car")
        .into_iter()
        .find(|car| car.parent == Some(who))?;
    let balls = of_kind("ball");
    let hitbox = hitbox(case, who.0);
    let steps = (2.0 * AROUND_S / STEP_S) as usize;
    let times = (0..=steps).map(|step| touch.time_s - AROUND_S + step as f64 * STEP_S);
    let gaps = times.flat_map(|time_s| {
        balls
            .iter()
            .filter_map(move |ball| gap_uu(car, ball, hitbox, time_s))
            .collect::<Vec<_>>()
    });
    gaps.min_by(f64::total_cmp)
}

/// The hitbox of a player's body, Octane's if it is not known.
fn hitbox(case: &Case, player: usize) -> &'static Hitbox {
    let player = &case.timeline.entities[player];
    let body = player
        .tracks
        .iter()
        .find(|track| track.columns[0].name == "body_id");
    let id = body.and_then(|track| match track.columns[0].values.get(0)? {
        Sample::Scalar(id) => Some(id as u32),
        _ => None,
    });
    let body = CAR_BODIES.iter().find(|body| Some(body.id) == id);
    &HITBOXES[body.map_or(0, |body| body.hitbox)]
}

/// From a car's box to the ball's surface at a time. The timeline has metres, Y up and Z from goal to goal.
fn gap_uu(car: &Entity, ball: &Entity, hitbox: &Hitbox, time_s: f64) -> Option<f64> {
    if !car.presence.contains(time_s) || !ball.presence.contains(time_s) {
        return None;
    }
    let (car_m, ball_m) = (car.position(time_s)?, ball.position(time_s)?);
    let [x, y, z, w] = car.rotation(time_s)?.map(f64::from);
    let between: [f64; 3] =
        std::array::from_fn(|axis| f64::from(ball_m[axis] - car_m[axis]) * 100.0);
    // The inverse rotation brings it into the car's frame: forward, up, side.
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        ]
    };
    let axis = [-x, -y, -z];
    let once = cross(axis, between);
    let twice = cross(axis, once);
    let [forward, up, side] =
        std::array::from_fn(|part| between[part] + 2.0 * (w * once[part] + twice[part]));
    let local = [forward, side, up];
    let outside: f64 = (0..3)
        .map(|part| {
            let from_middle = (local[part] - f64::from(hitbox.middle_uu[part])).abs();
            (from_middle - f64::from(hitbox.size_uu[part]) / 2.0)
                .max(0.0)
                .powi(2)
        })
        .sum();
    Some((outside.sqrt() - f64::from(BALL_RADIUS_UU)).max(0.0))
}

#[test]
fn the_game_says_who_touched_the_ball() {
    let (mut marked, mut met) = (0, 0);
    let (mut deeds, mut with_touch) = (0, 0);
    let (mut touched, mut far, mut wide) = (0, Vec::new(), 0);
    for path in &paths() {
        let case = Case::read(path);
        let touches: Vec<_> = case.events("touch").collect();
        let marks = marks(&case);
        for &(time_s, team) in &marks {
            marked += 1;
            let is_met = touches.iter().any(|touch| {
                team_of(touch) == Some(team) && (touch.time_s - time_s).abs() <= NEAR_S
            });
            met += usize::from(is_met);
            if !is_met {
                println!("no touch of team {team} at {time_s:.2} in {path}");
            }
        }
        for event in case
            .timeline
            .events
            .iter()
            .filter(|event| matches!(&*event.kind, "goal" | "shot" | "save" | "assist"))
        {
            let Some(who) = event.who else { continue };
            deeds += 1;
            let found = touches.iter().any(|touch| {
                touch.who == Some(who)
                    && touch.time_s <= event.time_s + 1.0
                    && touch.time_s >= event.time_s - COUNTED_S
            });
            with_touch += usize::from(found);
            if !found {
                let name = case.name(Some(who)).unwrap_or_default();
                println!(
                    "no touch of {name} before {} at {:.2} in {path}",
                    event.kind, event.time_s
                );
            }
        }
        for touch in touches {
            touched += 1;
            let has_mark = marks.iter().any(|mark| {
                team_of(touch) == Some(mark.1) && (touch.time_s - mark.0).abs() <= NEAR_S
            });
            let stated_uu: f64 = touch.detail("gap_uu").unwrap().parse().unwrap();
            let measured_uu = approach_uu(&case, touch).unwrap_or(f64::INFINITY);
            wide += usize::from(measured_uu > REACH_UU);
            if !has_mark && stated_uu.min(measured_uu) > REACH_UU {
                far.push(format!(
                    "{:.2} {stated_uu} {measured_uu:.0} uu in {path}",
                    touch.time_s
                ));
            }
        }
    }
    println!(
        "{met} of {marked} marks have a touch; {with_touch} of {deeds} deeds have a touch of their player; \
         of {touched} touches {} have neither mark nor car, {wide} have no car within {REACH_UU} uu between samples",
        far.len()
    );
    for touch in &far {
        println!("neither mark nor car: {touch}");
    }
    assert!(met * 100 >= marked * 98, "{met} of {marked}");
    assert_eq!(with_touch, deeds);
    assert!(far.is_empty(), "{} touches", far.len());
}
