//! How near players stay to each other, and who goes towards whom. Measured between heads, along the ground.

use crate::stats::Group;
use crate::timeline::{Entity, EntityId, Timeline};

use super::Way;

/// Nearer than this is near, in metres. Ours: a step and an arm's length.
const NEAR_M: f64 = 3.0;

/// Farther than this is far, in metres. Ours: half of the floor.
const FAR_M: f64 = 6.0;

/// Moments are at least this far apart, in seconds: a head's sway within it is not a step.
const STEP_S: f64 = 0.25;

/// A player who comes nearer or goes away faster than this does so on purpose, in metres a second. Ours: half of a slow
/// walk.
const PACE_M_S: f64 = 0.4;

/// As many players as are compared with each other; a match has two, a park a few more.
const MAX_PLAYERS: usize = 16;

/// Distances of one player from the nearest other; empty where there is no other.
pub(super) fn group(timeline: &Timeline, player: EntityId) -> Group {
    let heads = timeline
        .entities
        .iter()
        .filter(|entity| entity.kind == "head");
    let is_own = |head: &&Entity| head.parent == Some(player);
    let others: Vec<&Entity> = heads
        .clone()
        .filter(|head| !is_own(head))
        .take(MAX_PLAYERS)
        .collect();
    let group = Group::new("distance");
    let (Some(own), false) = (heads.clone().find(is_own), others.is_empty()) else {
        return group;
    };
    let mut moments: Vec<Moment> = Vec::new();
    for &time_s in Way::of(own).times_s {
        if moments
            .last()
            .is_some_and(|last| time_s - last.time_s < STEP_S)
        {
            continue;
        }
        moments.extend(Moment::at(own, &others, time_s));
    }
    let mut sums = Sums::default();
    for pair in moments.windows(2) {
        if let [from, to] = pair {
            sums.add(from, to);
        }
    }
    if sums.seconds <= 0.0 {
        return group;
    }
    let least = moments.iter().map(|moment| moment.distance_m);
    group
        .amount("mean_m", sums.metre_seconds / sums.seconds)
        .amount("min_m", least.fold(f64::INFINITY, f64::min))
        .amount("near_s", sums.near_s)
        .amount("far_s", sums.far_s)
        .amount("advancing_s", sums.advancing_s)
        .amount("retreating_s", sums.retreating_s)
}

/// A player and the nearest other at one time.
struct Moment {
    time_s: f64,
    own: [f64; 2],
    other: [f64; 2],
    distance_m: f64,
}

impl Moment {
    fn at(own: &Entity, others: &[&Entity], time_s: f64) -> Option<Self> {
        let ground = |entity: &Entity| {
            let [x, _, z] = entity.position(time_s)?;
            Some([f64::from(x), f64::from(z)])
        };
        let own = ground(own)?;
        let far = |other: [f64; 2]| (other[0] - own[0]).hypot(other[1] - own[1]);
        let others = others.iter().filter_map(|other| ground(other));
        let other = others.min_by(|a, b| far(*a).total_cmp(&far(*b)))?;
        let distance_m = far(other);
        distance_m.is_finite().then_some(Self {
            time_s,
            own,
            other,
            distance_m,
        })
    }
}

#[derive(Default)]
struct Sums {
    seconds: f64,
    metre_seconds: f64,
    near_s: f64,
    far_s: f64,
    advancing_s: f64,
    retreating_s: f64,
}

impl Sums {
    /// The time from one moment to the next counts with the first one's distance and with the player's own way.
    fn add(&mut self, from: &Moment, to: &Moment) {
        let seconds = to.time_s - from.time_s;
        if !(seconds > 0.0 && seconds.is_finite()) {
            return;
        }
        self.seconds += seconds;
        self.metre_seconds += from.distance_m * seconds;
        if from.distance_m < NEAR_M {
            self.near_s += seconds;
        }
        if from.distance_m > FAR_M {
            self.far_s += seconds;
        }
        // How much of the player's own way leads to where the other was: the other's way does not count.
        let along =
            |axis: usize| (to.own[axis] - from.own[axis]) * (from.other[axis] - from.own[axis]);
        let pace = (along(0) + along(1)) / from.distance_m / seconds;
        if pace > PACE_M_S {
            self.advancing_s += seconds;
        } else if pace < -PACE_M_S {
            self.retreating_s += seconds;
        }
    }
}
