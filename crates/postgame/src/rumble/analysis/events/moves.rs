//! Moves that players execute, and the effects of their shiftstones.

use super::{event, samples};
use crate::rumble::tables;
use crate::timeline::{Entity, EntityId, Event, Sample};

/// Adds an event for each move, and for the start and end of each effect.
///
/// The file has the first move since the last frame and 0 where there is none, and only changes: a move that is
/// executed in two frames in a row is one event.
pub(super) fn add(id: EntityId, player: &Entity, events: &mut Vec<Event>) {
    for (time_s, sample) in samples(player, "stack") {
        let Some(name) = move_name(sample) else {
            continue;
        };
        events.push(Event {
            who: Some(id),
            details: vec![("move", name.into())].into(),
            ..event(time_s, "move")
        });
    }
    let mut before = 0u8;
    for (time_s, sample) in samples(player, "shiftstone_effects") {
        let Sample::Scalar(bits) = sample else {
            continue;
        };
        let bits = bits as u8;
        for (index, name) in tables::SHIFTSTONE_EFFECTS.iter().enumerate() {
            let bit = 1u8 << index;
            let kind = match (before & bit != 0, bits & bit != 0) {
                (false, true) => "shiftstone-starts",
                (true, false) => "shiftstone-ends",
                _ => continue,
            };
            events.push(Event {
                who: Some(id),
                details: vec![("effect", (*name).into())].into(),
                ..event(time_s, kind)
            });
        }
        before = bits;
    }
}

/// The name of a move; `None` for 0, which is none, and for a number without a name.
fn move_name(sample: Sample<'_>) -> Option<&'static str> {
    let Sample::Scalar(number) = sample else {
        return None;
    };
    if number < 1.0 {
        return None;
    }
    tables::MOVES.get(number as usize).copied()
}
