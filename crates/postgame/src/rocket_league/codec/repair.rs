//! Making a damaged Rocket League replay whole again, as far as that needs no invention.

use super::encode;
use super::model::{Body, Replay, Stated};
use super::schema::Schema;
use crate::wire::json::Bytes;

/// Makes sizes, checksums, the number of frames and the keyframes agree with what is there. Says what it did.
pub fn repair(replay: &mut Replay) -> Vec<String> {
    let mut done = Vec::new();
    repair_section("header", &mut replay.header.stated, &mut done);
    if let Some(broken) = replay.header.broken.take() {
        done.push(format!(
            "dropped {} bytes of a broken property",
            broken.0.len()
        ));
    }
    for property in &mut replay.header.properties.0 {
        if let Some(size) = property.stated_size.take() {
            done.push(format!("size {size} of {} recomputed", property.name));
        }
    }
    let Some(body) = &mut replay.body else {
        return done;
    };
    repair_section("body", &mut body.stated, &mut done);
    if !replay.after.is_empty() {
        done.push(format!(
            "dropped {} bytes after the body",
            replay.after.0.len()
        ));
        replay.after = Bytes::default();
    }
    if body.broken.is_some() {
        // What is missing cannot be made up.
        return done;
    }
    // Frames that could not be read at the end are no use to the game; in the middle they are left as they are.
    if let Some(gap) = body
        .network
        .blocks
        .last_mut()
        .and_then(|block| block.gap.take())
    {
        done.push(format!(
            "dropped {} broken frames at the end",
            gap.missing_frames
        ));
        body.network.stated_size = None;
    }
    let found = body.network.frame_count_with_gaps();
    let properties = &mut replay.header.properties;
    if let (Some(stated), Ok(count)) = (properties.int("NumFrames"), i32::try_from(found))
        && stated != count
        && properties.set_int("NumFrames", count)
    {
        done.push(format!("number of frames {stated} set to {found}"));
        if let Some(rest) = body.network.rest.take() {
            done.push(format!("dropped {} bits of a broken frame", rest.count));
            body.network.stated_size = None;
        }
    }
    repair_keyframes(replay, &mut done);
    done
}

fn repair_section(name: &str, stated: &mut Stated, done: &mut Vec<String>) {
    if let Some(size) = stated.size.take() {
        done.push(format!("size {size} of the {name} recomputed"));
    }
    if let Some(crc) = stated.crc.take() {
        done.push(format!("checksum {crc:#010x} of the {name} recomputed"));
    }
}

fn repair_keyframes(replay: &mut Replay, done: &mut Vec<String>) {
    let Replay { header, body, .. } = replay;
    let Some(body) = body else { return };
    let schema = Schema::new(header, body);
    let Ok(starts) = encode::frame_starts(&body.network, &schema) else {
        return;
    };
    let Body {
        keyframes, network, ..
    } = body;
    let frames = network.frame_count_with_gaps();
    let before = keyframes.len();
    keyframes.retain(|keyframe| (keyframe.frame as usize) < frames);
    if keyframes.len() < before {
        done.push(format!(
            "dropped {} keyframes beyond the last frame",
            before - keyframes.len()
        ));
    }
    let mut moved = 0;
    for keyframe in keyframes {
        let number = keyframe.frame as usize;
        let found = starts.binary_search_by_key(&number, |start| start.0).ok();
        let Some(&(_, bit, time_s)) = found.and_then(|found| starts.get(found)) else {
            continue;
        };
        if let Ok(bit) = u32::try_from(bit)
            && (keyframe.position_bits, keyframe.time_s) != (bit, time_s)
        {
            (keyframe.position_bits, keyframe.time_s) = (bit, time_s);
            moved += 1;
        }
    }
    if moved > 0 {
        done.push(format!("{moved} keyframes put where their frames are"));
    }
}
