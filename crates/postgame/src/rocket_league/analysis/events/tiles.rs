//! Dropshot: each hit of the floor, and the phases of the ball.

use super::known::Known;
use super::last_at;
use crate::rocket_league::analysis::timeline::state::Deed;
use crate::timeline::Event;

/// How many tiles a ball damages by its phase: the one it hits, with its neighbours, with theirs.
const REACH: [usize; 3] = [1, 7, 19];

/// Adds an event for each hit of the floor and for each phase of the ball.
pub(super) fn add(known: &Known<'_>, events: &mut Vec<Event>) {
    let found = known.scene.found;
    let mut last = None;
    for happening in &found.happenings {
        let Deed::Tile { player, .. } = happening.what else {
            continue;
        };
        if last.replace(happening.frame) == Some(happening.frame) {
            continue;
        }
        let same = found.happenings.iter().filter(|other| {
            other.frame == happening.frame && matches!(other.what, Deed::Tile { .. })
        });
        let phase = last_at(&found.phases, happening.time_s)
            .unwrap_or(0)
            .clamp(0, 2);
        let reach = usize::try_from(phase)
            .ok()
            .and_then(|phase| REACH.get(phase))
            .unwrap_or(&1);
        events.push(Event {
            who: player.and_then(|player| known.scene.entities.person(player)),
            details: vec![
                ("tiles", same.count().to_string().into()),
                ("phase", phase.to_string().into()),
                ("reach", reach.to_string().into()),
            ]
            .into(),
            ..super::event(happening.time_s, happening.frame, "damage")
        });
    }
    for (&time_s, phase) in found.phases.times_s.iter().zip(&found.phases.values) {
        let frame = known.number(known.frame(time_s));
        events.push(Event {
            details: vec![("phase", phase.to_string().into())].into(),
            ..super::event(time_s, frame, "ball-phase")
        });
    }
}
