//! Whether an analog stick sends positions close to its axes.

use super::Check;
use super::sticks::Sticks;

/// Smaller values are on the axis.
const ON_AXIS: f64 = 0.0001;

/// Off the axis but closer to it than this. Source: libenforcer.
const NEAR_AXIS: f64 = 0.08;

/// Fails if no position is near an axis without being on one. The value is how many frames have such a position.
pub(super) fn check(sticks: &Sticks) -> Check {
    let is_near = |point: &&[f64; 2]| {
        point.iter().all(|value| value.abs() >= ON_AXIS)
            && point.iter().any(|value| value.abs() < NEAR_AXIS)
    };
    let near = sticks.points.iter().filter(is_near).count();
    Check {
        name: "goomwave",
        is_required: false,
        passes: near > 0,
        value: Some(near as f64),
        violations: Vec::new(),
    }
}
