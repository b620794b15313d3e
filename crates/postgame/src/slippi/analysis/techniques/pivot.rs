//! Pivots: a turn out of a dash that does not become another dash.

use super::{Found, Kind, View};

const TURN: u16 = 18;
const DASH: u16 = 20;

pub(super) fn at(view: &View<'_>, index: usize) -> Option<(Kind, Found)> {
    let (DASH, TURN) = view.pair(index)? else {
        return None;
    };
    let next = view.state(index + 1)?;
    let is_pivot = next != DASH && !view.is_in_hitstun(index);
    is_pivot.then(|| (Kind::Pivot, Found::default()))
}
