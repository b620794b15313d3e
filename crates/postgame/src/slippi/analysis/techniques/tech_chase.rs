//! Tech chases: what a player makes of an opponent who goes to the ground.

use super::{Found, View};

/// Lying, getting up, techs on the ground and rolls.
const DOWN: std::ops::RangeInclusive<u16> = 183..=201;

/// A hit within this many frames after getting up still counts: the victim had no time to do anything.
const MAX_FRAMES_AFTER: usize = 10;

/// The chance that begins in a frame: whether the victim was hit, and how many frames after going to the ground.
pub(super) fn at(victim: &View<'_>, index: usize) -> Option<Found> {
    let (before, now) = victim.pair(index)?;
    if DOWN.contains(&before) || !DOWN.contains(&now) {
        return None;
    }
    let percent = |index: usize| victim.lane.post(index, |post| &post.percent);
    let mut after = 0;
    let mut at = index + 1;
    // A chance that the recording cuts off is none.
    let hit = loop {
        let state = victim.state(at)?;
        if percent(at)? > percent(at - 1)? {
            break Some(at);
        }
        after = if DOWN.contains(&state) { 0 } else { after + 1 };
        if after > MAX_FRAMES_AFTER {
            break None;
        }
        at += 1;
    };
    Some(Found {
        frames: hit.and_then(|at| i32::try_from(at - index).ok()),
        is_success: Some(hit.is_some()),
        ..Found::default()
    })
}
