//! What players set and press: the ball camera, keyboard or stick.

use super::data::{Player, numbers, track};
use crate::timeline::{Entity, Timeline, Values};

/// A keyboard presses a direction wholly or not at all: nearer than this to 0 or 1 is that.
const WHOLE: f32 = 0.01;

/// Fewer changes of the sticks say nothing.
const ENOUGH: usize = 20;

/// The share of the time with the ball camera on, in percent; `None` if the file never says.
pub(super) fn ball_camera_percent(timeline: &Timeline, player: &Player<'_>) -> Option<f64> {
    let is_own = |entity: &&Entity| entity.kind == "camera" && entity.parent == Some(player.id);
    let camera = timeline.entities.iter().find(is_own)?;
    let track = track(camera, "ball_camera")?;
    let Some(Values::Flag(values)) = track.columns.first().map(|column| &column.values) else {
        return None;
    };
    let first_s = *track.times_s.first()?;
    let ends_s = track
        .times_s
        .iter()
        .copied()
        .skip(1)
        .chain([timeline.end_s]);
    let spans = track.times_s.iter().zip(ends_s).zip(values);
    let on_s: f64 = spans
        .filter(|(_, on)| **on)
        .map(|((from_s, to_s), _)| to_s - from_s)
        .sum();
    let all_s = timeline.end_s - first_s;
    (all_s > 0.0).then(|| 100.0 * on_s / all_s)
}

/// The share of the changes of throttle and steering that go all the way, in percent: 100 on a keyboard.
pub(super) fn keyboard_percent(player: &Player<'_>) -> Option<f64> {
    let car = player.car?;
    let values = ["throttle", "steer"].map(|column| numbers(car, column).1);
    let values = || values.iter().flat_map(|values| values.iter());
    let count = values().count();
    let whole = values()
        .filter(|value| value.abs() < WHOLE || value.abs() > 1.0 - WHOLE)
        .count();
    (count >= ENOUGH).then(|| 100.0 * whole as f64 / count as f64)
}
