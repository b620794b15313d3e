//! Gravity and terminal speed in `data/slippi/falling.tsv`, against characters that fall freely in all replays of 3.5 and later.

use std::collections::BTreeMap;

use postgame::slippi::model::frames::Copies;
use postgame::slippi::tables::FALLING;

use crate::load;

/// `Fall` to `FallAerialB`: nothing but gravity and a fast fall changes the speed upwards.
const FALLING_FREELY: std::ops::RangeInclusive<u16> = 29..=34;

/// Set in `flags_2` during a fast fall.
const FAST_FALL: u8 = 0x08;

/// Speeds of the table have three decimals.
const TOLERANCE_UU: f32 = 0.000_6;

/// A character needs this many frames before it counts: fewer can be something else, such as wind.
const MIN_FRAMES: usize = 30;

/// Frames of a character in which its fall was seen, and those that the table explains.
#[derive(Default)]
struct Seen {
    frames: usize,
    explained: usize,
}

#[test]
fn characters_fall_as_the_table_says() {
    let Some(files) = load::replays() else {
        return;
    };
    let mut seen: BTreeMap<u8, Seen> = BTreeMap::new();
    for (_, file) in files {
        let Some(frames) = &file.replay.frames else {
            continue;
        };
        let rows = frames.rows(Copies::Final);
        for character in &frames.characters {
            let post = &character.post.columns;
            if post.speed_y.is_empty() {
                continue;
            }
            for pair in rows.windows(2) {
                let (Some(before), Some(at)) =
                    (character.post.at(pair[0]), character.post.at(pair[1]))
                else {
                    continue;
                };
                let falls = |index: usize| {
                    FALLING_FREELY.contains(&post.action_state[index])
                        && post.flags_2[index] & FAST_FALL == 0
                        && post.airborne[index] == 1
                        && post.speed_attack_y[index] == 0.0
                };
                // The fall's first frame belongs to what came before it.
                if !falls(before) || !falls(at) || post.speed_y[before] > 0.0 {
                    continue;
                }
                let number = post.character[at];
                let Some(&(gravity_uu, fall_uu)) = FALLING.get(usize::from(number)) else {
                    continue;
                };
                let wanted = (post.speed_y[before] - gravity_uu).max(-fall_uu);
                let seen = seen.entry(number).or_default();
                seen.frames += 1;
                seen.explained += usize::from((post.speed_y[at] - wanted).abs() <= TOLERANCE_UU);
            }
        }
    }
    for (number, Seen { frames, explained }) in &seen {
        println!("character {number}: {explained} of {frames} frames");
    }
    let wrong: Vec<u8> = seen
        .iter()
        .filter(|(_, seen)| seen.frames >= MIN_FRAMES && seen.explained * 10 < seen.frames * 9)
        .map(|(number, _)| *number)
        .collect();
    assert!(!seen.is_empty() && wrong.is_empty(), "{wrong:?}");
}
