//! Whether a recording is two players warming up instead of a game.

use crate::slippi::Replay;
use crate::slippi::analysis::lane::Lane;
use crate::slippi::codec::model::frames::Copies;

/// Shorter recordings are not games: a minute. Source: libenforcer.
const MIN_FRAMES: usize = 3600;

/// A stick that rests for longer belongs to someone who does not play.
const MAX_IDLE_FRAMES: u32 = 600;

/// Closer to the middle the stick rests.
const REST: f32 = 0.2875;

/// Whether the recording is too short for a game, or a player with stocks left does nothing for ten seconds.
pub fn is_handwarmer(replay: &Replay) -> bool {
    let Some(frames) = &replay.frames else {
        return true;
    };
    if frames.len() < MIN_FRAMES {
        return true;
    }
    let rows = frames.rows(Copies::All);
    let mut ports = replay.start.ports();
    ports.any(|(port, _)| {
        let lane = Lane::new(frames, &rows, port, false);
        lane.is_some_and(|lane| is_idle(&lane))
    })
}

fn is_idle(lane: &Lane<'_>) -> bool {
    let mut idle = 0;
    (0..lane.len()).any(|index| {
        let stocks = lane.post(index, |post| &post.stocks).unwrap_or(0);
        let is_resting = |stick: [f32; 2]| stick.iter().all(|value| value.abs() < REST);
        let rests = lane.stick(index).is_some_and(is_resting);
        idle = match stocks > 0 && rests {
            true => idle + 1,
            false => 0,
        };
        idle > MAX_IDLE_FRAMES
    })
}
