//! Goals: who scored, with whose help, how fast the ball was, and who touched it before.

use super::super::timeline::state::Deed;
use super::touches::{Touch, length};
use super::{Scene, event, last_at, team_name};
use crate::rocket_league::codec::model::Replay;
use crate::rocket_league::coords;
use crate::timeline::{EntityId, Event};

/// Touches this long before a goal are part of how it came about.
const BUILD_UP_S: f64 = 10.0;

/// The game counts goals and helps within this time of the score.
const SAME_S: f64 = 0.25;

pub(super) fn add(scene: &Scene<'_>, touches: &[Touch], replay: &Replay, events: &mut Vec<Event>) {
    let Scene {
        found, entities, ..
    } = *scene;
    let stated = replay.header.properties.array("Goals");
    let near = |time_s: f64, is_deed: &dyn Fn(Deed) -> Option<usize>| {
        let close = found
            .happenings
            .iter()
            .filter(|other| (other.time_s - time_s).abs() <= SAME_S);
        close
            .filter_map(|other| is_deed(other.what))
            .collect::<Vec<usize>>()
    };
    let mut number = 0;
    for happening in &found.happenings {
        let Deed::TeamScore(team) = happening.what else {
            continue;
        };
        let time_s = happening.time_s;
        let scorers = near(time_s, &|deed| match deed {
            Deed::Goal(player) => Some(player),
            _ => None,
        });
        let helpers = near(time_s, &|deed| match deed {
            Deed::Assist(player) => Some(player),
            _ => None,
        });
        // The header says it too, by name: where the game counted for nobody, or for one who left.
        let by_name = stated
            .get(number)
            .and_then(|goal| goal.text("PlayerName"))
            .and_then(|name| {
                let player = found
                    .players
                    .iter()
                    .position(|player| player.name.as_deref() == Some(name))?;
                entities.person(player)
            });
        number += 1;
        let who: Option<EntityId> = scorers
            .first()
            .and_then(|&player| entities.person(player))
            .or(by_name);
        // The last sample that moves: in the goal the ball stands still.
        let last = scene.ball_at(time_s).and_then(|ball| {
            let end = ball.times_s.partition_point(|&time| time <= time_s);
            (0..end).rev().find_map(|index| {
                let velocity = *ball.velocities_m_s.get(index)?;
                (velocity != [0.0; 3]).then_some((*ball.positions.get(index)?, velocity))
            })
        });
        let score = |team: usize| {
            let scores = found.scores.get(team);
            scores.map_or(0, |scores| last_at(scores, time_s).unwrap_or(0))
        };
        let mut details = vec![
            ("team", team_name(team)),
            ("score", format!("{}:{}", score(0), score(1)).into()),
        ];
        if let Some((_, velocity)) = last {
            details.push((
                "ball_uu_s",
                ((length(velocity) / coords::METRES) as i64)
                    .to_string()
                    .into(),
            ));
        }
        if let Some(helper) = helpers
            .first()
            .and_then(|&player| found.players.get(player))
        {
            details.push(("assist", helper.name.clone().unwrap_or_default().into()));
        }
        let build_up: Vec<String> = touches
            .iter()
            .filter(|touch| touch.time_s <= time_s && touch.time_s >= time_s - BUILD_UP_S)
            .map(|touch| {
                let player = found
                    .cars
                    .get(touch.car)
                    .and_then(|car| found.players.get(car.player?));
                let name = player
                    .and_then(|player| player.name.as_deref())
                    .unwrap_or("?");
                format!("{name} {:.1} s before", time_s - touch.time_s)
            })
            .collect();
        if !build_up.is_empty() {
            details.push(("build_up", build_up.join(", ").into()));
        }
        events.push(Event {
            who,
            whom: Some(entities.team(1 - team.min(1))),
            position: last.map(|(position, _)| position),
            details: details.into(),
            ..event(time_s, happening.frame, "goal")
        });
    }
}
