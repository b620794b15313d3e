//! Where cars were: on the field, to the ball, to their mates.

use super::super::tables::THIRD_UU;
use super::data::{Data, Player};
use super::percent;
use super::ranks::{Mean, distance, forward};
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

/// Who defended last is looked at this long after the goal: from 1 to 2.5 s all players of the ballchasing files agree,
/// at the goal itself two do not.
const AFTER_GOAL_S: f64 = 1.5;

pub(super) fn player(data: &Data<'_>, number: usize) -> Group {
    let Some(player) = data.players.get(number) else {
        return Group::new("positioning");
    };
    let (mut thirds_s, mut halves_s, mut sides_s) = ([0.0; 3], [0.0; 2], [0.0; 2]);
    let (mut to_ball, mut with_ball, mut without_ball) =
        (Mean::default(), Mean::default(), Mean::default());
    let mut balls = data.ball.times_s.iter().zip(&data.ball.positions_uu);
    let mut next_ball = balls.next();
    let mut ball: Option<[f32; 3]> = None;
    let mut hits = data.hits.iter();
    let mut next_hit = hits.next();
    let mut has_ball: Option<bool> = None;
    for life in &player.life_samples {
        let mut before_s = None;
        for (time_s, position, speed_uu_s) in player.body.samples(life.clone()) {
            while let Some((_, at)) = next_ball.filter(|next| *next.0 <= time_s) {
                ball = Some(*at);
                next_ball = balls.next();
            }
            // The team that touched the ball last has it.
            while let Some(hit) = next_hit.filter(|next| next.0 <= time_s) {
                has_ball = Some(player.team == Some(hit.1));
                next_hit = hits.next();
            }
            if let Some(ball) = ball {
                let distance = distance(position, ball);
                to_ball.add(distance);
                match has_ball {
                    Some(true) => with_ball.add(distance),
                    Some(false) => without_ball.add(distance),
                    None => {}
                }
            }
            if let Some(before_s) = before_s
                && speed_uu_s > 0.0
            {
                let passed_s: f64 = time_s - before_s;
                let y = forward(player.team, position[1]);
                thirds_s[usize::from(y >= -THIRD_UU) + usize::from(y > THIRD_UU)] += passed_s;
                halves_s[usize::from(y > 0.0)] += passed_s;
                if let Some(ball) = ball {
                    sides_s[usize::from(y > forward(player.team, ball[1]))] += passed_s;
                }
            }
            before_s = Some(time_s);
        }
    }
    let ranks = data.ranks.get(number).cloned().unwrap_or_default();
    let played_s = data.played_s();
    let all_s: f64 = halves_s.iter().sum();
    let mut group = Group::new("positioning")
        .amount("avg_distance_to_ball_uu", to_ball.value())
        .amount("avg_distance_to_ball_possession_uu", with_ball.value())
        .amount(
            "avg_distance_to_ball_no_possession_uu",
            without_ball.value(),
        );
    if ranks.to_mates.count > 0 {
        group = group.amount("avg_distance_to_mates_uu", ranks.to_mates.value());
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
        ("most_back", ranks.most_back_s),
        ("most_forward", ranks.most_forward_s),
        ("closest_to_ball", ranks.closest_s),
        ("farthest_from_ball", ranks.farthest_s),
    ];
    for (name, seconds) in ranks {
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

/// How many goals the others scored with this player as the nearest of the team to the own goal line.
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
    let is_last = |goal: &&&crate::timeline::Event| {
        let time_s = goal.time_s + AFTER_GOAL_S;
        let Some(own) = player.position_at(time_s) else {
            return false;
        };
        let mates = data
            .players
            .iter()
            .filter(|mate| mate.id != player.id && mate.team == player.team);
        mates
            .filter_map(|mate| mate.position_at(time_s))
            .all(|mate| forward(player.team, own[1]) <= forward(player.team, mate[1]))
    };
    goals.filter(is_last).count()
}
