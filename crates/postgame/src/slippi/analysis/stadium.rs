//! Results of the stadium's single-player modes: Home-Run Contest and Target Test.

use serde::Serialize;

use crate::slippi::Replay;
use crate::slippi::codec::model::frames::{Copies, FIRST_FRAME};

/// Scenes, as the recorder names them.
const TARGET_TEST: u8 = 0x0f;
const HOME_RUN_CONTEST: u8 = 0x20;

/// Sandbag, as the engine counts characters.
const SANDBAG: u8 = 32;

/// Targets among the items.
const TARGET: u16 = 209;

/// The language that measures in metres.
const JAPANESE: u8 = 0;

/// Where the distance begins, in the game's units; the scale differs by language. Source: slippi-js.
const START_UU: f32 = 70.0;
const FEET_SCALE: f32 = 0.952_462;
const METRES_SCALE: f32 = 1.041_67;

/// Centimetres in the game's unit, a foot and a metre. Source: slippi-js.
const CM_PER_UU: f32 = 10.0;
const CM_PER_FOOT: f32 = 30.478_8;
const CM_PER_METRE: f32 = 100.0;

/// How far Sandbag flew.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct HomeRun {
    /// The distance as the game shows it.
    pub distance: f64,
    /// `feet`, or `metres` in the Japanese game.
    pub unit: &'static str,
}

/// A target.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Target {
    /// Its number among the items.
    pub spawn_id: u32,
    /// Where it is at the start, in the game's units.
    pub x_uu: f32,
    /// Where it is at the start, upwards.
    pub y_uu: f32,
    /// The first frame without it; `None` if it stays.
    pub broken_frame: Option<i32>,
}

/// The result of a Home-Run Contest; `None` for other modes.
pub fn home_run(replay: &Replay) -> Option<HomeRun> {
    let start = &replay.start;
    if start.major_scene != Some(HOME_RUN_CONTEST) {
        return None;
    }
    let frames = replay.frames.as_ref()?;
    let row = *frames.rows(Copies::Final).last()?;
    let x = frames.characters.iter().find_map(|one| {
        let at = one.post.at(row)?;
        let columns = &one.post.columns;
        let is_sandbag = *columns.character.get(at)? == SANDBAG;
        is_sandbag.then(|| columns.x.get(at).copied())?
    })?;
    let (scale, unit, length) = match start.language {
        Some(JAPANESE) => (METRES_SCALE, "metres", CM_PER_METRE),
        _ => (FEET_SCALE, "feet", CM_PER_FOOT),
    };
    let cm = CM_PER_UU * (x - START_UU * scale).floor();
    // As the game cuts it, in single precision.
    let tenths = (cm / length * 10.0).floor();
    Some(HomeRun {
        distance: f64::from(tenths.max(0.0)) / 10.0,
        unit,
    })
}

/// The targets of a Target Test in the order of their numbers; `None` for other modes.
pub fn targets(replay: &Replay) -> Option<Vec<Target>> {
    if replay.start.major_scene != Some(TARGET_TEST) {
        return None;
    }
    let frames = replay.frames.as_ref()?;
    let columns = &frames.items.columns;
    let rows = frames.rows(Copies::Final);
    let mut targets: Vec<Target> = Vec::new();
    for row in rows {
        let frame = *frames.ids.get(row)?;
        let of_row = frames.items.of_row(row);
        let is_target = |index: &usize| columns.item_type.get(*index) == Some(&TARGET);
        if frame == FIRST_FRAME {
            targets.extend(of_row.filter(is_target).filter_map(|index| {
                Some(Target {
                    spawn_id: *columns.spawn_id.get(index)?,
                    x_uu: *columns.x.get(index)?,
                    y_uu: *columns.y.get(index)?,
                    broken_frame: None,
                })
            }));
            continue;
        }
        for target in targets.iter_mut().filter(|one| one.broken_frame.is_none()) {
            let mut there = of_row.clone().filter(is_target);
            let is_there = there.any(|index| columns.spawn_id.get(index) == Some(&target.spawn_id));
            if !is_there {
                target.broken_frame = Some(frame);
            }
        }
    }
    targets.sort_by_key(|target| target.spawn_id);
    Some(targets)
}
