//! A Slippi replay on the timeline: characters with what their players press, items, moving parts of the stage, events.
//!
//! Of a frame that was computed several times the last one counts. Time 0 is when the game's clock starts; the countdown
//! is before it. Positions are on record for every frame, everything else when it changes.
//!
//! - `characters`, `items`, `stage`: what there is

mod characters;
mod items;
mod stage;

use super::events::add_events;
use super::stats::{Analysis, analyse_rows, final_rows, stats_of};
use crate::slippi::Replay;
use crate::slippi::codec::model::frames::Frames;
use crate::slippi::coords;
use crate::stats::Stats;
use crate::threads::both;
use crate::timeline::{EntityId, Timeline};

/// The frames of a timeline: the last computation of each.
struct Clock<'a> {
    frames: &'a Frames,
    /// The rows that count, by frame.
    rows: &'a [usize],
    /// When each of them is.
    times_s: Vec<f64>,
    /// Every row counts, in the order of the file.
    is_every_row: bool,
}

impl Clock<'_> {
    fn frame(&self, index: usize) -> i32 {
        let row = self.rows.get(index);
        row.and_then(|&row| self.frames.ids.get(row).copied())
            .unwrap_or(0)
    }

    /// When the frame after this one is, or would be.
    fn next_s(&self, index: usize) -> f64 {
        match self.times_s.get(index + 1) {
            Some(&time_s) => time_s,
            None => coords::time_s(self.frame(index).saturating_add(1)),
        }
    }
}

/// The entities of the players by port, leaders only.
#[derive(Default)]
pub(in crate::slippi) struct Cast {
    leaders: Vec<(u8, EntityId)>,
}

impl Cast {
    /// The entity of a port.
    pub fn leader(&self, port: u8) -> Option<EntityId> {
        let found = self.leaders.iter().find(|(one, _)| *one == port);
        found.map(|(_, id)| *id)
    }
}

/// What moves and happens in a replay.
pub fn timeline(replay: &Replay) -> Timeline {
    timeline_and_analysis(replay).0
}

/// What moves and happens, and numbers about it: what both need is found once.
pub fn timeline_and_stats(replay: &Replay) -> (Timeline, Stats) {
    let (timeline, analysis) = timeline_and_analysis(replay);
    (timeline, stats_of(replay, &analysis))
}

fn timeline_and_analysis(replay: &Replay) -> (Timeline, Analysis) {
    let rows = final_rows(replay);
    let ((mut timeline, cast), analysis) = both(
        || without_events(replay, &rows),
        || analyse_rows(replay, &rows),
    );
    if replay.frames.is_some() {
        add_events(&mut timeline, replay, &analysis, &cast);
    }
    (timeline, analysis)
}

/// What moves.
fn without_events(replay: &Replay, rows: &[usize]) -> (Timeline, Cast) {
    let mut timeline = Timeline::default();
    let Some(frames) = &replay.frames else {
        return (timeline, Cast::default());
    };
    let is_every_row = rows.len() == frames.len() && rows.is_sorted();
    let time_s = |row: &usize| coords::time_s(frames.ids.get(*row).copied().unwrap_or(0));
    let clock = Clock {
        frames,
        times_s: match is_every_row {
            true => frames.ids.iter().copied().map(coords::time_s).collect(),
            false => rows.iter().map(time_s).collect(),
        },
        is_every_row,
        rows,
    };
    timeline.start_s = clock.times_s.first().copied().unwrap_or(0.0);
    timeline.end_s = clock.times_s.last().copied().unwrap_or(0.0);
    let cast = characters::add(&mut timeline, replay, &clock);
    items::add(&mut timeline, &clock, &cast);
    stage::add(&mut timeline, replay, &clock);
    (timeline, cast)
}
