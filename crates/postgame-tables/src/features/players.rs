//! The columns of each player: the car, the ball seen from it, boost, jumps, inputs, events.

use super::bodies::{self, push, turned, vectors};
use super::groups::Group;
use super::rows::{Column, Rows, SPEED_UU_S};

/// Who demolished a car is told for this long, in seconds: 30 frames in subtr-actor.
const DEMOLISHED_S: f64 = 1.0;

/// Boost as the file has it, of a percent.
const RAW_OF_PERCENT: f32 = 2.55;

fn sub(one: [f32; 3], other: [f32; 3]) -> [f32; 3] {
    std::array::from_fn(|axis| one[axis] - other[axis])
}

/// Adds the columns that a player has of a group.
pub(super) fn add(rows: &Rows<'_>, group: &Group, player: usize, columns: &mut Vec<Column>) {
    let prefix = format!("Player {player}");
    match group {
        Group::Player(name) => named(rows, name, (player, &prefix), columns),
        Group::Event(name, kind) => {
            let id = rows.cars.get(player).and_then(|car| car.player);
            // Who came second to the ball is the other one of the event.
            let of_other = kind == "beaten-to-ball";
            let events = rows.events(kind).filter(|event| {
                id.is_some()
                    && if of_other {
                        event.whom == id
                    } else {
                        event.who == id
                    }
            });
            let mut values = vec![0.0; rows.times_s.len()];
            for event in events {
                if let Some(value) = values.get_mut(rows.row_after(event.time_s)) {
                    *value = 1.0;
                }
            }
            push(
                columns,
                format!("{prefix} - analysis {name} event"),
                1.0,
                values,
            );
        }
        _ => {}
    }
}

fn named(rows: &Rows<'_>, name: &str, (player, prefix): (usize, &str), columns: &mut Vec<Column>) {
    let (Some(car), Some(body)) = (rows.cars.get(player), rows.bodies.get(player)) else {
        return;
    };
    let count = rows.times_s.len();
    let ball = &rows.ball;
    let entity = Some(car.car);
    let between = |balls: &[[f32; 3]], cars: &[[f32; 3]]| -> Vec<[f32; 3]> {
        let pairs = balls.iter().zip(cars);
        pairs.map(|(ball, car)| sub(*ball, *car)).collect()
    };
    let local = |all: Vec<[f32; 3]>| -> Vec<[f32; 3]> {
        let rotations = body.rotation.iter();
        let pairs = all.into_iter().zip(rotations);
        // The inverse rotation brings a vector into the car's frame.
        pairs
            .map(|(vector, &[x, y, z, w])| turned([-x, -y, -z, w], vector))
            .collect()
    };
    let mut add = |what: &str, scale: f32, all: Vec<[f32; 3]>| {
        vectors(columns, (prefix, what), scale, all.into_iter());
    };
    match name {
        "PlayerRelativeBallPosition" => {
            add(
                "relative ball position",
                SPEED_UU_S,
                between(&ball.position, &body.position),
            );
        }
        "PlayerRelativeBallVelocity" => {
            add(
                "relative ball velocity",
                SPEED_UU_S,
                between(&ball.velocity, &body.velocity),
            );
        }
        "PlayerLocalRelativeBallPosition" => {
            let all = local(between(&ball.position, &body.position));
            add("local relative ball position", SPEED_UU_S, all);
        }
        "PlayerLocalRelativeBallVelocity" => {
            let all = local(between(&ball.velocity, &body.velocity));
            add("local relative ball velocity", SPEED_UU_S, all);
        }
        "PlayerBallDistance" => {
            let all = between(&ball.position, &body.position).into_iter();
            let distances = all.map(|[x, y, z]| (x * x + y * y + z * z).sqrt());
            push(
                columns,
                format!("{prefix} - distance to ball"),
                SPEED_UU_S,
                distances.collect(),
            );
        }
        "PlayerTeam" => push(
            columns,
            format!("{prefix} - team"),
            1.0,
            vec![car.team; count],
        ),
        "PlayerBoost" => {
            let percents = rows.scalars(entity, "boost_percent").into_iter();
            let raw = percents.map(|percent| percent * RAW_OF_PERCENT).collect();
            push(
                columns,
                format!("{prefix} - boost level (raw replay units)"),
                255.0,
                raw,
            );
        }
        "PlayerBoostPercent" => {
            let percent = rows.scalars(entity, "boost_percent");
            push(columns, format!("{prefix} - boost percent"), 100.0, percent);
        }
        "PlayerJump" => {
            for (what, track) in [
                ("dodge active", "dodging"),
                ("jump active", "jumping"),
                ("double jump active", "double_jumping"),
            ] {
                push(
                    columns,
                    format!("{prefix} - {what}"),
                    1.0,
                    active(rows, player, track),
                );
            }
        }
        "PlayerAnyJump" => {
            let [dodge, jump, double] =
                ["dodging", "jumping", "double_jumping"].map(|track| active(rows, player, track));
            let all = dodge.into_iter().zip(jump).zip(double);
            let sums = all.map(|((dodge, jump), double)| dodge + 2.0 * jump + 4.0 * double);
            push(
                columns,
                format!("{prefix} - any_jump_active"),
                7.0,
                sums.collect(),
            );
        }
        "PlayerDodgeRefreshed" => {
            let mut counts = vec![0.0; count];
            for event in rows
                .events("dodge-refresh")
                .filter(|event| event.who == car.player)
            {
                if let Some(value) = counts.get_mut(rows.row_after(event.time_s)) {
                    *value += 1.0;
                }
            }
            push(
                columns,
                format!("{prefix} - dodge refresh count"),
                1.0,
                counts,
            );
        }
        "PlayerDemolishedBy" => {
            let mut by = vec![-1.0; count];
            for event in rows
                .events("demolition")
                .filter(|event| event.whom == car.player)
            {
                let Some(attacker) = rows.number(event.who) else {
                    continue;
                };
                let span =
                    rows.row_after(event.time_s)..rows.row_after(event.time_s + DEMOLISHED_S);
                by.get_mut(span).unwrap_or_default().fill(attacker as f32);
            }
            push(columns, format!("{prefix} - player demolished by"), 1.0, by);
        }
        "PlayerInputs" => {
            for what in ["throttle", "steer"] {
                push(
                    columns,
                    format!("{prefix} - {what}"),
                    1.0,
                    rows.scalars(entity, what),
                );
            }
            for (what, track) in [("handbrake", "handbrake"), ("boost", "boosting")] {
                push(
                    columns,
                    format!("{prefix} - {what}"),
                    1.0,
                    rows.flags(entity, track),
                );
            }
            let [dodge, jump, double] =
                ["dodging", "jumping", "double_jumping"].map(|track| active(rows, player, track));
            let all = dodge.into_iter().zip(jump).zip(double);
            // Absent wins: a number that is not one is not the larger.
            let any = all.map(|((dodge, jump), double)| (dodge + jump + double).clamp(0.0, 1.0));
            push(columns, format!("{prefix} - jump"), 1.0, any.collect());
        }
        _ => {
            let form = name.strip_prefix("PlayerRigidBody").unwrap_or_default();
            bodies::body(columns, prefix, form, body);
        }
    }
}

/// Whether a part of a car is active: 0 as long as the file has not said so, NaN where the car is not.
fn active(rows: &Rows<'_>, player: usize, track: &str) -> Vec<f32> {
    let (Some(car), Some(body)) = (rows.cars.get(player), rows.bodies.get(player)) else {
        return Vec::new();
    };
    let told = rows.flags(Some(car.car), track).into_iter();
    let there = told.zip(&body.position);
    let value = |(told, place): (f32, &[f32; 3])| match place[0].is_nan() {
        true => f32::NAN,
        false if told.is_nan() => 0.0,
        false => told,
    };
    there.map(value).collect()
}
