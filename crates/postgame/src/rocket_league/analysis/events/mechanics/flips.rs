//! Speed flips and half flips.

use super::super::feat::Feat;
use super::super::geometry::{cosine, dot, flat, length, ramp};
use super::super::known::{Dodge, Known};

/// A speed flip begins this low, and goes where the nose points (subtr-actor), in uu.
const LOW_UU: f32 = 80.0;
const ALIGNED: f32 = 0.72;

/// It is looked at for this long, in seconds (subtr-actor).
const SPEED_FLIP_S: f64 = 0.5;

/// The least sideways share of its diagonal (subtr-actor).
const SIDEWAYS: f32 = 0.35;

/// How far the nose swings at most and the roof at least, in degrees (subtr-actor): the nose is held ahead, the roof rolls
/// over. With the nose held there is no end-over-end flip to exclude.
///
/// subtr-actor has 45 degrees, which loses a quarter of the speed-flip drill; flips that are not cancelled swing past 90.
const NOSE_DEG: f32 = 60.0;
const ROOF_DEG: f32 = 90.0;

/// It boosts along the nose (subtr-actor).
const BOOST_ALIGNED: f32 = 0.80;
const SPEED_FLIP_CONFIDENCE: f32 = 0.45;

/// On a kick-off a speed flip begins this long after anybody moved at most, in seconds (subtr-actor).
const KICKOFF_S: f64 = 1.1;

/// A half flip (subtr-actor): how long it is looked at in seconds, and cosines.
const HALF_FLIP_S: f64 = 0.65;
const REVERSED: f32 = 0.75;
const STAYS_REVERSED: f32 = 0.45;
const LEVEL: f32 = 0.55;
const STEEP: f32 = 0.55;
const HALF_FLIP_CONFIDENCE: f32 = 0.55;

/// A car that turned this fast or was this steep before was tumbling, in rad/s.
const TUMBLING_RAD_S: f32 = 2.5;
const TUMBLING_STEEP: f32 = 0.5;

pub(in super::super) fn find(known: &Known<'_>) -> Vec<Feat> {
    let mut feats = Vec::new();
    for dodge in &known.dodges {
        feats.extend(speed_flip(known, dodge));
        feats.extend(half_flip(known, dodge));
    }
    feats
}

fn degrees(cosine: f32) -> f32 {
    cosine.clamp(-1.0, 1.0).acos().to_degrees()
}

/// A diagonal flip, cancelled so that the nose stays ahead.
fn speed_flip(known: &Known<'_>, dodge: &Dodge) -> Option<Feat> {
    let car = &known.person(dodge.person)?.car;
    let (start, axes) = (car.pose(dodge.frame)?, car.axes(dodge.frame)?);
    let align = cosine(flat(start.velocity), flat(axes.forward));
    if start.position[2] > LOW_UU || align < ALIGNED {
        return None;
    }
    let round = known.round(dodge.frame);
    let since_s = round.map_or(f64::INFINITY, |round| dodge.time_s - round.go_s);
    let is_start = round.is_some_and(|round| round.has_kickoff) && since_s <= KICKOFF_S;
    let [forward, right] = dodge.direction?;
    let sideways = right.abs();
    if forward <= 0.0 || sideways < SIDEWAYS {
        return None;
    }
    let diagonal = 2.0 * forward * sideways / (forward * forward + sideways * sideways);
    let (mut nose_deg, mut roof_deg): (f32, f32) = (0.0, 0.0);
    let mut boost_align: f32 = 0.0;
    let (mut lowest, mut last): (f32, f32) = (0.0, axes.forward[2]);
    let (mut top, mut recovered) = (length(start.velocity), 0.0_f32);
    for frame in dodge.frame..=known.frame(dodge.time_s + SPEED_FLIP_S) {
        let (Some(pose), Some(now)) = (car.pose(frame), car.axes(frame)) else {
            continue;
        };
        nose_deg = nose_deg.max(degrees(dot(now.forward, axes.forward)));
        roof_deg = roof_deg.max(degrees(dot(now.up, axes.up)));
        if known.is_boosting(dodge.person, known.time_s(frame)) {
            boost_align = boost_align.max(cosine(pose.velocity, now.forward));
        }
        lowest = lowest.min(now.forward[2]);
        recovered = recovered.max(now.forward[2] - lowest);
        last = now.forward[2];
        top = top.max(length(pose.velocity));
    }
    let is_one = nose_deg <= NOSE_DEG && roof_deg >= ROOF_DEG && boost_align >= BOOST_ALIGNED;
    if !is_one {
        return None;
    }
    let cancel = 0.25 * ramp(-lowest, 0.05, 0.35)
        + 0.35 * ramp(recovered, 0.08, 0.5)
        + 0.40 * (1.0 - ramp(last.abs(), 0.05, 0.55));
    let speed =
        0.55 * ramp(top, 1450.0, 1900.0) + 0.45 * ramp(top - length(start.velocity), 180.0, 650.0);
    let confidence = 0.30 * diagonal
        + 0.30 * cancel
        + 0.15 * speed
        + 0.15 * ramp(align, 0.78, 0.98)
        + 0.05 * ramp(boost_align, 0.82, 0.99)
        + if is_start { 0.05 } else { 0.0 };
    (confidence >= SPEED_FLIP_CONFIDENCE).then(|| {
        Feat::new(known, "speed-flip", dodge.person, dodge.frame)
            .flag("kick_off", is_start)
            .whole("top_uu_s", top)
            .decimal("confidence", confidence.into())
    })
}

/// Turns round with a cancelled backflip.
fn half_flip(known: &Known<'_>, dodge: &Dodge) -> Option<Feat> {
    let car = &known.person(dodge.person)?.car;
    let (start, axes) = (car.pose(dodge.frame)?, car.axes(dodge.frame)?);
    let backwards = dot(start.velocity, axes.forward) < 0.0;
    let is_tumbling =
        length(start.spin) >= TUMBLING_RAD_S || axes.forward[2].abs() >= TUMBLING_STEEP;
    if is_tumbling && !backwards {
        return None;
    }
    let heading = flat(axes.forward);
    let (mut best, mut is_kept, mut steepest): (f32, bool, f32) = (-1.0, true, 0.0);
    let mut level = 0.0;
    for frame in dodge.frame..=known.frame(dodge.time_s + HALF_FLIP_S) {
        let Some(now) = car.axes(frame) else { continue };
        let reversed = -cosine(flat(now.forward), heading);
        steepest = steepest.max(now.forward[2].abs());
        level = length(flat(now.forward));
        if best >= REVERSED && reversed < STAYS_REVERSED {
            is_kept = false;
        }
        best = best.max(reversed);
    }
    let end = car.axes(known.frame(dodge.time_s + HALF_FLIP_S))?;
    let reversal = -cosine(flat(end.forward), heading);
    let confidence = 0.75 * ramp(reversal, 0.75, 0.98) + 0.25 * ramp(steepest, 0.55, 0.85);
    let is_one = reversal >= REVERSED
        && is_kept
        && level >= LEVEL
        && steepest >= STEEP
        && confidence >= HALF_FLIP_CONFIDENCE;
    is_one.then(|| {
        Feat::new(known, "half-flip", dodge.person, dodge.frame)
            .decimal("confidence", confidence.into())
    })
}
