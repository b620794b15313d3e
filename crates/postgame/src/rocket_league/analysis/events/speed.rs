//! When cars become supersonic and stop being so.

use super::super::timeline::motion::point_from;
use super::geometry::{least_square, square};
use super::{Scene, event};
use crate::rocket_league::coords::METRES;
use crate::rocket_league::tables::{SUPERSONIC_END_UU_S, SUPERSONIC_UU_S};
use crate::timeline::Event;

pub(super) fn add(scene: &Scene<'_>, events: &mut Vec<Event>) {
    // By whether a car is supersonic now.
    let limits = [SUPERSONIC_UU_S, SUPERSONIC_END_UU_S].map(|limit| least_square(limit * METRES));
    for index in 0..scene.found.cars.len() {
        let Some(path) = scene.motions.car(index) else {
            continue;
        };
        let (mut is_supersonic, mut frame) = (false, 0);
        for (&time_s, (&position, &velocity)) in path
            .times_s
            .iter()
            .zip(path.positions.iter().zip(path.velocities_m_s))
        {
            let is_now = square(velocity) >= limits[usize::from(is_supersonic)];
            if is_now != is_supersonic {
                is_supersonic = is_now;
                let times_s = &scene.found.frame_times_s;
                let number = point_from(times_s, &mut frame, |&time| time < time_s);
                events.push(Event {
                    who: scene.entities.owner(index),
                    position: Some(position),
                    ..event(
                        time_s,
                        scene.found.frame_numbers.get(number).copied().unwrap_or(0),
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
