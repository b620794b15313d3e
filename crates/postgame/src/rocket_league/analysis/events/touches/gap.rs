//! How near a car's own box comes to the ball, looked at from before and from after the contact.

use super::super::geometry::{Vector, add, length, scale, sub};
use super::super::known::{Axes, Known, Person, Pose};

/// Instants of a step at which car and ball are compared.
const INSTANTS: usize = 6;

/// A car farther away than this from the ball cannot reach it in a step, in uu.
const FAR_UU: f32 = 450.0;

/// A car's next sample is looked back from if it comes within this, in seconds.
const MAX_BACK_S: f64 = 0.15;

/// Samples are older than this: the gap is less sure, in seconds (notes 3.5).
const OLD_S: f64 = 0.05;
const VERY_OLD_S: f64 = 0.1;

/// How near a car comes to the ball.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gap {
    /// From the box to the ball's surface, in uu; 0 if they overlap.
    pub gap_uu: f32,
    /// What is to be forgiven for the age of the samples, in uu.
    pub slack_uu: f32,
    pub car: Pose,
}

/// A car's sample, to be carried forward or back.
struct Sample {
    pose: Pose,
    axes: Axes,
}

impl Sample {
    fn new(person: &Person<'_>, index: usize) -> Option<Self> {
        Some(Self {
            pose: person.car.pose_of(index)?,
            axes: person.car.axes_of(index)?,
        })
    }

    /// The gap to a ball at a time.
    fn gap(&self, person: &Person<'_>, ball: Vector, radius: f32, time_s: f64) -> f32 {
        let passed_s = (time_s - self.pose.time_s) as f32;
        let position = add(self.pose.position, scale(self.pose.velocity, passed_s));
        let axes = self.axes.turned(self.pose.spin, passed_s);
        box_gap(person, position, &axes, ball) - radius
    }
}

/// From a car's box to a point.
pub(in super::super) fn box_gap(
    person: &Person<'_>,
    position: Vector,
    axes: &Axes,
    point: Vector,
) -> f32 {
    let local = axes.local(sub(point, position));
    let outside: Vector = std::array::from_fn(|axis| {
        ((local[axis] - person.hitbox.middle_uu[axis]).abs() - person.hitbox.size_uu[axis] / 2.0)
            .max(0.0)
    });
    length(outside)
}

/// The least gap of a player's car to the ball between two samples of the ball.
pub(super) fn gap(
    known: &Known<'_>,
    person: &Person<'_>,
    frame: usize,
    before: &Pose,
    after: &Pose,
) -> Option<Gap> {
    let index = person.car.index(frame)?;
    let first = person.car.pose_of(index)?;
    let apart = sub(before.position, first.position).map(f32::abs);
    if apart.into_iter().fold(0.0, f32::max) > FAR_UU {
        return None;
    }
    let sample = Sample::new(person, index)?;
    let next = Sample::new(person, index + 1).filter(|next| {
        let passed_s = next.pose.time_s - sample.pose.time_s;
        let moved = length(sub(next.pose.position, sample.pose.position));
        next.pose.time_s <= after.time_s + MAX_BACK_S && moved <= 3000.0 * passed_s as f32 + 50.0
    });
    let radius = known.ball_radius_uu;
    let step_s = after.time_s - before.time_s;
    let mut best: Option<(f32, f64, bool)> = None;
    for instant in 0..=INSTANTS {
        let time_s = before.time_s + step_s * instant as f64 / INSTANTS as f64;
        let at = |pose: &Pose| {
            add(
                pose.position,
                scale(pose.velocity, (time_s - pose.time_s) as f32),
            )
        };
        let forward = sample.gap(person, at(before), radius, time_s);
        let back = next
            .as_ref()
            .map(|next| next.gap(person, at(after), radius, time_s));
        for (gap, is_back) in [(Some(forward), false), (back, true)] {
            if let Some(gap) = gap.filter(|gap| best.is_none_or(|best| *gap < best.0)) {
                best = Some((gap, time_s, is_back));
            }
        }
    }
    let (gap_uu, time_s, is_back) = best?;
    let from = match (&next, is_back) {
        (Some(next), true) => next,
        _ => &sample,
    };
    let age_s = (from.pose.time_s - time_s).abs();
    let slack_uu = if age_s > VERY_OLD_S {
        25.0
    } else if age_s > OLD_S {
        10.0
    } else {
        0.0
    };
    Some(Gap {
        gap_uu: gap_uu.max(0.0),
        slack_uu,
        car: from.pose,
    })
}
