//! How far players are from their mates.

use super::bodies::go_on;
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
    // Of two at the same time the other's comes first.
    let seen_by_one = seen(one, other, |mate_s, time_s| mate_s < time_s);
    let seen_by_other = seen(other, one, |mate_s, time_s| mate_s <= time_s);
    Mean::of(&[seen_by_one, seen_by_other])
}

/// The mean distance of a mate, at every sample of a player where the mate's last one is fresh.
fn seen(player: &Player<'_>, mate: &Player<'_>, has_been: impl Fn(f64, f64) -> bool) -> Mean {
    let (times_s, positions, _) = player.body.part(player.told());
    let (mate_times_s, mate_positions, _) = mate.body.part(mate.told());
    let mut mean = Mean::default();
    let mut count = 0;
    for (&time_s, &at) in times_s.iter().zip(positions) {
        count = go_on(mate_times_s, count, |mate_s| has_been(mate_s, time_s));
        let Some(last) = count.checked_sub(1) else {
            continue;
        };
        if let (Some(mate_s), Some(&mate_at)) = (mate_times_s.get(last), mate_positions.get(last))
            && time_s - mate_s <= OLDEST_S
        {
            mean.add(distance(at, mate_at));
        }
    }
    mean
}
