//! Numbers about a replay. The method of each is in `docs/statistics.md`.
//!
//! - `data`: what the statistics are made from, out of the timeline, in the game's units; `bodies`: where things were
//! - `lives`: one walk over the samples of a player's cars, for those who need every one of them
//! - `core`, `boost`, `movement`, `positioning`: as most players know them
//! - `mates`, `ranks`: how far mates are, and each player among them
//! - `play`: possession, touches, kick-offs, passes, rotation; `inputs`: cameras and sticks
//! - `phases`: the ball in Dropshot
//! - `mechanics`: how often each kind of thing was done

mod bodies;
mod boost;
mod core;
mod data;
mod inputs;
mod lives;
mod mates;
mod mechanics;
mod movement;
mod phases;
mod play;
mod positioning;
mod ranks;

use crate::stats::{Group, Number, Stats, Subject};
use crate::timeline::Timeline;
use data::Data;
use lives::Lives;

/// All statistics.
pub fn stats(timeline: &Timeline) -> Stats {
    let data = Data::new(timeline);
    let players: Vec<(usize, Subject)> = data
        .players
        .iter()
        .enumerate()
        .filter_map(|(index, player)| {
            let team = player.team?;
            let lives = Lives::new(&data, player);
            let groups = vec![
                core::player(&data, index, team),
                boost::player(&data, player, &lives.fast),
                movement::player(&lives.movement),
                positioning::player(&data, index, &lives.positioning),
                core::demolitions(&data, index),
                play::player(&data, timeline, index),
                mechanics::player(&data, index),
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
        groups.push(mechanics::team(&data, team));
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
        recording: [play::recording(&data, timeline), play::events(&data)]
            .into_iter()
            .chain(phases::phases(&data, timeline))
            .collect(),
        teams: teams.into(),
        players,
    }
}

/// The sums of a team's members.
fn sums(members: &[&Subject], group: &'static str, names: &[&'static str]) -> Group {
    let groups: Vec<&Group> = members
        .iter()
        .filter_map(|member| {
            member
                .groups
                .iter()
                .find(|candidate| candidate.name == group)
        })
        .collect();
    let Some(first) = groups.first() else {
        let zeros = Group::new(group);
        return names
            .iter()
            .fold(zeros, |zeros, name| zeros.amount(*name, 0.0));
    };
    let mut sums = Group::new(group);
    let kept = first.values.iter().enumerate();
    for (index, (name, number)) in kept.filter(|(_, value)| names.contains(&&*value.0)) {
        // Members have the same numbers in the same order, but for those who never had a mate.
        let of = |group: &&'_ Group| {
            let there = group.values.get(index).filter(|value| value.0 == *name);
            there
                .map(|value| &value.1)
                .or_else(|| group.get(name))
                .cloned()
        };
        let numbers = || groups.iter().filter_map(of);
        sums = match number {
            Number::Count(_) => {
                let counts = numbers().filter_map(|number| match number {
                    Number::Count(count) => usize::try_from(count).ok(),
                    _ => None,
                });
                sums.count(name.clone(), counts.sum())
            }
            _ => {
                let amounts = numbers().filter_map(|number| match number {
                    Number::Amount(amount) => amount,
                    _ => None,
                });
                sums.amount(name.clone(), amounts.sum())
            }
        };
    }
    sums
}

/// A part of a whole, in percent.
fn percent(part: f64, whole: f64) -> f64 {
    if whole > 0.0 {
        100.0 * part / whole
    } else {
        0.0
    }
}
