//! Repairs a damaged Rocket League replay without inventing data.
//!
//! Each section has a checksum. A repair is proven if the repaired section matches the stated checksum; otherwise every
//! value in that section is suspect.

use super::container::contents_crcs;
use super::encode;
use super::model::network::Network;
use super::model::properties::{Property, Value};
use super::model::{Body, Part, Replay, Stated};
use super::salvage::find_tables;
use super::schema::Schema;
use crate::repair::{Loss, Repair};
use crate::wire::json::Bytes;

/// The header property with the number of frames.
const NUM_FRAMES: &str = "NumFrames";

/// The damage found before anything was changed.
#[derive(Clone, Copy)]
struct Trust {
    /// True if the header's properties end early.
    is_header_broken: bool,
    /// True if the body matches the stated checksum.
    is_body_proven: bool,
}

/// Corrects sizes, checksums, the number of frames and the keyframes, and cuts the stream at the first gap.
pub fn repair(replay: &mut Replay, done: &mut Repair) {
    let recorded = recorded_crcs(replay);
    let trust = Trust {
        is_header_broken: replay.header.broken.is_some(),
        is_body_proven: matches!(&replay.body, Some(body) if body.stated.crc.is_none()),
    };
    let steps_before = done.steps.len();
    repair_header(replay, done);
    if replay.body.is_some() {
        repair_body(replay, trust, done);
    }
    prove(replay, recorded, steps_before, done);
}

/// Drops all frames; the header and the tables remain.
pub(crate) fn drop_frames(replay: &mut Replay, done: &mut Repair) {
    let Some(body) = &mut replay.body else { return };
    if body.network == Network::default() {
        return;
    }
    let frames = body.network.frame_count_with_gaps();
    clear_frames(body);
    set_frame_count(replay, 0);
    done.lost("dropped all frames", Loss::frames(frames));
}

fn clear_frames(body: &mut Body) {
    body.network = Network::default();
    body.keyframes.clear();
    body.tick_marks.clear();
    body.debug_strings.clear();
}

/// The stated checksums, or those of the contents if the stated ones are right.
fn recorded_crcs(replay: &Replay) -> [Option<u32>; 2] {
    let [header, body] = contents_crcs(replay).unwrap_or_default();
    let stated_body = replay.body.as_ref().and_then(|body| body.stated.crc);
    [replay.header.stated.crc.or(header), stated_body.or(body)]
}

/// Compares the repaired sections with the checksums in the file.
fn prove(replay: &mut Replay, recorded: [Option<u32>; 2], first_step: usize, done: &mut Repair) {
    let repaired = contents_crcs(replay).unwrap_or_default();
    let body = replay.body.as_mut().map(|body| &mut body.stated.crc);
    let stated = [Some(&mut replay.header.stated.crc), body];
    for (((name, stated), recorded), repaired) in ["header", "body"]
        .into_iter()
        .zip(stated)
        .zip(recorded)
        .zip(repaired)
    {
        let stated = stated.and_then(Option::take);
        let is_proven = recorded == repaired;
        match stated {
            Some(crc) if is_proven => {
                done.proven(format!("the {name} has its checksum {crc:#010x} again"));
            }
            Some(crc) => done.suspect(
                format!("checksum {crc:#010x} of the {name} recomputed"),
                format!("the checksum did not match, so any value in the {name} may be wrong"),
            ),
            None if is_proven || recorded.is_none() => {}
            // A step that lost data is reported already; any other step changed contents that the checksum covered.
            None => {
                let steps = done.steps.get(first_step..).unwrap_or_default();
                if steps.iter().all(|step| step.lost.is_none()) {
                    done.suspect(
                        format!("checksum of the {name} recomputed"),
                        format!("the {name} contradicted itself although its checksum matched"),
                    );
                }
            }
        }
    }
}

fn repair_header(replay: &mut Replay, done: &mut Repair) {
    let header = &mut replay.header;
    repair_size("header", &mut header.stated, done);
    if let Some(broken) = header.broken.take() {
        let bytes = broken.0.len();
        done.lost(
            "dropped the header's properties from the first broken one on",
            Loss::bytes(bytes),
        );
    }
    for property in &mut header.properties.0 {
        if let Some(size) = property.stated_size.take() {
            done.proven(format!("size {size} of {} recomputed", property.name));
        }
    }
}

fn repair_body(replay: &mut Replay, trust: Trust, done: &mut Repair) {
    let stated_frames = replay.stated_frames();
    find_lost_tables(replay, done);
    let Some(body) = &mut replay.body else { return };
    repair_size("body", &mut body.stated, done);
    if !replay.after.is_empty() {
        let bytes = std::mem::take(&mut replay.after).0.len();
        done.lost("dropped the bytes after the body", Loss::bytes(bytes));
    }
    if let Some(broken) = body.broken.take() {
        let stream = body.network.rest.take().map_or(0, |rest| rest.count / 8);
        clear_frames(body);
        body.stated = Stated::default();
        let lost = Loss {
            frames: stated_frames.map(u64::from),
            bytes: Some(broken.bytes.0.len() as u64 + stream),
            ..Loss::default()
        };
        let action = format!(
            "dropped all frames and the tables from the {:?} on, where the file breaks",
            broken.part
        );
        done.lost(action, lost);
    }
    let cut = cut_stream(body, stated_frames, trust);
    let found = body.network.frame_count();
    let is_cut = cut.is_some();
    if let Some((action, lost)) = cut {
        done.lost(action, lost);
    }
    let stated = replay.header.properties.int(NUM_FRAMES);
    let is_right = stated.map_or(found == 0, |stated| usize::try_from(stated) == Ok(found));
    if !is_right && set_frame_count(replay, found) {
        let stated =
            stated.map_or_else(|| "that was missing".to_owned(), |count| count.to_string());
        done.proven(format!("number of frames {stated} set to {found}"));
    }
    if is_cut && let Some(body) = &mut replay.body {
        drop_marks(body, found, done);
    }
    repair_keyframes(replay, done);
}

/// Takes the tables from their actual place, if that is not the stated one.
fn find_lost_tables(replay: &mut Replay, done: &mut Repair) {
    let Some(body) = &replay.body else { return };
    let is_broken = matches!(&body.broken, Some(broken) if broken.part > Part::Keyframes);
    // Zeros at the end of a stream parse as empty tables.
    let is_empty = body.objects.is_empty() && replay.stated_frames().is_some_and(|count| count > 0);
    if !is_broken && !is_empty {
        return;
    }
    let (stated, Some(mut found)) = (body.stated, find_tables(replay)) else {
        return;
    };
    found.stated = stated;
    replay.body = Some(found);
    replay.after = Bytes::default();
    done.suspect(
        "found the tables at another place than the file says",
        "the stream lost bytes, or foreign bytes came into it",
    );
}

fn repair_size(name: &str, stated: &mut Stated, done: &mut Repair) {
    if let Some(size) = stated.size.take() {
        done.proven(format!("size {size} of the {name} recomputed"));
    }
}

/// Ends the stream at its first gap. Returns the step and the loss; `None` if there is no gap.
fn cut_stream(body: &mut Body, stated_frames: Option<u32>, trust: Trust) -> Option<(String, Loss)> {
    let network = &mut body.network;
    let stated = stated_frames.unwrap_or(0) as usize;
    let found = network.frame_count_with_gaps();
    let end_s = network.frames().last().map(|frame| frame.time_s);
    if let Some(index) = network.blocks.iter().position(|block| block.gap.is_some()) {
        network.blocks.truncate(index + 1);
        for block in &mut network.blocks {
            block.gap = None;
        }
        network.blocks.retain(|block| !block.is_empty());
    } else {
        // If the body's checksum is right, all frames are there and the header's number is wrong.
        let is_short = found < stated && !trust.is_body_proven;
        let has_rest = trust.is_header_broken && stated_frames.is_none() && network.rest.is_some();
        if !is_short && !has_rest {
            return None;
        }
    }
    network.rest = None;
    network.stated_size = None;
    let kept = network.frame_count();
    let kept_s = network.frames().last().map(|frame| frame.time_s);
    let seconds = match (kept_s, end_s) {
        (Some(kept_s), Some(end_s)) if end_s > kept_s => Some(f64::from(end_s - kept_s)),
        _ => None,
    };
    let lost = Loss {
        frames: Some((found.max(stated) - kept) as u64).filter(|&frames| frames > 0),
        seconds: seconds.filter(|seconds| seconds.is_finite()),
        ..Loss::default()
    };
    let action = format!("cut the stream after frame {kept}, where it breaks");
    Some((action, lost))
}

/// Sets the header's number of frames, and adds the property if it is missing. Returns `false` if the number does not
/// fit.
fn set_frame_count(replay: &mut Replay, count: usize) -> bool {
    let Ok(count) = i32::try_from(count) else {
        return false;
    };
    let properties = &mut replay.header.properties;
    if !properties.set_int(NUM_FRAMES, count) {
        properties
            .0
            .retain(|property| property.name.as_str() != NUM_FRAMES);
        properties.0.push(Property {
            name: NUM_FRAMES.into(),
            index: 0,
            stated_size: None,
            value: Value::Int(count),
        });
    }
    true
}

/// Drops marks and messages in frames that were cut off. The last goal can be in the frame after the last one, and a
/// mark without a frame is in frame -1.
fn drop_marks(body: &mut Body, frames: usize, done: &mut Repair) {
    let is_there = |frame: u32| frame as usize <= frames || frame == u32::MAX;
    let before = body.tick_marks.len() + body.debug_strings.len();
    body.tick_marks.retain(|mark| is_there(mark.frame));
    body.debug_strings.retain(|string| is_there(string.frame));
    let dropped = before - body.tick_marks.len() - body.debug_strings.len();
    if dropped > 0 {
        done.lost(
            "dropped marks and messages beyond the last frame",
            Loss::objects(dropped),
        );
    }
}

fn repair_keyframes(replay: &mut Replay, done: &mut Repair) {
    let Replay { header, body, .. } = replay;
    let Some(body) = body else { return };
    let schema = Schema::new(header, body);
    let Ok(starts) = encode::frame_starts(&body.network, &schema) else {
        return;
    };
    let frames = body.network.frame_count_with_gaps();
    let keyframes = &mut body.keyframes;
    let before = keyframes.len();
    keyframes.retain(|keyframe| (keyframe.frame as usize) < frames);
    if keyframes.len() < before {
        done.proven(format!(
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
            && (keyframe.position_bits, keyframe.time_s.to_bits()) != (bit, time_s.to_bits())
        {
            (keyframe.position_bits, keyframe.time_s) = (bit, time_s);
            moved += 1;
        }
    }
    if moved > 0 {
        done.proven(format!("{moved} keyframes put where their frames are"));
    }
}
