//! Each player among their mates: who is most back, who is nearest to the ball, and whose turn it is.

use super::bodies::Places;
use super::data::STEP_S;

/// A day of them: no match is as long. One whose clock is damaged can be longer than anybody would wait.
const MOST_STEPS: usize = 864_000;

/// A mean of distances.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mean {
    sum: f64,
    pub count: usize,
}

impl Mean {
    /// The mean of all that several are of.
    pub fn of(means: &[Self]) -> Self {
        Self {
            sum: means.iter().map(|mean| mean.sum).sum(),
            count: means.iter().map(|mean| mean.count).sum(),
        }
    }

    #[inline]
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
    pub most_back_s: f64,
    pub most_forward_s: f64,
    pub closest_s: f64,
    pub farthest_s: f64,
    /// As first, second and third to the ball.
    pub order_s: [f64; 3],
    pub turns_as_first: usize,
}

/// The same in steps of [`STEP_S`].
#[derive(Clone, Debug, Default)]
struct Steps {
    most_back: usize,
    most_forward: usize,
    closest: usize,
    farthest: usize,
    order: [usize; 3],
    turns_as_first: usize,
    was_first: bool,
}

/// A player among those of a team, at one moment.
struct Member<'a> {
    player: usize,
    places: Places<'a>,
    steps: Steps,
    is_there: bool,
    at: [f32; 3],
    forward: f32,
    /// Not a number without a ball, so that nobody is nearer.
    to_ball: f32,
    /// How many of the mates are.
    ahead: usize,
    behind: usize,
    nearer: usize,
    farther: usize,
}

impl Member<'_> {
    /// Goes on to a moment.
    fn look(&mut self, time_s: f64, team: Option<u8>, ball: Option<[f32; 3]>) {
        (self.ahead, self.behind, self.nearer, self.farther) = (0, 0, 0, 0);
        let at = self.places.at(time_s);
        self.is_there = at.is_some();
        if let Some(at) = at {
            self.at = at;
            self.forward = forward(team, at[1]);
            self.to_ball = ball.map_or(f32::NAN, |ball| distance(at, ball));
        }
    }

    /// Compares two who are there.
    fn compare(&mut self, other: &mut Self) {
        let (is_ahead, is_behind) = (
            usize::from(other.forward > self.forward),
            usize::from(other.forward < self.forward),
        );
        self.ahead += is_ahead;
        other.behind += is_ahead;
        self.behind += is_behind;
        other.ahead += is_behind;
        let (is_nearer, is_farther) = (
            usize::from(other.to_ball < self.to_ball),
            usize::from(other.to_ball > self.to_ball),
        );
        self.nearer += is_nearer;
        other.farther += is_nearer;
        self.farther += is_farther;
        other.nearer += is_farther;
    }

    /// Notes what the player is; those who share a rank both have it.
    fn note(&mut self, is_ball_there: bool) {
        let steps = &mut self.steps;
        // By adding: whether somebody holds a rank is anybody's guess, also the processor's.
        steps.most_back += usize::from(self.behind == 0);
        steps.most_forward += usize::from(self.ahead == 0);
        steps.closest += usize::from(self.nearer == 0);
        steps.farthest += usize::from(self.farther == 0);
        if is_ball_there {
            if let Some(steps) = steps.order.get_mut(self.nearer) {
                *steps += 1;
            }
            steps.turns_as_first += usize::from(self.nearer == 0 && !steps.was_first);
            steps.was_first = self.nearer == 0;
        }
    }
}

impl Steps {
    /// As seconds, given those of each number of steps.
    fn ranks(&self, sums_s: &[f64]) -> Ranks {
        let seconds = |steps: usize| sums_s.get(steps).copied().unwrap_or(0.0);
        Ranks {
            most_back_s: seconds(self.most_back),
            most_forward_s: seconds(self.most_forward),
            closest_s: seconds(self.closest),
            farthest_s: seconds(self.farthest),
            order_s: self.order.map(seconds),
            turns_as_first: self.turns_as_first,
        }
    }
}

/// The ranks of all players, by their teams and places, in the rounds.
pub(super) fn ranks(
    players: &[(Option<u8>, Places<'_>)],
    mut ball: Places<'_>,
    rounds: &[(f64, f64)],
) -> Vec<Ranks> {
    let mut teams = [Some(0), Some(1)].map(|team| {
        let members = players.iter().enumerate();
        let members: Vec<Member<'_>> = members
            .filter(|(_, player)| player.0 == team)
            .map(|(player, (_, places))| Member {
                player,
                places: places.clone(),
                steps: Steps::default(),
                is_there: false,
                at: [0.0; 3],
                forward: 0.0,
                to_ball: f32::NAN,
                ahead: 0,
                behind: 0,
                nearer: 0,
                farther: 0,
            })
            .collect();
        (team, members)
    });
    let times_s = rounds.iter().flat_map(|&(from_s, to_s)| {
        let steps = ((to_s - from_s) / STEP_S).max(0.0) as usize;
        (0..steps).map(move |step| from_s + step as f64 * STEP_S)
    });
    // Added up step by step, once for all.
    let mut sums_s = vec![0.0];
    for time_s in times_s.take(MOST_STEPS) {
        sums_s.extend(sums_s.last().map(|sum_s| sum_s + STEP_S));
        let ball = ball.at(time_s);
        for (team, members) in &mut teams {
            for member in members.iter_mut() {
                member.look(time_s, *team, ball);
            }
            let mut rest = members.as_mut_slice();
            while let Some((member, others)) = rest.split_first_mut() {
                if member.is_there {
                    let there = others.iter_mut().filter(|other| other.is_there);
                    there.for_each(|other| member.compare(other));
                    member.note(ball.is_some());
                }
                rest = others;
            }
        }
    }
    let mut ranks = vec![Ranks::default(); players.len()];
    for member in teams.into_iter().flat_map(|(_, members)| members) {
        if let Some(ranks) = ranks.get_mut(member.player) {
            *ranks = member.steps.ranks(&sums_s);
        }
    }
    ranks
}
