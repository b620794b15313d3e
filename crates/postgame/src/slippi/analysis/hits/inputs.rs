//! What the victim presses before a hit and during hitlag.

use std::ops::{Range, RangeInclusive};

use crate::slippi::analysis::lane::Lane;

/// Where an axis leaves the dead zone.
const DEAD_ZONE: f32 = 0.2875;

/// Both digital triggers.
const TRIGGERS: u16 = 0x60;

/// States in the air out of which a launch can be cancelled. Source: SlpProcess.
const FREE_IN_AIR: RangeInclusive<u16> = 25..=38;
const AIR_DODGE: u16 = 236;

/// A press counts this many frames before the hit at most, and locks others out for so many. Source: SlpProcess.
const V_CANCEL_FRAMES: usize = 2;
const LOCKOUT_FRAMES: usize = 40;

/// The side an axis is on.
fn side(value: f32) -> i8 {
    match value {
        value if value > DEAD_ZONE => 1,
        value if value < -DEAD_ZONE => -1,
        _ => 0,
    }
}

/// Inputs that shift the victim: moves of the stick into another direction, from the second frame of hitlag on.
pub(super) fn sdi(lane: &Lane<'_>, hitlag: Range<usize>) -> u32 {
    let region = |index: usize| lane.stick(index).map(|stick| stick.map(side));
    let pairs = hitlag.clone().zip(hitlag.skip(1));
    let is_input = |(before, now): (usize, usize)| {
        let (Some(before), Some(now)) = (region(before), region(now)) else {
            return false;
        };
        if now == [0, 0] || now == before {
            return false;
        }
        let is_diagonal = |region: [i8; 2]| region.iter().all(|&axis| axis != 0);
        let is_part = now[0] == before[0] || now[1] == before[1];
        // From a diagonal into a cardinal that is a part of it nothing new is pressed.
        !is_diagonal(before) || is_diagonal(now) || !is_part
    };
    pairs.filter(|pair| is_input(*pair)).count() as u32
}

/// The stick that shifts the victim as hitlag ends.
pub(super) fn asdi(lane: &Lane<'_>, last: usize) -> Option<[f32; 2]> {
    let is_out = |stick: &[f32; 2]| stick.iter().any(|&value| side(value) != 0);
    let cstick = lane.cstick(last).filter(is_out);
    cstick.or_else(|| lane.stick(last).filter(is_out))
}

/// Whether a trigger was pressed just before a hit in the air, without an earlier press that locks it out.
pub(super) fn is_v_cancel(lane: &Lane<'_>, hit: usize, state_before: u16) -> bool {
    if !FREE_IN_AIR.contains(&state_before) && state_before != AIR_DODGE {
        return false;
    }
    let held = |index: usize| lane.pre(index, |pre| &pre.physical_buttons).unwrap_or(0) & TRIGGERS;
    let is_press = |index: usize| {
        let before = index.checked_sub(1).map_or(0, held);
        held(index) & !before != 0
    };
    let mut window = (1..=V_CANCEL_FRAMES).filter_map(|ago| hit.checked_sub(ago));
    window.any(|index| {
        let locked = index.saturating_sub(LOCKOUT_FRAMES)..index;
        is_press(index) && !locked.clone().any(is_press)
    })
}
