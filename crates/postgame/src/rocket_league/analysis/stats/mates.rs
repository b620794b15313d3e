//! How far players are from their mates.

use super::data::Player;
use super::ranks::{Mean, distance};

/// A sample that is older says nothing about where a car is now, in seconds.
const OLDEST_S: f64 = 0.2;

/// The mean distance of each player to their mates: the mean of those to each of them, however often it is told.
pub(super) fn distances(players: &[Player<'_>]) -> Vec<Mean> {
    let mut means = vec![Mean::default(); players.len()];
    for (first, one) in players.iter().enumerate() {
        let mates = players.iter().enumerate().skip(first + 1);
        for (second, other) in
            mates.filter(|(_, other)| one.team.is_some() && other.team == one.team)
        {
            let mean = between(one, other);
            for player in [first, second] {
                if let Some(of_mates) = means.get_mut(player).filter(|_| mean.count > 0) {
                    of_mates.add(mean.value() as f32);
                }
            }
        }
    }
    means
}

/// The mean distance of two, at every sample of either where the other's is fresh.
fn between(one: &Player<'_>, other: &Player<'_>) -> Mean {
    let (one_s, ones, _) = one.body.part(one.told());
    let (other_s, others, _) = other.body.part(other.told());
    let mut ones = one_s.iter().zip(ones);
    let mut others = other_s.iter().zip(others);
    let mut mean = Mean::default();
    // Long before the first one.
    let long_ago = (f64::NEG_INFINITY, [0.0; 3]);
    let (mut one_last, mut other_last) = (long_ago, long_ago);
    let (mut one, mut other) = (ones.next(), others.next());
    loop {
        let is_one = match (one, other) {
            (Some(one), Some(other)) => other.0 >= one.0,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => return mean,
        };
        let (next, last) = match is_one {
            true => (one, other_last),
            false => (other, one_last),
        };
        let Some((&time_s, &at)) = next else {
            return mean;
        };
        if time_s - last.0 <= OLDEST_S {
            mean.add(distance(at, last.1));
        }
        if is_one {
            one_last = (time_s, at);
            one = ones.next();
        } else {
            other_last = (time_s, at);
            other = others.next();
        }
    }
}
