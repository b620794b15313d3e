//! When cars become supersonic and stop being so.

use super::super::coords::METRES;
use super::super::tables::{SUPERSONIC_END_UU_S, SUPERSONIC_UU_S};
use super::super::timeline::build::Entities;
use super::super::timeline::state::Match;
use super::{event, frame_at, touches};
use crate::timeline::Event;

pub(super) fn add(found: &Match, entities: &Entities, events: &mut Vec<Event>) {
    for (index, car) in found.cars.iter().enumerate() {
        let motion = &car.motion;
        let mut is_supersonic = false;
        for (&time_s, (&position, &velocity)) in motion
            .times_s
            .iter()
            .zip(motion.positions.iter().zip(&motion.velocities_m_s))
        {
            let speed_uu_s = touches::length(velocity) / METRES;
            let is_now = match is_supersonic {
                true => speed_uu_s >= SUPERSONIC_END_UU_S,
                false => speed_uu_s >= SUPERSONIC_UU_S,
            };
            if is_now != is_supersonic {
                is_supersonic = is_now;
                events.push(Event {
                    who: entities.owner(index),
                    position: Some(position),
                    ..event(
                        time_s,
                        frame_at(found, time_s),
                        if is_now {
                            "supersonic"
                        } else {
                            "supersonic-end"
                        },
                    )
                });
            }
        }
    }
}
