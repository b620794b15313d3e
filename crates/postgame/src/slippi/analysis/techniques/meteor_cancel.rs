//! Meteor cancels: hitstun ended early by a jump or a special.

use super::{Found, Kind, View};

const DOUBLE_JUMPS: std::ops::RangeInclusive<u16> = 27..=28;

/// From this one on states are of single characters: specials, and jumps of those who have several.
const FIRST_SPECIAL: u16 = 341;

/// Less hitstun, in frames, would have ended by itself.
const MIN_FRAMES_LEFT: f32 = 2.0;

pub(super) fn at(view: &View<'_>, index: usize) -> Option<(Kind, Found)> {
    let (_, now) = view.pair(index)?;
    let before = index.checked_sub(1)?;
    let left = view.lane.post(before, |post| &post.misc)?;
    let is_action = DOUBLE_JUMPS.contains(&now) || now >= FIRST_SPECIAL;
    let is_cancel = is_action
        && left >= MIN_FRAMES_LEFT
        && view.is_in_hitstun(before)
        && !view.is_in_hitstun(index);
    is_cancel.then(|| (Kind::MeteorCancel, Found::default()))
}
