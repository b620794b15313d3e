//! Short hops and full hops: whether the jump button is let go before the feet leave the ground.

use super::{Found, Kind, View};

const KNEE_BEND: u16 = 24;
const JUMP_FORWARD: u16 = 25;
const JUMP_BACKWARD: u16 = 26;

/// X and Y, as the controller sends them.
const JUMP_BUTTONS: u16 = 0x0c00;

pub(super) fn at(view: &View<'_>, index: usize) -> Option<(Kind, Found)> {
    let (KNEE_BEND, JUMP_FORWARD | JUMP_BACKWARD) = view.pair(index)? else {
        return None;
    };
    let kind = match view.buttons(index) & JUMP_BUTTONS {
        0 => Kind::ShortHop,
        _ => Kind::FullHop,
    };
    Some((kind, Found::default()))
}
