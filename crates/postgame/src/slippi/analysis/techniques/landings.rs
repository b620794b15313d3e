//! Landings without lag: no-impact landings, and aerial attacks that the landing cancels by itself.

use super::{Found, Kind, View};

/// Jumps.
const JUMPS: std::ops::RangeInclusive<u16> = 25..=28;

/// Aerial attacks.
const AERIALS: std::ops::RangeInclusive<u16> = 65..=69;

const WAIT: u16 = 14;
const LANDING: u16 = 42;

pub(super) fn at(view: &View<'_>, index: usize) -> Option<(Kind, Found)> {
    let kind = match view.pair(index)? {
        (before, WAIT) if JUMPS.contains(&before) => Kind::NoImpactLanding,
        (before, LANDING) if AERIALS.contains(&before) => Kind::AutoCancel,
        _ => return None,
    };
    Some((kind, Found::default()))
}
