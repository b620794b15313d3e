//! Positions of the C-stick that a box must not send.

use super::sticks::Sticks;
use super::{Check, of_violations};

/// The positions, to the right only. Source: libenforcer.
const DISALLOWED_X: [f64; 2] = [0.8, 0.6625];

/// Closer values are the same.
const SAME: f64 = 0.0001;

/// Every frame with such a position is a violation.
pub(super) fn check(sticks: &Sticks) -> Check {
    let is_disallowed = |x: f64| DISALLOWED_X.iter().any(|one| (x - one).abs() < SAME);
    let found = sticks.cstick_x.iter().enumerate();
    let found = found.filter(|(_, x)| is_disallowed(**x));
    let found = found.map(|(index, _)| sticks.violation(index, 1, 1));
    of_violations("disallowed_cstick", found.collect())
}
