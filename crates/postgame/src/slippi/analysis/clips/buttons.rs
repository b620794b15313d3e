//! Marks that players set by holding buttons.

use serde::{Deserialize, Serialize};

use crate::slippi::Replay;
use crate::slippi::analysis::lane::Lane;
use crate::slippi::codec::model::frames::Copies;

/// The buttons of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ButtonMark {
    /// The buttons that have to be held together, a bit each, as the controller sends them.
    pub buttons: u16,
    /// For how many frames.
    pub duration_frames: u32,
    /// Marks that come sooner after another one are left out, in frames.
    pub throttle_frames: u32,
}

impl Default for ButtonMark {
    /// Down on the directional pad.
    fn default() -> Self {
        Self {
            buttons: 0x0004,
            duration_frames: 1,
            throttle_frames: 1500,
        }
    }
}

/// The port and frame of each mark, in order of time. A mark is set once for as long as its buttons are held.
pub(super) fn marks(replay: &Replay, mark: &ButtonMark) -> Vec<(u8, i32)> {
    let Some(frames) = &replay.frames else {
        return Vec::new();
    };
    let rows = frames.rows(Copies::Final);
    let mut marks = Vec::new();
    for (port, _) in replay.start.ports() {
        let Some(lane) = Lane::new(frames, &rows, port, false) else {
            continue;
        };
        let mut held = 0_u32;
        for (index, row) in rows.iter().enumerate() {
            let buttons = lane.pre(index, |pre| &pre.physical_buttons).unwrap_or(0);
            held = match buttons & mark.buttons == mark.buttons {
                true => held.saturating_add(1),
                false => 0,
            };
            if let (true, Some(&frame)) =
                (held == mark.duration_frames.max(1), frames.ids.get(*row))
            {
                marks.push((port, frame));
            }
        }
    }
    marks.sort_by_key(|&(port, frame)| (frame, port));
    // All ports together.
    let mut last: Option<i32> = None;
    marks.retain(|&(_, frame)| {
        let throttle = i64::from(mark.throttle_frames);
        let is_late = |last: i32| i64::from(frame) - i64::from(last) >= throttle;
        let is_kept = last.is_none_or(is_late);
        if is_kept {
            last = Some(frame);
        }
        is_kept
    });
    marks
}
