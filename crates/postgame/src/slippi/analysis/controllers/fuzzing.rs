//! Whether a box scatters its positions as the rules require: by -1, 0 or +1 step with 25, 50 and 25 % on each axis.

use std::collections::BTreeMap;

use super::Check;
use super::sticks::{STEPS, Sticks, is_same, key};

/// Positions at least so far out, off the axes, are on the rim.
const RIM: f64 = 0.975;

/// The logarithms of how much likelier an observation is with scattering than without: no step 0.50 against 0.95, a step
/// 0.25 against 0.025. Source: libenforcer.
const ZERO_SCORE: f64 = -0.641_853_886_172_394_7;
const STEP_SCORE: f64 = std::f64::consts::LN_10;

/// A sum of scores below this fails.
const MIN_SCORE: f64 = -6.5;

/// Fewer holds around a position say nothing.
const MIN_HOLDS: u32 = 2;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Origin,
    Cardinal,
    DeadZone,
    Rim,
    Plain,
}

fn class([x, y]: [i32; 2]) -> Class {
    let steps = STEPS as i32;
    match (x, y) {
        (0, 0) => Class::Origin,
        (0, y) if y.abs() == steps => Class::Cardinal,
        (x, 0) if x.abs() == steps => Class::Cardinal,
        (0, _) | (_, 0) => Class::DeadZone,
        _ if f64::from(x).hypot(f64::from(y)) / STEPS >= RIM => Class::Rim,
        _ => Class::Plain,
    }
}

/// The value is the mean score of an observation.
pub(super) fn check(sticks: &Sticks) -> Check {
    let holds = holds(sticks);
    let targets = targets(&holds);
    let near = |key: [i32; 2]| {
        let is_near = move |target: &&[i32; 2]| distance(**target, key) <= 1;
        let mut near = targets.iter().filter(is_near);
        // Positions near two targets belong to neither.
        match (near.next(), near.next()) {
            (Some(&target), None) => Some(target),
            _ => None,
        }
    };
    let mut own: BTreeMap<[i32; 2], Vec<([i32; 2], u32)>> = BTreeMap::new();
    for (&key, &count) in &holds {
        if let Some(target) = near(key) {
            own.entry(target).or_default().push((key, count));
        }
    }
    let (mut zeros, mut steps) = (0_u32, 0_u32);
    for (target, keys) in &own {
        if keys.iter().map(|(_, count)| count).sum::<u32>() < MIN_HOLDS {
            continue;
        }
        let is_plain = class(*target) == Class::Plain;
        for (key, count) in keys {
            for (value, middle) in key.iter().zip(target) {
                if is_plain || *middle != 0 {
                    *match value == middle {
                        true => &mut zeros,
                        false => &mut steps,
                    } += count;
                }
            }
        }
    }
    let sum = f64::from(zeros) * ZERO_SCORE + f64::from(steps) * STEP_SCORE;
    let observations = f64::from(zeros + steps);
    Check {
        name: "input_fuzzing",
        is_required: false,
        passes: sum >= MIN_SCORE,
        value: Some(sum / observations.max(1.0)),
        violations: Vec::new(),
    }
}

/// How often each position was held for two frames or more.
fn holds(sticks: &Sticks) -> BTreeMap<[i32; 2], u32> {
    let mut holds = BTreeMap::new();
    for run in sticks.points.chunk_by(|one, next| is_same(*one, *next)) {
        if let (&[point, ..], true) = (run, run.len() >= 2) {
            *holds.entry(key(point)).or_default() += 1;
        }
    }
    holds
}

/// Positions that are held at least as often as those around them.
fn targets(holds: &BTreeMap<[i32; 2], u32>) -> Vec<[i32; 2]> {
    let is_beaten = |[x, y]: [i32; 2], count: u32| {
        let around = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| [x + dx, y + dy]));
        let mut around = around.filter_map(|key| holds.get(&key));
        around.any(|&other| other > count)
    };
    let is_target = |key: [i32; 2], count: u32| {
        matches!(class(key), Class::DeadZone | Class::Plain) && !is_beaten(key, count)
    };
    let targets = holds
        .iter()
        .filter(|(key, count)| is_target(**key, **count));
    targets.map(|(&key, _)| key).collect()
}

/// The larger difference of both axes.
fn distance([x, y]: [i32; 2], [other_x, other_y]: [i32; 2]) -> i32 {
    (x - other_x).abs().max((y - other_y).abs())
}
