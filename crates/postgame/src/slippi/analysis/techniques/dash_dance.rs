//! Dash dances: a dash, one frame of turning, a dash back.

use super::{Found, Kind, View};

const TURN: u16 = 18;
const DASH: u16 = 20;

pub(super) fn at(view: &View<'_>, index: usize) -> Option<(Kind, Found)> {
    let (TURN, DASH) = view.pair(index)? else {
        return None;
    };
    let is_dance = view.state(index.checked_sub(2)?)? == DASH;
    is_dance.then(|| (Kind::DashDance, Found::default()))
}
