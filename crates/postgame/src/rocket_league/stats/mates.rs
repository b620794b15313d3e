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
    let mut mean = Mean::default();
    let mut see = |(time_s, at): (f64, [f32; 3]), mate: Option<(f64, [f32; 3])>| {
        if let Some((mate_s, mate_at)) = mate
            && time_s - mate_s <= OLDEST_S
        {
            mean.add(distance(at, mate_at));
        }
    };
    let (mut one_last, mut other_last) = (None, None);
    let mut others = places(other).peekable();
    for next in places(one) {
        while let Some(earlier) = others.next_if(|other| other.0 < next.0) {
            see(earlier, one_last);
            other_last = Some(earlier);
        }
        see(next, other_last);
        one_last = Some(next);
    }
    for next in others {
        see(next, one_last);
    }
    mean
}

/// Where a player's car is told to be, and when.
fn places(player: &Player<'_>) -> impl Iterator<Item = (f64, [f32; 3])> {
    let (times_s, positions_uu, _) = player.body.part(player.told());
    times_s.iter().copied().zip(positions_uu.iter().copied())
}
