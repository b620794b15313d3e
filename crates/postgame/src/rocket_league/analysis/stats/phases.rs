//! How long the ball was in each of its phases in Dropshot.

use super::data::Data;
use crate::stats::Group;
use crate::timeline::Timeline;

/// The phases, of which each goal begins the first anew.
const PHASES: usize = 3;

/// The statistics of a match that has phases.
pub(super) fn phases(data: &Data<'_>, timeline: &Timeline) -> Option<Group> {
    if data.events("ball-phase").is_empty() && data.events("damage").is_empty() {
        return None;
    }
    let mut spans: [Vec<f64>; PHASES] = Default::default();
    let goals = data.events("goal").iter().map(|goal| goal.time_s);
    let ends: Vec<f64> = goals.chain([timeline.end_s]).collect();
    for &(from_s, to_s) in &data.rounds {
        let kickoff = data.events("kick-off").iter().map(|event| event.time_s);
        let first_touch = data.events("touch").iter().map(|event| event.time_s);
        let begin_s = first_touch
            .chain(kickoff)
            .filter(|time_s| (from_s..=to_s).contains(time_s))
            .fold(f64::INFINITY, f64::min);
        let begin_s = if begin_s.is_finite() { begin_s } else { from_s };
        let end_s = ends
            .iter()
            .copied()
            .find(|end_s| *end_s > begin_s)
            .unwrap_or(to_s)
            .min(to_s.max(begin_s));
        let (mut phase, mut since_s) = (0, begin_s);
        let changes = data
            .events("ball-phase")
            .iter()
            .filter(|event| event.time_s > begin_s && event.time_s < end_s);
        for change in changes {
            let next = change
                .detail("phase")
                .and_then(|phase| phase.parse::<usize>().ok())
                .unwrap_or(0)
                .min(PHASES - 1);
            if next != phase {
                if let Some(spans) = spans.get_mut(phase) {
                    spans.push(change.time_s - since_s);
                }
                (phase, since_s) = (next, change.time_s);
            }
        }
        if let Some(spans) = spans.get_mut(phase) {
            spans.push(end_s - since_s);
        }
    }
    let group = Group::new("dropshot");
    Some(
        spans
            .iter()
            .enumerate()
            .fold(group, |group, (phase, spans)| {
                let total_s: f64 = spans.iter().sum();
                let average_s = if spans.is_empty() {
                    0.0
                } else {
                    total_s / spans.len() as f64
                };
                group
                    .amount(format!("phase_{phase}_total_s"), total_s)
                    .amount(format!("phase_{phase}_average_s"), average_s)
                    .amount(
                        format!("phase_{phase}_max_s"),
                        spans.iter().copied().fold(0.0, f64::max),
                    )
            }),
    )
}
