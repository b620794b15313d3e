//! Edge cancels: the lag of an aerial attack's landing that ends because the player slides off.

use super::{Found, Kind, View};

/// Lag after landing in an aerial attack.
const LAG: std::ops::RangeInclusive<u16> = 70..=74;

/// Falling.
const FALL: std::ops::RangeInclusive<u16> = 29..=31;

pub(super) fn at(view: &View<'_>, index: usize) -> Option<(Kind, Found)> {
    let (before, now) = view.pair(index)?;
    let is_cancel = LAG.contains(&before) && FALL.contains(&now);
    is_cancel.then(|| (Kind::EdgeCancel, Found::default()))
}
