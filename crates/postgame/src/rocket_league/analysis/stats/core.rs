//! Shots, goals, saves, assists, score; demolitions.

use super::data::{Data, last};
use super::percent;
use crate::stats::Group;

/// What teams have of demolitions.
pub(super) const DEMO: &[&str] = &["inflicted", "taken"];

struct Sums {
    shots: i64,
    goals: i64,
    saves: i64,
    assists: i64,
    score: i64,
}

fn of_team(data: &Data<'_>, team: u8) -> Sums {
    let members = || {
        data.players
            .iter()
            .filter(move |player| player.team == Some(team))
    };
    let sum = |column: &str| {
        members()
            .map(|player| last(player.entity, column))
            .sum::<i64>()
    };
    Sums {
        shots: sum("shots"),
        // The scoreboard counts own goals too.
        goals: data.scores.get(usize::from(team)).copied().unwrap_or(0),
        saves: sum("saves"),
        assists: sum("assists"),
        score: sum("score"),
    }
}

fn number(value: i64) -> usize {
    usize::try_from(value).unwrap_or(0)
}

pub(super) fn player(data: &Data<'_>, index: usize, team: u8) -> Group {
    let Some(player) = data.players.get(index) else {
        return Group::new("core");
    };
    let others = of_team(data, 1 - team);
    let [shots, goals, saves, assists, score] =
        ["shots", "goals", "saves", "assists", "score"].map(|column| last(player.entity, column));
    // The best of the team that won.
    let won = data.scores.get(usize::from(team)) > data.scores.get(usize::from(1 - team));
    let mates = data.players.iter().filter(|mate| mate.team == Some(team));
    let best = mates
        .map(|mate| last(mate.entity, "score"))
        .max()
        .unwrap_or(0);
    Group::new("core")
        .count("shots", number(shots))
        .count("shots_against", number(others.shots))
        .count("goals", number(goals))
        .count("goals_against", number(others.goals))
        .count("saves", number(saves))
        .count("assists", number(assists))
        .count("score", number(score))
        .count("mvp", usize::from(won && score == best))
        .amount("shooting_percentage", percent(goals as f64, shots as f64))
}

pub(super) fn team(data: &Data<'_>, team: u8) -> Group {
    let (own, others) = (of_team(data, team), of_team(data, 1 - team));
    Group::new("core")
        .count("shots", number(own.shots))
        .count("shots_against", number(others.shots))
        .count("goals", number(own.goals))
        .count("goals_against", number(others.goals))
        .count("saves", number(own.saves))
        .count("assists", number(own.assists))
        .count("score", number(own.score))
        .amount(
            "shooting_percentage",
            percent(own.goals as f64, own.shots as f64),
        )
}

pub(super) fn demolitions(data: &Data<'_>, index: usize) -> Group {
    let id = data.players.get(index).map(|player| player.id);
    Group::new("demo")
        .count(
            "inflicted",
            data.events("demolition")
                .iter()
                .filter(|event| event.who == id)
                .count(),
        )
        .count(
            "taken",
            data.events("demolition")
                .iter()
                .filter(|event| event.whom == id)
                .count(),
        )
}
