//! Each player among their mates: who is most back, who is nearest to the ball, and whose turn it is.

use super::data::{Grid, STEP_S};

/// A mean of distances.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mean {
    sum: f64,
    pub count: usize,
}

impl Mean {
    pub fn add(&mut self, value: f32) {
        self.sum += f64::from(value);
        self.count += 1;
    }

    pub fn value(&self) -> f64 {
        self.sum / self.count as f64
    }
}

pub(super) fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    let [x, y, z] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    (x * x + y * y + z * z).sqrt()
}

/// How far a place is towards the other team's goal.
pub(super) fn forward(team: Option<u8>, y: f32) -> f32 {
    if team == Some(1) { -y } else { y }
}

/// A player among their mates.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranks {
    pub to_mates: Mean,
    pub most_back_s: f64,
    pub most_forward_s: f64,
    pub closest_s: f64,
    pub farthest_s: f64,
    /// As first, second and third to the ball.
    pub order_s: [f64; 3],
    pub turns_as_first: usize,
    was_first: bool,
}

/// A player at one moment.
struct Place {
    player: usize,
    at: [f32; 3],
    forward: f32,
    to_ball: Option<f32>,
}

/// The ranks of all players, by their teams and places.
pub(super) fn ranks(teams: &[Option<u8>], grids: &[Grid], ball: &Grid) -> Vec<Ranks> {
    let mut ranks = vec![Ranks::default(); grids.len()];
    let mut places: Vec<Place> = Vec::new();
    for team in [Some(0), Some(1)] {
        let members: Vec<(usize, &Grid)> = grids
            .iter()
            .enumerate()
            .filter(|(player, _)| teams.get(*player) == Some(&team))
            .collect();
        for (step, ball) in ball.iter().enumerate() {
            places.clear();
            places.extend(members.iter().filter_map(|&(player, grid)| {
                let at = (*grid.get(step)?)?;
                Some(Place {
                    player,
                    at,
                    forward: forward(team, at[1]),
                    to_ball: ball.map(|ball| distance(at, ball)),
                })
            }));
            note(&mut ranks, &places);
        }
    }
    ranks
}

/// Notes who is what at one moment; those who share a rank both have it.
fn note(ranks: &mut [Ranks], places: &[Place]) {
    // Each pair once.
    for (index, place) in places.iter().enumerate() {
        for other in places.iter().skip(index + 1) {
            let distance = distance(place.at, other.at);
            for player in [place.player, other.player] {
                if let Some(rank) = ranks.get_mut(player) {
                    rank.to_mates.add(distance);
                }
            }
        }
    }
    for place in places {
        let Some(rank) = ranks.get_mut(place.player) else {
            continue;
        };
        let (mut ahead, mut behind, mut nearer, mut farther) = (0, 0, 0, 0);
        for other in places.iter().filter(|other| other.player != place.player) {
            ahead += usize::from(other.forward > place.forward);
            behind += usize::from(other.forward < place.forward);
            nearer += usize::from(other.to_ball < place.to_ball);
            farther += usize::from(other.to_ball > place.to_ball);
        }
        let add = |seconds: &mut f64, holds: bool| *seconds += if holds { STEP_S } else { 0.0 };
        add(&mut rank.most_back_s, behind == 0);
        add(&mut rank.most_forward_s, ahead == 0);
        add(&mut rank.closest_s, nearer == 0);
        add(&mut rank.farthest_s, farther == 0);
        if place.to_ball.is_some() {
            if let Some(seconds) = rank.order_s.get_mut(nearer) {
                *seconds += STEP_S;
            }
            rank.turns_as_first += usize::from(nearer == 0 && !rank.was_first);
            rank.was_first = nearer == 0;
        }
    }
}
