//! Where cars were: on the field, to the ball, to their mates.

use super::bodies::go_on;
use super::data::{Data, Player};
use super::lives::Step;
use super::percent;
use super::ranks::{Mean, distance, forward};
use crate::rocket_league::tables::THIRD_UU;
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

/// Behind the ball, in front of it, and without a ball.
const SIDES: usize = 3;

/// What the samples of all lives add up to.
pub(super) struct Sums<'a> {
    team: Option<u8>,
    ball_times_s: &'a [f64],
    ball_positions_uu: &'a [[f32; 3]],
    hits: &'a [(f64, u8)],
    /// How many of the ball's samples and of the hits have been.
    balls: usize,
    hit: usize,
    ball: Option<[f32; 3]>,
    /// Of those with the ball, without, and before anybody had it: which one grows.
    holder: usize,
    /// By quarter of the field, for each of [`SIDES`]: one sum to be added to, where thirds, halves and sides would be three.
    places_s: [[f64; SIDES]; 4],
    /// With the ball, without, and before anybody had it.
    to_ball: [Mean; 3],
}

impl<'a> Sums<'a> {
    pub fn new(data: &'a Data<'_>, team: Option<u8>) -> Self {
        Self {
            team,
            ball_times_s: data.ball.times_s,
            ball_positions_uu: &data.ball.positions_uu,
            hits: &data.hits,
            balls: 0,
            hit: 0,
            ball: None,
            holder: 2,
            places_s: [[0.0; SIDES]; 4],
            to_ball: [Mean::default(); 3],
        }
    }

    /// The ball and who has it at a time.
    #[inline]
    fn look(&mut self, time_s: f64) {
        self.balls = go_on(self.ball_times_s, self.balls, |ball_s| ball_s <= time_s);
        let last = self.balls.checked_sub(1);
        self.ball = last.and_then(|last| self.ball_positions_uu.get(last).copied());
        // The team that touched the ball last has it.
        while let Some(hit) = self.hits.get(self.hit).filter(|hit| hit.0 <= time_s) {
            self.holder = usize::from(self.team != Some(hit.1));
            self.hit += 1;
        }
    }

    /// Adds a sample.
    #[inline]
    pub fn add(&mut self, step: &Step) {
        self.look(step.time_s);
        let y = forward(self.team, step.position_uu[1]);
        let limits_passed = [y >= -THIRD_UU, y > 0.0, y > THIRD_UU].map(usize::from);
        let side = match self.ball {
            Some(ball) => {
                if let Some(mean) = self.to_ball.get_mut(self.holder) {
                    mean.add(distance(step.position_uu, ball));
                }
                usize::from(y > forward(self.team, ball[1]))
            }
            None => 2,
        };
        self.places_s[limits_passed.into_iter().sum::<usize>()][side] += step.passed_s;
    }

    /// How long the car was in each third and half of the field, and behind and in front of the ball.
    fn times_s(&self) -> ([f64; 3], [f64; 2], [f64; 2]) {
        let [a, b, c, d] = self.places_s.map(|sides_s| sides_s.iter().sum::<f64>());
        let behind = self.places_s.iter().map(|[behind, _, _]| behind);
        let in_front = self.places_s.iter().map(|[_, in_front, _]| in_front);
        (
            [a, b + c, d],
            [a + b, c + d],
            [behind.sum(), in_front.sum()],
        )
    }
}

pub(super) fn player(data: &Data<'_>, number: usize, sums: &Sums<'_>) -> Group {
    let Some(player) = data.players.get(number) else {
        return Group::new("positioning");
    };
    let [with_ball, without_ball, before] = &sums.to_ball;
    let (thirds_s, halves_s, sides_s) = sums.times_s();
    let ranks = data.ranks.get(number).cloned().unwrap_or_default();
    let played_s = data.played_s();
    let all_s: f64 = halves_s.iter().sum();
    let mut group = Group::new("positioning")
        .amount(
            "avg_distance_to_ball_uu",
            Mean::of(&[*with_ball, *without_ball, *before]).value(),
        )
        .amount("avg_distance_to_ball_possession_uu", with_ball.value())
        .amount(
            "avg_distance_to_ball_no_possession_uu",
            without_ball.value(),
        );
    let to_mates = data.to_mates.get(number).copied().unwrap_or_default();
    if to_mates.count > 0 {
        group = group.amount("avg_distance_to_mates_uu", to_mates.value());
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
        (["time_most_back_s", "percent_most_back"], ranks.most_back_s),
        (
            ["time_most_forward_s", "percent_most_forward"],
            ranks.most_forward_s,
        ),
        (
            ["time_closest_to_ball_s", "percent_closest_to_ball"],
            ranks.closest_s,
        ),
        (
            ["time_farthest_from_ball_s", "percent_farthest_from_ball"],
            ranks.farthest_s,
        ),
    ];
    for (name, seconds) in ranks {
        group = group.amount(name[0], seconds);
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
        group = group.amount(name[1], percent(seconds, played_s));
    }
    group
}

/// How many goals the others scored with this player as the nearest of the team to the own goal line.
fn last_defender(data: &Data<'_>, player: &Player<'_>) -> usize {
    let scored_on = |event: &crate::timeline::Event| {
        let other = if player.team == Some(0) {
            "orange"
        } else {
            "blue"
        };
        event.detail("team") == Some(other)
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
