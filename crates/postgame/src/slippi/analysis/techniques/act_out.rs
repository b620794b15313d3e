//! Acting out of hitstun: how long a player waits.

use super::{Found, Kind, View};
use crate::slippi::states::sets;
use crate::slippi::tables::set;

/// Longer waits, in frames, are no reaction.
const MAX_FRAMES: usize = 60;

/// Looks at the frame in which a player leaves the states of being hit, in the air and still in play.
pub(super) fn at(view: &View<'_>, index: usize) -> Option<(Kind, Found)> {
    let (before, now) = view.pair(index)?;
    let is_action = sets(before) & set::DAMAGED != 0
        && sets(now) & (set::DAMAGED | set::GRABBED | set::DEAD | set::DOWN | set::TECH) == 0
        && !view.is_in_hitstun(index)
        && !view.is_grounded(index);
    if !is_action {
        return None;
    }
    let waited = (1..=MAX_FRAMES).find(|&ago| {
        let at = index.checked_sub(ago);
        at.is_some_and(|at| view.is_in_hitstun(at))
    })?;
    let found = Found {
        frames: i32::try_from(waited - 1).ok(),
        ..Found::default()
    };
    Some((Kind::ActOut, found))
}
