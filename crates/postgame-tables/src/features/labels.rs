//! What a model learns to predict: the next goal, the next touch, the winner.

use postgame::Recording;
use postgame::rocket_league::match_info;

use super::bodies::push;
use super::groups::Group;
use super::rows::{Column, Rows};

/// Adds the columns of a group of labels.
pub(super) fn add(rows: &Rows<'_>, group: &Group, columns: &mut Vec<Column>) {
    match group {
        Group::NextGoal(within_s) => next_goal(rows, *within_s, columns),
        Group::NextTouch => next_touch(rows, columns),
        Group::Winner => {
            let winner = match rows.recording {
                Recording::RocketLeague(replay) => match_info(replay).winner,
                _ => None,
            };
            let winner = winner.map_or(f32::NAN, |winner| f32::from(u8::from(winner == "orange")));
            push(
                columns,
                "label - winner",
                1.0,
                vec![winner; rows.times_s.len()],
            );
        }
        Group::Global(_) | Group::Player(_) | Group::Event(..) => {}
    }
}

/// Whether each team scores within a time. The time that a recording lacks at its end is one without goals: a match that ends
/// on the clock has none.
fn next_goal(rows: &Rows<'_>, within_s: f64, columns: &mut Vec<Column>) {
    for team in ["blue", "orange"] {
        let mut values = vec![0.0; rows.times_s.len()];
        let goals = rows.events("goal");
        for goal in goals.filter(|goal| goal.detail("team") == Some(team)) {
            let from = rows.row_after(goal.time_s - within_s);
            let to = rows.row_after(goal.time_s);
            values.get_mut(from..to).unwrap_or_default().fill(1.0);
        }
        let name = format!("label - {team} scores within {within_s} s");
        push(columns, name, 1.0, values);
    }
}

/// Who touches the ball next, of which team, and in how many seconds; NaN after the last touch.
fn next_touch(rows: &Rows<'_>, columns: &mut Vec<Column>) {
    let count = rows.times_s.len();
    let [mut player, mut team, mut seconds] = [0; 3].map(|_| vec![f32::NAN; count]);
    let mut from = 0;
    for touch in rows.events("touch") {
        let to = rows.row_after(touch.time_s).min(count);
        let number = rows.number(touch.who);
        let colour = number.and_then(|number| rows.cars.get(number));
        for row in from..to {
            let ahead_s = rows
                .times_s
                .get(row)
                .map_or(f64::NAN, |row_s| touch.time_s - row_s);
            let values = [
                (&mut player, number.map_or(f32::NAN, |number| number as f32)),
                (&mut team, colour.map_or(f32::NAN, |car| car.team)),
                (&mut seconds, ahead_s as f32),
            ];
            for (column, value) in values {
                if let Some(slot) = column.get_mut(row) {
                    *slot = value;
                }
            }
        }
        from = from.max(to);
    }
    push(columns, "label - next touch player", 1.0, player);
    push(columns, "label - next touch team", 1.0, team);
    push(columns, "label - next touch in s", 1.0, seconds);
}
