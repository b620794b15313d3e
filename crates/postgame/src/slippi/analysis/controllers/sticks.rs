//! Positions of the sticks, frame by frame, as the controller sent them.

use std::collections::HashSet;

use super::Violation;
use crate::slippi::analysis::lane::Lane;
use crate::slippi::codec::model::frames::Frames;

/// The game's range of a stick, in steps of the controller. Source: libenforcer.
pub(super) const STEPS: f64 = 80.0;

/// Positions this much nearer to the middle than the rim count as on it: half a step on each axis.
const RIM_MARGIN: f64 = 0.0125;

/// How many positions the rim of an analog stick has.
const RIM_POSITIONS: f64 = 432.0;

/// Shorter recordings, in frames, have their share of the rim scaled up: three minutes.
const WHOLE_FRAMES: f64 = 10_800.0;

/// Below this share of the rim it is a box.
pub(super) const BOX_SHARE: f64 = 0.5;

/// Closer positions are the same.
const SAME: f64 = 0.0001;

/// Raw positions nearer to the middle than this, squared, are the middle.
const MIDDLE_SQUARED: f64 = 0.001;

/// One port's stick in every recorded frame.
pub(super) struct Sticks {
    pub port: u8,
    /// The points are those the controller sent.
    pub is_raw: bool,
    pub points: Vec<[f64; 2]>,
    pub cstick_x: Vec<f64>,
    /// Action states after each frame.
    pub states: Vec<u16>,
    /// The frames' numbers.
    pub frames: Vec<i32>,
}

impl Sticks {
    pub fn new(frames: &Frames, rows: &[usize], port: u8) -> Option<Self> {
        let lane = Lane::new(frames, rows, port, false)?;
        let mut sticks = Self {
            port,
            is_raw: true,
            points: Vec::new(),
            cstick_x: Vec::new(),
            states: Vec::new(),
            frames: Vec::new(),
        };
        for (index, &row) in rows.iter().enumerate() {
            let (Some(state), Some(stick), Some([cstick_x, _]), Some(&frame)) = (
                lane.state(index),
                lane.stick(index),
                lane.cstick(index),
                frames.ids.get(row),
            ) else {
                continue;
            };
            let raw_x = lane.pre(index, |pre| &pre.raw_joystick_x);
            let raw_y = lane.pre(index, |pre| &pre.raw_joystick_y);
            let point = match (raw_x, raw_y) {
                (Some(x), Some(y)) => clamped(x.into(), y.into()),
                _ => {
                    sticks.is_raw = false;
                    stick.map(|value| (f64::from(value) * STEPS).round() / STEPS)
                }
            };
            sticks.points.push(point);
            sticks.cstick_x.push(cstick_x.into());
            sticks.states.push(state);
            sticks.frames.push(frame);
        }
        (!sticks.points.is_empty()).then_some(sticks)
    }

    /// How many different positions there are, and how many of them on the rim.
    pub fn positions(&self) -> (usize, usize) {
        let distinct: HashSet<[i32; 2]> = self.points.iter().map(|&point| key(point)).collect();
        let is_rim = |point: &&[i32; 2]| {
            let [x, y] = point.map(|value| f64::from(value.abs()) / STEPS + RIM_MARGIN);
            (x * x + y * y).sqrt() >= 1.0
        };
        (distinct.len(), distinct.iter().filter(is_rim).count())
    }

    /// The share of the rim that is used, as far as a recording of this length shows it.
    pub fn rim_share(&self, rim_positions: usize) -> f64 {
        let frames = self.points.len() as f64;
        let share = rim_positions as f64 / RIM_POSITIONS;
        share * (1.0 + (WHOLE_FRAMES - frames).max(0.0) / WHOLE_FRAMES)
    }

    /// A violation with the stick of the `count` frames from an index on.
    pub fn violation(&self, index: usize, rule: u8, count: usize) -> Violation {
        let end = self.points.len().min(index + count);
        Violation {
            index,
            frame: self.frames.get(index).copied().unwrap_or_default(),
            rule,
            sticks: self.points.get(index..end).unwrap_or_default().to_vec(),
        }
    }
}

/// A position in the controller's steps.
pub(super) fn key(point: [f64; 2]) -> [i32; 2] {
    point.map(|value| (value * STEPS).round() as i32)
}

/// Whether two positions are the same.
pub(super) fn is_same([x, y]: [f64; 2], [other_x, other_y]: [f64; 2]) -> bool {
    (x - other_x).abs() < SAME && (y - other_y).abs() < SAME
}

/// A raw position cut to the game's circle and rounded as the game rounds, from -1 to 1.
fn clamped(x: f64, y: f64) -> [f64; 2] {
    let squared = x * x + y * y;
    if squared < MIDDLE_SQUARED {
        return [0.0; 2];
    }
    let length = squared.sqrt();
    let [x, y] = if length > STEPS {
        let scaled = [x, y].map(|value| value * (STEPS / length));
        // The sign of x alone decides which way both are rounded.
        match x > 0.0 {
            true => scaled.map(f64::floor),
            false => scaled.map(f64::ceil),
        }
    } else {
        [x, y]
    };
    // Negative zero is zero.
    [x, y].map(|value| value.round() / STEPS + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_cut_to_the_circle() {
        assert_eq!(clamped(0.0, 0.0), [0.0, 0.0]);
        assert_eq!(clamped(100.0, 0.0), [1.0, 0.0]);
        assert_eq!(clamped(80.0, 80.0), [56.0 / 80.0, 56.0 / 80.0]);
        assert_eq!(clamped(-80.0, 80.0), [-56.0 / 80.0, 57.0 / 80.0]);
    }
}
