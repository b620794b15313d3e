//! Up tilts out of a crouch that come faster than a stick can move.

use super::sticks::Sticks;
use super::{Check, of_violations};
use crate::slippi::codec::model::frames::FIRST_FRAME;

/// The action states.
const SQUAT_WAIT: u16 = 40;
const UP_TILT: u16 = 56;

/// So many frames after the crouch an up tilt is too fast. Source: libenforcer.
const MAX_FRAMES: i64 = 3;

/// The stick from the crouch on, in frames.
const EVIDENCE_FRAMES: usize = 4;

/// Every frame of an up tilt within three frames of a crouch is a violation.
pub(super) fn check(sticks: &Sticks) -> Check {
    // Before the first frame: far enough from any up tilt.
    let mut crouch = (i64::from(FIRST_FRAME) - 1, None);
    let mut found = Vec::new();
    for (index, state) in sticks.states.iter().enumerate() {
        let frame = index as i64 + i64::from(FIRST_FRAME);
        match *state {
            SQUAT_WAIT => crouch = (frame, Some(index)),
            UP_TILT if frame - crouch.0 <= MAX_FRAMES => {
                let from = crouch.1.unwrap_or(index);
                found.push(sticks.violation(from, 1, EVIDENCE_FRAMES));
            }
            _ => {}
        }
    }
    of_violations("crouch_uptilt", found)
}
