//! Wavedashes, and the direction of dodges.

use super::super::feat::Feat;
use super::super::geometry::{length, ramp};
use super::super::known::{Dodge, Known};

/// A dodge's direction has a part forward or sideways of at least this (subtr-actor).
const SHARE: f32 = 0.28;

/// A wavedash begins this high and lands within this time, upright (subtr-actor), in uu and s.
const HEIGHT_UU: [f32; 2] = [28.0, 320.0];
const LANDS_S: f64 = 0.35;
const GROUND_UU: f32 = 20.0;
const UPRIGHT: f32 = 0.15;
const CONFIDENCE: f32 = 0.45;

/// A dodge's direction in words.
pub(in super::super) fn direction(dodge: &Dodge) -> Option<&'static str> {
    let [forward, right] = dodge.direction?;
    let along = if forward >= SHARE {
        1
    } else if forward <= -SHARE {
        -1
    } else {
        0
    };
    let across = if right >= SHARE {
        1
    } else if right <= -SHARE {
        -1
    } else {
        0
    };
    Some(match (along, across) {
        (1, 0) => "forward",
        (-1, 0) => "backward",
        (0, 1) => "right",
        (0, -1) => "left",
        (1, 1) => "forward-right",
        (1, -1) => "forward-left",
        (-1, 1) => "backward-right",
        (-1, -1) => "backward-left",
        _ => "stall",
    })
}

/// Dodges that end on the wheels at once, for speed.
pub(in super::super) fn wavedashes(known: &Known<'_>) -> Vec<Feat> {
    let dodges = known.dodges.iter();
    dodges.filter_map(|dodge| wavedash(known, dodge)).collect()
}

fn wavedash(known: &Known<'_>, dodge: &Dodge) -> Option<Feat> {
    let car = &known.person(dodge.person)?.car;
    let start = car.pose(dodge.frame)?;
    let height = start.position[2];
    if !(HEIGHT_UU[0]..=HEIGHT_UU[1]).contains(&height) {
        return None;
    }
    let last = known.frame(dodge.time_s + LANDS_S);
    let landed = (dodge.frame + 1..=last).find(|&frame| {
        car.position(frame)
            .is_some_and(|position| position[2] <= GROUND_UU)
            && car.axes(frame).is_some_and(|axes| axes.up[2] >= UPRIGHT)
    })?;
    let (end, axes) = (car.pose(landed)?, car.axes(landed)?);
    let after_s = known.time_s(landed) - dodge.time_s;
    let gain = length(end.velocity) - length(start.velocity);
    let confidence = 0.35 * (1.0 - ramp(after_s as f32, 0.08, 0.35))
        + 0.25 * (1.0 - ramp(height, 28.0, 220.0))
        + 0.25 * ramp(gain, 80.0, 550.0).max(0.8 * ramp(length(end.velocity), 900.0, 1800.0))
        + 0.15 * ramp(axes.up[2], 0.3, 0.95);
    (confidence >= CONFIDENCE).then(|| {
        Feat::new(known, "wavedash", dodge.person, dodge.frame)
            .whole("gain_uu_s", gain)
            .decimal("confidence", confidence.into())
    })
}
