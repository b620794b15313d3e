//! How much boost a car has between the moments the file says so.
//!
//! The game tells the amount when boosting ends, when a pad is taken and on keyframes. In between it goes down evenly
//! while the car boosts, and stays else.

use super::state::{CarLife, Steps};
use crate::rocket_league::tables::BOOST_PER_S;

/// Amounts from 0 to 100, moving evenly from one to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Curve {
    pub times_s: Vec<f64>,
    pub amounts: Vec<f32>,
}

impl Curve {
    /// Makes room for so many more amounts.
    pub fn reserve(&mut self, count: usize) {
        self.times_s.reserve_exact(count);
        self.amounts.reserve_exact(count);
    }

    /// Drops the amounts from a time on.
    pub fn cut(&mut self, time_s: f64) {
        let count = self.times_s.partition_point(|&time| time < time_s);
        self.times_s.truncate(count);
        self.amounts.truncate(count);
    }

    fn push(&mut self, time_s: f64, amount: f32) {
        self.times_s.push(time_s);
        self.amounts.push(amount);
    }
}

/// Boost as the file has it, 0 to 255, from 0 to 100.
pub(crate) fn percent(amount: u8) -> f32 {
    f32::from(amount) * (100.0 / 255.0)
}

/// As many points as the curve of a life can have: two where the file says an amount, one where boosting begins or
/// ends, and the last.
pub(crate) fn most_points(life: &CarLife) -> usize {
    2 * life.boost.values.len() + life.boosting.values.len() + 1
}

/// What the file says of the boost in a car's life, without what it only says again: the same amount is news where the car
/// was given some in between.
pub(crate) fn add_reports(life: &CarLife, reports: &mut Steps<u8>) {
    // Each life starts anew.
    let first = reports.values.len();
    for (&time_s, word) in life.boost.times_s.iter().zip(&life.boost.values) {
        let is_later = reports.times_s.last().is_none_or(|&last_s| last_s < time_s);
        if reports.values.len() == first || (word.is_granted && is_later) {
            reports.push(time_s, word.amount);
        } else {
            reports.set(time_s, word.amount);
        }
    }
}

/// The boost of a car's life.
pub(crate) fn add_curve(life: &CarLife, curve: &mut Curve) {
    let mut switches = life
        .boosting
        .times_s
        .iter()
        .copied()
        .zip(life.boosting.values.iter().copied())
        .peekable();
    let mut is_boosting = false;
    let mut known: Option<(f64, f32)> = None;
    let after = |(since_s, amount): (f64, f32), time_s: f64, is_boosting: bool| {
        let used = if is_boosting {
            (time_s - since_s) as f32 * BOOST_PER_S
        } else {
            0.0
        };
        (amount - used).max(0.0)
    };
    for (&time_s, word) in life.boost.times_s.iter().zip(&life.boost.values) {
        while let Some(&(switch_s, on)) =
            switches.peek().filter(|(switch_s, _)| *switch_s <= time_s)
        {
            switches.next();
            if let Some(state) = &mut known {
                *state = (switch_s, after(*state, switch_s, is_boosting));
                curve.push(switch_s, state.1);
            }
            is_boosting = on;
        }
        if let Some(state) = known {
            // Two values at one time: towards the first, from the second.
            curve.push(time_s, after(state, time_s, is_boosting));
        }
        let amount = percent(word.amount);
        curve.push(time_s, amount);
        known = Some((time_s, amount));
    }
    for (switch_s, on) in switches {
        if let Some(state) = &mut known {
            *state = (switch_s, after(*state, switch_s, is_boosting));
            curve.push(switch_s, state.1);
        }
        is_boosting = on;
    }
    if let Some(state) = known
        && is_boosting
        && life.to_s.is_finite()
        // A destroyed car is told of for a while after its end.
        && life.to_s > state.0
    {
        let empty_s = state.0 + f64::from(state.1 / BOOST_PER_S);
        let end_s = empty_s.min(life.to_s);
        curve.push(end_s, after(state, end_s, true));
    }
}
