//! Frames of a Slippi game that were computed more than once: the first computation is the one the player saw.

use std::collections::BTreeMap;

use postgame::Recording;
use postgame::slippi::coords;
use postgame::slippi::model::frames::Copies;
use serde_json::json;

use crate::pack::Pack;

/// Every such frame: its time, the number of computations, and each character's position in the first one.
///
/// The characters are the timeline's first entities, in the same order. The position of an absent one is NaN.
pub fn rollbacks(recording: &Recording) -> Vec<u8> {
    let mut pack = Pack::default();
    let frames = match recording {
        Recording::Slippi(replay) => replay.frames.as_ref(),
        _ => None,
    };
    let Some(frames) = frames else {
        return pack.finish(&json!({ "times_s": [0, 0], "copies": [0, 0], "characters": [] }));
    };
    let mut copies: BTreeMap<i32, u32> = BTreeMap::new();
    for &frame in &frames.ids {
        let count = copies.entry(frame).or_default();
        *count = count.saturating_add(1);
    }
    let firsts: Vec<(usize, i32, u32)> = frames
        .rows(Copies::First)
        .into_iter()
        .filter_map(|row| {
            let frame = *frames.ids.get(row)?;
            let count = *copies.get(&frame)?;
            (count > 1).then_some((row, frame, count))
        })
        .collect();
    let times_s = pack.f64s(firsts.iter().map(|&(_, frame, _)| coords::time_s(frame)));
    let counts = pack.u32s(firsts.iter().map(|&(_, _, count)| count));
    let characters: Vec<_> = frames
        .characters
        .iter()
        .map(|character| {
            let post = &character.post;
            let place = |row: usize| {
                let index = post.at(row)?;
                let (x, y) = (post.columns.x.get(index)?, post.columns.y.get(index)?);
                Some(coords::position(*x, *y))
            };
            let places = firsts
                .iter()
                .map(|&(row, ..)| place(row).unwrap_or([f32::NAN; 3]));
            pack.f32s(places.flatten())
        })
        .collect();
    pack.finish(&json!({ "times_s": times_s, "copies": counts, "characters": characters }))
}
