//! The rounds of a match: when the ball is free to be played, and until when.

use super::{Scene, kickoff_times};
use crate::rocket_league::analysis::timeline::state::Deed;

/// A countdown lasts this long at most, in seconds (rlgym-tools).
const MAX_COUNTDOWN_S: f64 = 5.0;

/// A round: from the countdown to the goal or the end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Round {
    pub countdown_s: f64,
    /// When the ball is free to be played.
    pub go_s: f64,
    pub end_s: f64,
    /// Frames: of "go", and the first after the end.
    pub first: usize,
    pub end: usize,
    /// It began with a kick-off, not in the middle.
    pub has_kickoff: bool,
    /// The team that scored at its end.
    pub goal: Option<u8>,
}

/// The rounds. Without states, as in older files, a round begins where the ball is told not to have been hit.
pub(super) fn rounds(scene: &Scene<'_>) -> Vec<Round> {
    let found = scene.found;
    let times_s = found.frame_times_s.as_slice();
    let (Some(&start_s), Some(&last_s)) = (times_s.first(), times_s.last()) else {
        return Vec::new();
    };
    let mut spans: Vec<(f64, f64, f64, bool)> = Vec::new();
    let mut open: Option<(f64, f64, bool)> = None;
    let mut countdown_s = None;
    for (&time_s, state) in found.state.times_s.iter().zip(&found.state.values) {
        match state.as_str() {
            "Active" => {
                let from_s = countdown_s.take();
                let kickoff_s = from_s.unwrap_or(time_s);
                open = open.or(Some((kickoff_s, time_s, from_s.is_some())));
            }
            other => {
                if let Some((countdown_s, go_s, has_kickoff)) = open.take() {
                    spans.push((countdown_s, go_s, time_s, has_kickoff));
                }
                if other == "Countdown" {
                    countdown_s = Some(time_s);
                }
            }
        }
    }
    if let Some((countdown_s, go_s, has_kickoff)) = open {
        spans.push((countdown_s, go_s, last_s, has_kickoff));
    }
    if found.state.values.is_empty() {
        let starts = kickoff_times(found);
        for (index, &go_s) in starts.iter().enumerate() {
            let end_s = starts.get(index + 1).copied().unwrap_or(last_s);
            spans.push(((go_s - MAX_COUNTDOWN_S).max(start_s), go_s, end_s, true));
        }
        if spans.is_empty() {
            spans.push((start_s, start_s, last_s, false));
        }
    }
    // A goal ends a round, whatever the state says.
    let goals = found
        .happenings
        .iter()
        .filter_map(|happening| match happening.what {
            Deed::TeamScore(team) => Some((happening.time_s, Some(team))),
            Deed::Explosion => Some((happening.time_s, None)),
            _ => None,
        });
    let goals: Vec<(f64, Option<u8>)> = goals.collect();
    let round = |(countdown_s, go_s, end_s, has_kickoff): (f64, f64, f64, bool)| {
        let in_round = || {
            goals
                .iter()
                .filter(move |goal| goal.0 > go_s && goal.0 <= end_s + 0.5)
        };
        let end_s = in_round().map(|goal| goal.0).fold(end_s, f64::min);
        let goal = in_round().find_map(|goal| goal.1);
        let first = times_s.partition_point(|&time_s| time_s < go_s);
        let end = times_s.partition_point(|&time_s| time_s < end_s).max(first);
        Round {
            countdown_s,
            go_s,
            end_s,
            first,
            end,
            has_kickoff,
            goal,
        }
    };
    spans.into_iter().map(round).collect()
}
