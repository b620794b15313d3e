//! The velocities in demolitions, whichever form the version stores them in.

use super::bodies::{length, median, samples};
use crate::probe::{Aspect, Probe};
use crate::rocket_league::coords::METRES;
use crate::timeline::{Entity, Timeline};

/// Fewer demolitions say nothing.
const ENOUGH: usize = 5;

/// The velocities in demolitions against those of the bodies.
pub(super) fn demolitions(timeline: &Timeline) -> Vec<Probe> {
    let mut ratios = [Vec::new(), Vec::new()];
    for event in timeline
        .events
        .iter()
        .filter(|event| event.kind == "demolition")
    {
        for ((who, name), ratios) in [(event.who, "attacker_uu_s"), (event.whom, "victim_uu_s")]
            .into_iter()
            .zip(&mut ratios)
        {
            let told = event
                .details
                .iter()
                .find(|detail| detail.0 == name)
                .and_then(|detail| detail.1.parse::<f64>().ok());
            let is_car = |entity: &&Entity| entity.kind == "car" && entity.parent == who;
            let car = timeline.entities.iter().find(is_car).and_then(samples);
            let (Some(told), Some(car)) = (told, car) else {
                continue;
            };
            let after = car
                .times_s
                .partition_point(|&time_s| time_s <= event.time_s);
            let Some(velocity) = after
                .checked_sub(1)
                .and_then(|index| car.velocities.get(index))
            else {
                continue;
            };
            let seen = length(*velocity) / f64::from(METRES);
            if told >= 100.0 && seen >= 100.0 {
                ratios.push((told / seen).log2().abs());
            }
        }
    }
    let [attackers, victims] = ratios;
    [("attackers", attackers), ("victims", victims)]
        .into_iter()
        .map(|(name, ratios)| {
            let name = format!(
                "demolitions: {name}' velocity against the body's, median factor as a power of 2"
            );
            Probe::at_most(
                Aspect::Demolition,
                name,
                ratios.len(),
                ENOUGH,
                median(ratios),
                1.0,
            )
        })
        .collect()
}
