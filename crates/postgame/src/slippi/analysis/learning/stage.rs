//! The stage and its parts that move by themselves.

use super::Values;
use crate::slippi::codec::model::frames::Frames;
use crate::slippi::stages::{RANDALL_PERIOD, RANDALL_WIDTH_UU, id, randall};

/// Heights of Fountain of Dreams' platforms at the start, in the recorder's unit.
const LEFT_START: f32 = 20.0;
const RIGHT_START: f32 = 28.0;

/// The platforms of Fountain of Dreams, as the recorder counts them.
const RIGHT: u8 = 0;
const LEFT: u8 = 1;

/// Stages as libmelee counts them; 0 for others.
fn stage_number(stage: u16) -> u8 {
    match stage {
        2 => 8,
        3 => 18,
        8 => 6,
        28 => 26,
        31 => 24,
        32 => 25,
        _ => 0,
    }
}

/// Adds the stage's columns.
pub(super) fn add(
    stage: u16,
    frames: &Frames,
    rows: &[usize],
    add: &mut impl FnMut(String, Values),
) {
    let number = stage_number(stage);
    add("stage".to_owned(), Values::U8(vec![number; rows.len()]));
    let cloud = |row: &usize| match (stage, frames.ids.get(*row)) {
        (id::YOSHIS_STORY, Some(&frame)) => cloud(frame),
        _ => [0.0; 2],
    };
    let clouds: Vec<[f32; 2]> = rows.iter().map(cloud).collect();
    let column = |axis: usize| clouds.iter().map(|one| one[axis]).collect();
    add("randall.x".to_owned(), Values::F32(column(0)));
    add("randall.y".to_owned(), Values::F32(column(1)));
    let (left, right) = platforms(stage, frames, rows);
    add("fod_platforms.left".to_owned(), Values::F32(left));
    add("fod_platforms.right".to_owned(), Values::F32(right));
}

/// Middle and height of the cloud by libmelee's formula, whose lower leg is a frame ahead of the path after frame 0.
fn cloud(frame: i32) -> [f32; 2] {
    let frame = frame.rem_euclid(RANDALL_PERIOD);
    let half = f64::from(RANDALL_WIDTH_UU) / 2.0;
    let steps = |from: i32| f64::from(frame - from);
    let (x, y) = match frame {
        0..=415 => (
            -101.850_006_103_516 + 0.354_84 * steps(-125) + half,
            -33.2489,
        ),
        424..=468 => (97.3, -31.160_232_543_945_312 + 0.354_839_325 * steps(424)),
        477..=1015 => (
            101.235_443_115_234 - 0.354_84 * steps(477) - half,
            -13.649_89,
        ),
        1023..=1068 => (-97.65, -15.277_869_224_548_3 - 0.354_839_325 * steps(1023)),
        1076..=1199 => (
            -101.850_006_103_516 + 0.354_84 * steps(1076) + half,
            -33.2489,
        ),
        // The corners.
        _ => {
            let (y, left) = randall(frame).unwrap_or_default();
            (f64::from(left) + half, f64::from(y))
        }
    };
    [x as f32, y as f32]
}

/// Heights of the left and the right platform; 0 on other stages and before they were recorded.
fn platforms(stage: u16, frames: &Frames, rows: &[usize]) -> (Vec<f32>, Vec<f32>) {
    let events = &frames.fod_platforms;
    if stage != id::FOUNTAIN || events.is_empty() {
        return (vec![0.0; rows.len()], vec![0.0; rows.len()]);
    }
    let (mut left, mut right) = (LEFT_START, RIGHT_START);
    let mut heights = |row: &usize| {
        for index in events.of_row(*row) {
            let columns = &events.columns;
            match (columns.platform.get(index), columns.height.get(index)) {
                (Some(&LEFT), Some(&height)) => left = height,
                (Some(&RIGHT), Some(&height)) => right = height,
                _ => {}
            }
        }
        (left, right)
    };
    rows.iter().map(&mut heights).unzip()
}
