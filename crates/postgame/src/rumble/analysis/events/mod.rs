//! What happened in a RUMBLE replay, as far as states tell: structures come, go, are held; players lose health.
//!
//! The second generation records effects as events of its own (`spawn`, `impact-heavy`, …), which are on the timeline
//! already. The events here follow from the states alone, so both generations have them.
//!
//! In the order in which they run:
//! - structures and health, here
//! - `moves`: moves and effects of shiftstones
//! - `hits`: who caused a loss of health, with which move and structure

pub(in crate::rumble) mod hits;
mod moves;

use std::collections::BTreeMap;

use crate::timeline::{Entity, EntityId, Event, Sample, Timeline, Track};

/// Adds the events that states tell, and puts all events in order of time.
pub(in crate::rumble) fn add_events(timeline: &mut Timeline, times_s: &[f64]) {
    let mut events = Vec::new();
    for (index, entity) in timeline.entities.iter().enumerate() {
        let id = EntityId(index);
        match entity.kind {
            "structure" => structure_events(timeline, id, entity, &mut events),
            "player" => {
                player_events(id, entity, &mut events);
                moves::add(id, entity, &mut events);
            }
            _ => {}
        }
    }
    for event in &mut events {
        event.frame = times_s.partition_point(|&time_s| time_s < event.time_s);
    }
    timeline.events.append(&mut events);
    timeline
        .events
        .sort_by(|a, b| a.time_s.total_cmp(&b.time_s));
    hits::attribute(timeline);
}

fn event(time_s: f64, kind: &'static str) -> Event {
    Event {
        time_s,
        frame: 0,
        kind: kind.into(),
        who: None,
        whom: None,
        position: None,
        details: Default::default(),
    }
}

/// The track of a column.
pub(in crate::rumble) fn track<'a>(entity: &'a Entity, column: &str) -> Option<&'a Track> {
    entity.tracks.iter().find(|track| {
        track
            .columns
            .first()
            .is_some_and(|first| first.name == column)
    })
}

/// The samples of a column with the time of each.
pub(in crate::rumble) fn samples<'a>(
    entity: &'a Entity,
    column: &str,
) -> impl Iterator<Item = (f64, Sample<'a>)> + use<'a> {
    let track = track(entity, column);
    track.into_iter().flat_map(|track| {
        let values = track.columns.first().map(|column| &column.values);
        track
            .times_s
            .iter()
            .enumerate()
            .filter_map(move |(index, time_s)| Some((*time_s, values?.get(index)?)))
    })
}

fn structure_events(
    timeline: &Timeline,
    id: EntityId,
    structure: &Entity,
    events: &mut Vec<Event>,
) {
    let mut add = |time_s: f64, kind: &'static str, who: Option<EntityId>, details| {
        events.push(Event {
            who,
            whom: Some(id),
            position: structure.position(time_s),
            details,
            ..event(time_s, kind)
        });
    };
    let mut was_active = false;
    for (time_s, sample) in samples(structure, "active") {
        let Sample::Flag(active) = sample else {
            continue;
        };
        if active != was_active {
            add(
                time_s,
                if active {
                    "structure-appears"
                } else {
                    "structure-breaks"
                },
                None,
                Default::default(),
            );
        }
        was_active = active;
    }
    let mut was_grounded = None;
    for (time_s, sample) in samples(structure, "grounded") {
        let Sample::Flag(grounded) = sample else {
            continue;
        };
        if was_grounded.is_some_and(|before| before != grounded) {
            add(
                time_s,
                if grounded {
                    "structure-lands"
                } else {
                    "structure-lifts"
                },
                None,
                Default::default(),
            );
        }
        was_grounded = Some(grounded);
    }
    for (column, hand, kind) in [
        ("left_held", "left", "left_hand"),
        ("right_held", "right", "right_hand"),
    ] {
        let mut holder = None;
        for (time_s, sample) in samples(structure, column) {
            let Sample::Flag(held) = sample else { continue };
            if held {
                holder = nearest_player(timeline, kind, structure.position(time_s), time_s);
            }
            // The first "not held" is no release: it was not held before.
            if held || holder.is_some() {
                let details = vec![("hand", hand.into())].into();
                add(
                    time_s,
                    if held {
                        "structure-held"
                    } else {
                        "structure-released"
                    },
                    holder,
                    details,
                );
            }
            if !held {
                holder = None;
            }
        }
    }
}

/// The player whose hand of a kind is nearest: the file says that a structure is held, not by whom.
fn nearest_player(
    timeline: &Timeline,
    kind: &str,
    position: Option<[f32; 3]>,
    time_s: f64,
) -> Option<EntityId> {
    let position = position?;
    let hands = timeline
        .entities
        .iter()
        .filter(|entity| entity.kind == kind);
    let distances =
        hands.filter_map(|hand| Some((distance(hand.position(time_s)?, position), hand.parent?)));
    distances
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, player)| player)
}

fn player_events(id: EntityId, player: &Entity, events: &mut Vec<Event>) {
    let mut before: Option<f32> = None;
    for (time_s, sample) in samples(player, "health") {
        let Sample::Scalar(health) = sample else {
            continue;
        };
        if let Some(change) = before
            .map(|before| health - before)
            .filter(|change| *change != 0.0)
        {
            let kind = if change < 0.0 { "damage" } else { "heal" };
            let details = vec![
                ("amount", change.abs().to_string().into()),
                ("health", health.to_string().into()),
            ]
            .into();
            events.push(Event {
                whom: Some(id),
                details,
                ..event(time_s, kind)
            });
        }
        before = Some(health);
    }
}

/// The distance between two points, in metres.
pub(in crate::rumble) fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    a.iter()
        .zip(b)
        .map(|(a, b)| (a - b) * (a - b))
        .sum::<f32>()
        .sqrt()
}

/// How often each kind of event happens.
pub(in crate::rumble) fn counts(timeline: &Timeline) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for event in &timeline.events {
        *counts.entry(&*event.kind).or_default() += 1;
    }
    counts
}
