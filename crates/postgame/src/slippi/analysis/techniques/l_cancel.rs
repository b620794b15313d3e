//! L-cancels: a trigger pressed before landing out of an aerial attack.

use super::{Found, Kind, TRIGGERS_AND_Z, View};

/// Landings out of aerial attacks.
const AERIAL_LANDING: std::ops::RangeInclusive<u16> = 70..=74;

/// Presses looked at, in frames before and after the landing. Source: Walnut's programs.
const EARLY_FRAMES: usize = 15;
const LATE_FRAMES: usize = 5;

/// An analog trigger counts from here on.
const TRIGGER: f32 = 0.3;

/// The game's own result.
const DONE: u8 = 1;
const MISSED: u8 = 2;

pub(super) fn at(view: &View<'_>, index: usize) -> Option<(Kind, Found)> {
    let (_, landing) = view.pair(index)?;
    if !AERIAL_LANDING.contains(&landing) {
        return None;
    }
    let is_success = match view.lane.post(index, |post| &post.l_cancel)? {
        DONE => true,
        MISSED => false,
        _ => return None,
    };
    let trigger = |at: usize| view.lane.pre(at, |pre| &pre.trigger).unwrap_or(0.0);
    let is_press = |at: &usize| {
        let before = at.checked_sub(1).map_or(0.0, trigger);
        view.is_pressed(*at, TRIGGERS_AND_Z) || before < TRIGGER && trigger(*at) >= TRIGGER
    };
    let mut early = (index.saturating_sub(EARLY_FRAMES)..=index).rev();
    let press = early.find(is_press);
    let press = press.or_else(|| (index + 1..=index + LATE_FRAMES).find(is_press));
    let frames = press.map(|press| index as i32 - press as i32);
    Some((
        Kind::LCancel,
        Found {
            frames,
            is_success: Some(is_success),
            ..Found::default()
        },
    ))
}
