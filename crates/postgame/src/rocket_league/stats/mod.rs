//! Numbers about a replay. The method of each is in `docs/statistics.md`.
//!
//! - `data`: what the statistics are made from, out of the timeline, in the game's units
//! - `core`, `boost`, `movement`, `positioning`: as most players know them
//! - `play`: possession, touches, kick-offs, passes, rotation

mod boost;
mod core;
mod data;
mod movement;
mod play;
mod positioning;

use crate::stats::{Group, Number, Stats, Subject};
use crate::timeline::Timeline;
use data::Data;

/// All statistics.
pub fn stats(timeline: &Timeline) -> Stats {
    let data = Data::new(timeline);
    let players: Vec<(usize, Subject)> = data
        .players
        .iter()
        .enumerate()
        .filter_map(|(index, player)| {
            let team = player.team?;
            let groups = vec![
                core::player(&data, index, team),
                boost::player(&data, player),
                movement::player(player),
                positioning::player(&data, index),
                core::demolitions(&data, index),
                play::player(&data, index),
            ];
            let subject = Subject {
                name: player.name.to_owned(),
                team: Some(u32::from(team)),
                groups,
            };
            Some((index, subject))
        })
        .collect();
    let teams = [0, 1].map(|team| {
        let members: Vec<&Subject> = players
            .iter()
            .map(|(_, subject)| subject)
            .filter(|subject| subject.team == Some(u32::from(team)))
            .collect();
        let mut groups = vec![play::ball(&data, team), core::team(&data, team)];
        for (name, kept) in [
            ("boost", boost::TEAM),
            ("movement", movement::TEAM),
            ("positioning", positioning::TEAM),
            ("demo", core::DEMO),
        ] {
            groups.push(sums(&members, name, kept));
        }
        groups.push(play::team(&data, team));
        Subject {
            name: if team == 0 {
                "blue".into()
            } else {
                "orange".into()
            },
            team: Some(u32::from(team)),
            groups,
        }
    });
    let mut players: Vec<Subject> = players.into_iter().map(|(_, subject)| subject).collect();
    players.sort_by_key(|player| player.team);
    Stats {
        recording: vec![play::recording(&data, timeline), play::events(timeline)],
        teams: teams.into(),
        players,
    }
}

/// The sums of a team's members.
fn sums(members: &[&Subject], group: &'static str, names: &[&str]) -> Group {
    names.iter().fold(Group::new(group), |sums, name| {
        let values = || members.iter().filter_map(|member| member.get(group, name));
        let counts = values().filter_map(|value| match value {
            Number::Count(count) => Some(*count),
            _ => None,
        });
        let amounts = values().filter_map(|value| match value {
            Number::Amount(amount) => *amount,
            _ => None,
        });
        if values().any(|value| matches!(value, Number::Count(_))) {
            sums.count(*name, usize::try_from(counts.sum::<i64>()).unwrap_or(0))
        } else {
            sums.amount(*name, amounts.sum())
        }
    })
}

/// A part of a whole, in percent.
fn percent(part: f64, whole: f64) -> f64 {
    if whole > 0.0 {
        100.0 * part / whole
    } else {
        0.0
    }
}
