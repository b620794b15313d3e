//! Where cars were: on the field, to the ball, to their mates.

use super::super::tables::THIRD_UU;
use super::data::{Data, Player, STEP_S};
use super::percent;
use crate::stats::Group;

/// What teams have.
pub(super) const TEAM: &[&str] = &[
    "time_defensive_third_s",
    "time_neutral_third_s",
    "time_offensive_third_s",
    "time_defensive_half_s",
    "time_offensive_half_s",
    "time_behind_ball_s",
    "time_infront_ball_s",
];

#[derive(Default)]
struct Mean {
    sum: f64,
    count: usize,
}

impl Mean {
    fn add(&mut self, value: f32) {
        self.sum += f64::from(value);
        self.count += 1;
    }

    fn value(&self) -> f64 {
        self.sum / self.count as f64
    }
}

fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    let [x, y, z] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    (x * x + y * y + z * z).sqrt()
}

/// Towards the other team's goal.
fn forward(team: Option<u8>, y: f32) -> f32 {
    if team == Some(1) { -y } else { y }
}

pub(super) fn player(data: &Data<'_>, number: usize) -> Group {
    let Some(player) = data.players.get(number) else {
        return Group::new("positioning");
    };
    let (mut thirds_s, mut halves_s, mut sides_s) = ([0.0; 3], [0.0; 2], [0.0; 2]);
    let (mut to_ball, mut with_ball, mut without_ball) =
        (Mean::default(), Mean::default(), Mean::default());
    let (mut ball_at, mut hit_at) = (0, 0);
    for life in &player.life_samples {
        let mut before_s = None;
        for index in life.clone() {
            let Some(&time_s) = player.body.times_s.get(index) else {
                continue;
            };
            let position = player.body.position_uu(index);
            while data
                .ball
                .times_s
                .get(ball_at + 1)
                .is_some_and(|&next_s| next_s <= time_s)
            {
                ball_at += 1;
            }
            let ball = data.ball.position_uu(ball_at);
            let is_known = data
                .ball
                .times_s
                .get(ball_at)
                .is_some_and(|&ball_s| ball_s <= time_s);
            if is_known {
                let distance = distance(position, ball);
                to_ball.add(distance);
                while data.hits.get(hit_at).is_some_and(|hit| hit.0 <= time_s) {
                    hit_at += 1;
                }
                // The team that touched the ball last has it.
                let possession = hit_at
                    .checked_sub(1)
                    .and_then(|index| data.hits.get(index))
                    .map(|hit| hit.1);
                match possession {
                    possession if possession.is_some() && possession == player.team => {
                        with_ball.add(distance)
                    }
                    Some(_) => without_ball.add(distance),
                    None => {}
                }
            }
            if let Some(passed_s) = before_s.map(|before_s| time_s - before_s)
                && player.body.speed_uu_s(index) > 0.0
            {
                let y = forward(player.team, position[1]);
                thirds_s[usize::from(y >= -THIRD_UU) + usize::from(y > THIRD_UU)] += passed_s;
                halves_s[usize::from(y > 0.0)] += passed_s;
                if is_known {
                    sides_s[usize::from(y > forward(player.team, ball[1]))] += passed_s;
                }
            }
            before_s = Some(time_s);
        }
    }
    let mates = mates(data, number);
    let played_s = data.played_s();
    let all_s: f64 = halves_s.iter().sum();
    let mut group = Group::new("positioning")
        .amount("avg_distance_to_ball_uu", to_ball.value())
        .amount("avg_distance_to_ball_possession_uu", with_ball.value())
        .amount(
            "avg_distance_to_ball_no_possession_uu",
            without_ball.value(),
        );
    if mates.to_mates.count > 0 {
        group = group.amount("avg_distance_to_mates_uu", mates.to_mates.value());
    }
    group = group
        .amount("time_defensive_third_s", thirds_s[0])
        .amount("time_neutral_third_s", thirds_s[1])
        .amount("time_offensive_third_s", thirds_s[2])
        .amount("time_defensive_half_s", halves_s[0])
        .amount("time_offensive_half_s", halves_s[1])
        .amount("time_behind_ball_s", sides_s[0])
        .amount("time_infront_ball_s", sides_s[1])
        .count(
            "goals_against_while_last_defender",
            last_defender(data, player),
        );
    let ranks = [
        "most_back",
        "most_forward",
        "closest_to_ball",
        "farthest_from_ball",
    ]
    .iter()
    .zip(mates.seconds);
    for (name, seconds) in ranks.clone() {
        group = group.amount(format!("time_{name}_s"), seconds);
    }
    group = group
        .amount("percent_defensive_third", percent(thirds_s[0], all_s))
        .amount("percent_offensive_third", percent(thirds_s[2], all_s))
        .amount("percent_neutral_third", percent(thirds_s[1], all_s))
        .amount("percent_defensive_half", percent(halves_s[0], all_s))
        .amount("percent_offensive_half", percent(halves_s[1], all_s))
        .amount("percent_behind_ball", percent(sides_s[0], all_s))
        .amount("percent_infront_ball", percent(sides_s[1], all_s));
    for (name, seconds) in ranks {
        group = group.amount(format!("percent_{name}"), percent(seconds, played_s));
    }
    group
}

struct Mates {
    to_mates: Mean,
    /// Most back, most forward, closest to the ball, farthest from it.
    seconds: [f64; 4],
}

/// A player among their mates, ten times a second while the ball is played.
fn mates(data: &Data<'_>, number: usize) -> Mates {
    let mut mates = Mates {
        to_mates: Mean::default(),
        seconds: [0.0; 4],
    };
    let Some(player) = data.players.get(number) else {
        return mates;
    };
    let others: Vec<&Vec<Option<[f32; 3]>>> = data
        .players
        .iter()
        .zip(&data.grids)
        .enumerate()
        .filter(|(index, (other, _))| *index != number && other.team == player.team)
        .map(|(_, (_, grid))| grid)
        .collect();
    let Some(grid) = data.grids.get(number) else {
        return mates;
    };
    for (step, (own, ball)) in grid.iter().zip(&data.ball_grid).enumerate() {
        let (Some(own), ball) = (*own, *ball) else {
            continue;
        };
        let y = forward(player.team, own[1]);
        let to_ball = ball.map(|ball| distance(own, ball));
        let mut is_most = [true; 4];
        for other in others.iter().filter_map(|other| *other.get(step)?) {
            mates.to_mates.add(distance(own, other));
            let other_y = forward(player.team, other[1]);
            is_most[0] &= y <= other_y;
            is_most[1] &= y >= other_y;
            if let (Some(own), Some(ball)) = (to_ball, ball) {
                let other = distance(other, ball);
                is_most[2] &= own <= other;
                is_most[3] &= own >= other;
            }
        }
        for (seconds, is_most) in mates.seconds.iter_mut().zip(is_most) {
            *seconds += if is_most { STEP_S } else { 0.0 };
        }
    }
    mates
}

/// How many goals the others scored while this player was the nearest of the team to the own goal.
fn last_defender(data: &Data<'_>, player: &Player<'_>) -> usize {
    let scored_on = |event: &crate::timeline::Event| {
        let team = event.details.iter().find(|detail| detail.0 == "team");
        team.is_some_and(|team| {
            team.1
                == if player.team == Some(0) {
                    "orange"
                } else {
                    "blue"
                }
        })
    };
    let goals = data.events("goal").iter().filter(|goal| scored_on(goal));
    let place = |player: &Player<'_>, time_s: f64| {
        player
            .body
            .index_at(time_s)
            .map(|index| player.body.position_uu(index))
    };
    let is_last = |goal: &&&crate::timeline::Event| {
        let Some(own) = place(player, goal.time_s) else {
            return false;
        };
        let mates = data
            .players
            .iter()
            .filter(|mate| mate.id != player.id && mate.team == player.team);
        mates
            .filter_map(|mate| place(mate, goal.time_s))
            .all(|mate| forward(player.team, own[1]) <= forward(player.team, mate[1]))
    };
    goals.filter(is_last).count()
}
