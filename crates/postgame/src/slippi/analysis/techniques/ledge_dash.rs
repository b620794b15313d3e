//! Ledge dashes: back on the ground, able to act, while the ledge's intangibility lasts.

use super::{Found, Kind, View};
use crate::slippi::states::sets;
use crate::slippi::tables::set;

const CLIFF_CATCH: u16 = 252;
const CLIFF_WAIT: u16 = 253;
const CLIFF_OPTIONS: std::ops::RangeInclusive<u16> = 254..=263;
const LANDING: u16 = 42;
const LANDING_FALL_SPECIAL: u16 = 43;
const JUMPS: std::ops::RangeInclusive<u16> = 25..=28;
const WAIT: u16 = 14;

/// How long the ledge makes intangible after it was caught, in frames.
const INTANGIBLE_FRAMES: usize = 30;

/// Looks at the frame in which a player on the ground can act: how much is left of what the ledge gave?
pub(super) fn at(view: &View<'_>, index: usize) -> Option<(Kind, Found)> {
    let (before, now) = view.pair(index)?;
    let has_landed = matches!(before, LANDING | LANDING_FALL_SPECIAL);
    let is_no_impact = JUMPS.contains(&before) && now == WAIT;
    if !(has_landed || is_no_impact) || !view.is_grounded(index) || view.is_in_hitstun(index) {
        return None;
    }
    // Back to the end of the catch, over nothing but the way from the ledge to here.
    for passed in 1..INTANGIBLE_FRAMES {
        let state = view.state(index.checked_sub(passed)?)?;
        if state == CLIFF_CATCH {
            let left = INTANGIBLE_FRAMES.checked_sub(passed - 1)?;
            let found = Found {
                frames: i32::try_from(left).ok(),
                ..Found::default()
            };
            return (left > 0).then_some((Kind::LedgeDash, found));
        }
        let is_elsewhere = CLIFF_OPTIONS.contains(&state)
            || sets(state) & (set::DAMAGED | set::GRABBED | set::DEAD) != 0
            || passed > 1
                && sets(state) & set::ON_GROUND != 0
                && !matches!(state, LANDING | LANDING_FALL_SPECIAL | CLIFF_WAIT);
        if is_elsewhere {
            return None;
        }
    }
    None
}
