//! Whether the stick takes time to travel from one position to the next.

use super::Check;
use super::sticks::{Sticks, is_same};

/// The least share of moves that pass through a position on the way. Source: libenforcer.
const MIN_RATE: f64 = 0.25;

/// Positions held for two frames are targets; positions passed on the way from one to the next are travel.
pub(super) fn check(sticks: &Sticks) -> Check {
    let mut points = sticks.points.iter();
    let mut last = points.next();
    // The first position counts as held.
    let (mut is_held, mut has_moved) = (true, false);
    let (mut targets, mut travels) = (0_u32, 0_u32);
    for point in points {
        if last.is_some_and(|last| is_same(*last, *point)) {
            targets += u32::from(!is_held);
            (is_held, has_moved) = (true, false);
        } else {
            if !is_held && !has_moved {
                travels += 1;
                has_moved = true;
            }
            is_held = false;
        }
        last = Some(point);
    }
    let rate = match targets {
        0 | 1 => 0.0,
        _ => f64::from(travels) / f64::from(targets - 1),
    };
    Check {
        name: "travel_time",
        is_required: false,
        passes: rate >= MIN_RATE,
        value: Some(rate),
        violations: Vec::new(),
    }
}
