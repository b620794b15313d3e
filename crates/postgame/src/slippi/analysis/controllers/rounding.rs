//! Whether heights just below the threshold of an up tilt are rounded up to it.

use super::sticks::Sticks;
use super::{Check, Violation};

/// Further to a side it is not an up tilt. Source: libenforcer, as all of these.
const MAX_X: f64 = 0.2876;

/// Heights that show that nothing is rounded.
const FREE_Y: std::ops::Range<f64> = 0.199..0.2749;

/// The height that is rounded to, and how close to it is at it.
const THRESHOLD_Y: f64 = 0.2875;
const SAME: f64 = 0.0001;

/// Fewer frames at the threshold are chance.
const MIN_FRAMES: usize = 5;

/// The value is how many frames are exactly at the threshold.
pub(super) fn check(sticks: &Sticks) -> Check {
    let up = || sticks.points.iter().filter(|[x, _]| x.abs() < MAX_X);
    let is_free = up().any(|[_, y]| *y > FREE_Y.start && *y < FREE_Y.end);
    let is_at = |point: &[f64; 2]| point[0].abs() < MAX_X && (point[1] - THRESHOLD_Y).abs() < SAME;
    let count = up().filter(|point| is_at(point)).count();
    let passes = is_free || count < MIN_FRAMES;
    let first = sticks.points.iter().position(is_at);
    // One finding, however many frames show it.
    let violations: Vec<Violation> = first
        .filter(|_| !passes)
        .map(|index| sticks.violation(index, 1, 1))
        .into_iter()
        .collect();
    Check {
        name: "uptilt_rounding",
        is_required: false,
        passes,
        value: Some(count as f64),
        violations,
    }
}
