//! Fights over the way back to the stage.

use super::lane::Lane;
use super::stats::final_rows;
use crate::slippi::Replay;
use crate::slippi::stages::bounds;
use crate::slippi::states::sets;
use crate::slippi::tables::set;

/// A player hit while off the stage, until the stage is reached again or a stock is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edgeguard {
    /// The port of who hit first.
    pub port: u8,
    /// The victim's port.
    pub victim: u8,
    /// The frame in which the victim left the stage.
    pub start_frame: i32,
    /// The frame in which it was over.
    pub end_frame: i32,
    /// How often the victim was hit off the stage.
    pub hits: u32,
    /// The victim lost the stock.
    pub did_kill: bool,
}

/// Finds the edgeguards of a game of two on a stage whose limits are known.
pub fn edgeguards(replay: &Replay) -> Vec<Edgeguard> {
    edgeguards_of(replay, &final_rows(replay))
}

/// The same, given the rows with the last computation of each frame.
pub(crate) fn edgeguards_of(replay: &Replay, rows: &[usize]) -> Vec<Edgeguard> {
    let (Some(frames), Some(bounds)) = (&replay.frames, bounds(replay.start.info.stage)) else {
        return Vec::new();
    };
    let ports: Vec<u8> = replay.start.ports().map(|(port, _)| port).collect();
    let &[first, second] = ports.as_slice() else {
        return Vec::new();
    };
    let mut list = Vec::new();
    for (port, victim) in [(first, second), (second, first)] {
        let Some(lane) = Lane::new(frames, rows, victim, false) else {
            continue;
        };
        let frame = |index: usize| {
            let row = rows.get(index).and_then(|&row| frames.ids.get(row));
            row.copied().unwrap_or_default()
        };
        let mut left: Option<usize> = None;
        let mut hits = 0;
        for index in 1..lane.len() {
            let (Some(state), Some(x), Some(y)) = (
                lane.state(index),
                lane.post(index, |post| &post.x),
                lane.post(index, |post| &post.y),
            ) else {
                left = None;
                continue;
            };
            let stocks = |index: usize| lane.post(index, |post| &post.stocks);
            let has_died = stocks(index) < stocks(index - 1);
            let is_out = sets(state) & (set::DEAD | set::OUT_OF_PLAY) != 0;
            let is_off =
                !is_out && sets(state) & set::LEDGE == 0 && (x.abs() > bounds.edge || y < 0.0);
            let percent = |index: usize| lane.post(index, |post| &post.percent);
            if let (Some(_), true) = (left, percent(index) > percent(index - 1)) {
                hits += 1;
            }
            match left {
                None if is_off => (left, hits) = (Some(index), 0),
                Some(start) if !is_off => {
                    if hits > 0 {
                        list.push(Edgeguard {
                            port,
                            victim,
                            start_frame: frame(start),
                            end_frame: frame(index),
                            hits,
                            did_kill: has_died,
                        });
                    }
                    left = None;
                }
                _ => {}
            }
        }
    }
    list.sort_by_key(|one| (one.start_frame, one.port));
    list
}
