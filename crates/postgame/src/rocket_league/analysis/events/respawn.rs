//! Boost that a car starts with: at kick-offs and after demolitions.

use super::{Scene, event, frame_at};
use crate::rocket_league::analysis::timeline::state::Deed;
use crate::timeline::Event;

/// The file tells a new car's boost this soon, in seconds.
const TOLD_S: f64 = 1.0;

/// Adds an event for every new car of a player whose boost is told.
pub(super) fn add(scene: &Scene<'_>, events: &mut Vec<Event>) {
    let Scene {
        found, entities, ..
    } = *scene;
    let start_s = found.frame_times_s.first().copied().unwrap_or(0.0);
    // By person: the life before, and the boost it had left.
    let mut before: Vec<Option<(usize, Option<u8>)>> = vec![None; entities.person_count];
    for (index, car) in found.cars.iter().enumerate() {
        let Some(person) = entities.owners.get(index).copied().flatten() else {
            continue;
        };
        let last = car.boost.values.last().map(|word| word.amount);
        let Some(slot) = before.get_mut(person) else {
            continue;
        };
        let life_before = slot.replace((index, last));
        let told = car.boost.times_s.first().zip(car.boost.values.first());
        let Some((&time_s, word)) = told.filter(|(time_s, _)| **time_s - car.from_s <= TOLD_S)
        else {
            continue;
        };
        // What a recording begins with is its state.
        if time_s <= start_s {
            continue;
        }
        let is_demolished = life_before.is_some_and(|(life, _)| {
            found.happenings.iter().any(|happening| {
                matches!(happening.what, Deed::Demolition { victim: Some(victim), .. } if victim == life)
            })
        });
        let cause = if is_demolished {
            "demolition"
        } else {
            "kick-off"
        };
        let mut details = vec![
            ("cause", cause.into()),
            ("amount_raw", word.amount.to_string().into()),
        ];
        if let Some((_, Some(left))) = life_before {
            details.push(("lost_raw", left.to_string().into()));
        }
        events.push(Event {
            who: entities.owner(index),
            details: details.into(),
            ..event(time_s, frame_at(found, time_s), "respawn-boost")
        });
    }
}
