//! Shield drops: through a platform without letting go of the shield first.

use super::{Found, Kind, View};

const GUARD_ON: u16 = 178;
const GUARD: u16 = 179;
const SHIELD_STUN: u16 = 181;
const REFLECT: u16 = 182;
const PASS: u16 = 244;

/// A drop later after shield stun, in frames, has nothing to do with it. Source: SlippiStats.
const MAX_FRAMES: usize = 7;

pub(super) fn at(view: &View<'_>, index: usize) -> Option<(Kind, Found)> {
    let (GUARD_ON | GUARD | SHIELD_STUN | REFLECT, PASS) = view.pair(index)? else {
        return None;
    };
    let stun = (1..=MAX_FRAMES).find(|&ago| {
        let at = index.checked_sub(ago);
        at.and_then(|at| view.state(at)) == Some(SHIELD_STUN)
    });
    let frames = stun.and_then(|ago| i32::try_from(ago).ok());
    let found = Found {
        frames,
        ..Found::default()
    };
    Some((Kind::ShieldDrop, found))
}
