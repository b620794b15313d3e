//! Wavedashes and wavelands: an air dodge into the ground, out of a jump or not.

use super::{Found, Kind, TRIGGERS, View};

const KNEE_BEND: u16 = 24;
const LANDING_FALL_SPECIAL: u16 = 43;
const AIR_DODGE: u16 = 236;

/// The air dodge begins at most so many frames before the landing, and the jump before the air dodge.
const MAX_FRAMES: usize = 5;

pub(super) fn at(view: &View<'_>, index: usize) -> Option<(Kind, Found)> {
    let (_, LANDING_FALL_SPECIAL) = view.pair(index)? else {
        return None;
    };
    let is_dodge = |at: &usize| {
        let begins = view
            .pair(*at)
            .is_some_and(|(before, now)| now == AIR_DODGE && before != AIR_DODGE);
        begins || view.is_pressed(*at, TRIGGERS)
    };
    let dodge = (index.saturating_sub(MAX_FRAMES)..=index)
        .rev()
        .find(is_dodge)?;
    let before = dodge.saturating_sub(MAX_FRAMES)..dodge;
    let jump = before.rev().find(|&at| view.state(at) == Some(KNEE_BEND));
    let [x, y] = view.lane.stick(dodge)?;
    let found = Found {
        frames: jump.and_then(|jump| i32::try_from(dodge - jump - 1).ok()),
        angle_deg: ([x, y] != [0.0, 0.0]).then(|| (-y).atan2(x.abs()).to_degrees()),
        is_success: None,
    };
    let kind = match jump {
        Some(_) => Kind::Wavedash,
        None => Kind::Waveland,
    };
    Some((kind, found))
}
