//! The game's clock as it is shown on screen.

use crate::slippi::Replay;

/// Whether the clock counts down or up; other values show none.
const COUNTS_DOWN: u8 = 2;
const COUNTS_UP: u8 = 3;

/// The two lowest bits of the first byte of the game's block say how the clock counts.
const CLOCK_BITS: u8 = 3;

/// Frames in a second.
const FRAMES: i64 = 60;

/// The clock in a frame as `minutes:seconds.hundredths`; `None` if the game shows no clock.
///
/// The hundredths run from 00 to 99 over the 60 frames of a second, as the game draws them.
pub fn clock_text(replay: &Replay, frame: i32) -> Option<String> {
    let info = &replay.start.info;
    let frame = i64::from(frame.max(0));
    let (seconds, hundredths) = match info.bits_1 & CLOCK_BITS {
        COUNTS_DOWN => {
            let frames_left = (i64::from(info.timer_s) * FRAMES - frame).max(0);
            // Rounded up, so that a second begins with 99.
            let hundredths = (frames_left % FRAMES * 99 + 58) / 59;
            (frames_left / FRAMES, hundredths)
        }
        COUNTS_UP => (frame / FRAMES, frame % FRAMES * 99 / 59),
        _ => return None,
    };
    let (minutes, seconds) = (seconds / 60, seconds % 60);
    Some(format!("{minutes:02}:{seconds:02}.{hundredths:02}"))
}
