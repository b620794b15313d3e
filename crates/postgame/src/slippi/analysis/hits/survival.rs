//! Whether a launch kills: the flight until hitstun ends, without the victim's own movement.

use super::{Outcomes, SPEED_PER_KNOCKBACK, di};
use crate::slippi::names::Bounds;
use crate::slippi::tables;

/// Frames of hitstun for each unit of knockback.
const HITSTUN_PER_KNOCKBACK: f32 = 0.4;

/// Other angles are tried in steps of this many degrees.
const STEP_DEG: f32 = 2.0;

/// A launch.
pub(super) struct Flight {
    pub bounds: &'static Bounds,
    /// As the engine counts them.
    pub character: u8,
    /// Where it begins.
    pub position: [f32; 2],
    /// Its speed without influence.
    pub speed: [f32; 2],
}

/// What comes of a launch with and without influence; `None` for characters whose fall is unknown.
pub(super) fn outcomes(flight: &Flight) -> Option<Outcomes> {
    let &(gravity, fall) = tables::FALLING.get(usize::from(flight.character))?;
    let kills = |change_deg: f32| kills(flight, change_deg, gravity, fall);
    // No launch goes further than this: most cannot reach any limit.
    let length = flight.speed[0].hypot(flight.speed[1]);
    let reach = length * length / (2.0 * di::DECAY_UU);
    let [x, y] = flight.position;
    let bounds = flight.bounds;
    let is_near = x + reach > bounds.right
        || x - reach < bounds.left
        || y + reach > bounds.top
        || x.abs() + reach > bounds.edge;
    if !is_near {
        return Some(Outcomes {
            without_di: false,
            with_best_di: false,
            with_any_di: false,
        });
    }
    let steps = (di::MAX_CHANGE_DEG / STEP_DEG) as i32;
    let mut all = (-steps..=steps).map(|step| kills(step as f32 * STEP_DEG));
    let first = all.next().unwrap_or(false);
    let (best, any) = all.fold((first, first), |(best, any), one| (best && one, any || one));
    Some(Outcomes {
        without_di: kills(0.0),
        with_best_di: best,
        with_any_di: any,
    })
}

fn kills(flight: &Flight, change_deg: f32, gravity: f32, fall: f32) -> bool {
    let bounds = flight.bounds;
    let [mut x, mut y] = flight.position;
    let mut speed = di::turned(flight.speed, change_deg);
    let knockback = flight.speed[0].hypot(flight.speed[1]) / SPEED_PER_KNOCKBACK;
    let hitstun = (knockback * HITSTUN_PER_KNOCKBACK).floor() as u32;
    let mut falling = 0.0_f32;
    for _ in 0..hitstun {
        speed = di::slowed(speed);
        falling = (falling + gravity).min(fall);
        let was_above = y >= 0.0;
        x += speed[0];
        y += speed[1] - falling;
        if x < bounds.left || x > bounds.right || y > bounds.top || y < bounds.bottom {
            return true;
        }
        if was_above && y < 0.0 && x.abs() <= bounds.edge {
            // Lands.
            return false;
        }
    }
    false
}
