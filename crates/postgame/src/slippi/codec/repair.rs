//! Repairs a damaged file without inventing data.

use super::check::character_counts;
use super::model::Replay;
use super::model::frames::{Copies, FIRST_FRAME, Frames};
use super::model::messages::Message;
use super::model::payloads::code;
use super::model::start::Start;
use super::ubjson::{Pairs, Value, find};
use crate::repair::{Loss, Repair};

/// Drops everything that is not an event, and makes length, end and metadata agree with the events.
///
/// The format has no checksum: the only repair the events can prove is filling in a missing length.
pub fn repair(replay: &mut Replay, done: &mut Repair) {
    if replay.frames.is_none() {
        return;
    }
    let first_step = done.steps.len();
    drop_gaps(replay, done);
    drop_cut(replay, done);
    drop_second_end(replay, done);
    match replay.stated_length.take() {
        Some(0) => done.proven("length of the events filled in, which the recorder had left at 0"),
        Some(length) => done.suspect(
            format!("length {length} of the events recomputed"),
            "the length did not match, so bytes may be missing, foreign or changed anywhere in the events",
        ),
        None => {}
    }
    if !replay.is_closed || replay.metadata().is_none() {
        make_metadata(replay, done);
    }
    if !replay.trailing.is_empty() {
        let bytes = std::mem::take(&mut replay.trailing).0.len();
        done.lost("dropped the bytes after the end", Loss::bytes(bytes));
    }
    mend_last_frame(replay, done);
    let steps = done.steps.get(first_step..).unwrap_or_default();
    if replay.end().is_none() && steps.iter().any(|step| step.lost.is_some()) {
        done.lost(
            "left out the game's end, which nothing in the file tells",
            Loss::default(),
        );
    }
}

/// Bytes between events that belong to no event.
fn drop_gaps(replay: &mut Replay, done: &mut Repair) {
    if replay.gaps.is_empty() {
        return;
    }
    let gaps = std::mem::take(&mut replay.gaps);
    let bytes: usize = gaps.iter().map(|gap| gap.bytes.0.len()).sum();
    let frames = replay.frames.as_ref().map_or(0, missing_frames);
    let lost = Loss {
        frames: Some(frames as u64).filter(|&frames| frames > 0),
        bytes: Some(bytes as u64),
        ..Loss::default()
    };
    let action = format!(
        "dropped the bytes of {} gaps between events; frames beside them can lack events",
        gaps.len()
    );
    done.lost(action, lost);
}

/// Number of frames between the first and the last one that have no row.
fn missing_frames(frames: &Frames) -> usize {
    let Some(last) = frames.last_frame() else {
        return 0;
    };
    let all = usize::try_from(i64::from(last) - i64::from(FIRST_FRAME) + 1).unwrap_or(0);
    all.saturating_sub(frames.rows(Copies::Final).len())
}

/// A cut event, and the frame it belongs to.
fn drop_cut(replay: &mut Replay, done: &mut Repair) {
    let is_cut = !replay.remains.is_empty() || !replay.is_closed;
    if !replay.remains.is_empty() {
        let bytes = std::mem::take(&mut replay.remains).0.len();
        done.lost(
            "dropped the bytes at the end of the events that hold no whole event",
            Loss::bytes(bytes),
        );
    }
    let has_bookends = replay.payloads.size(code::BOOKEND).is_some();
    if let Some(frames) = replay
        .frames
        .as_mut()
        .filter(|_| is_cut && replay.after.is_empty())
        && let Some(row) = frames.len().checked_sub(1)
        && has_bookends
        && frames.bookends.at(row).is_none()
    {
        let id = frames.ids.last().copied().unwrap_or_default();
        frames.drop_last_row();
        done.lost(
            format!("dropped frame {id}, which is incomplete"),
            Loss::frames(1),
        );
    }
}

fn drop_second_end(replay: &mut Replay, done: &mut Repair) {
    let mut ends = 0;
    replay.after.retain(|message| {
        ends += usize::from(matches!(message, Message::End { .. }));
        ends <= 1 || !matches!(message, Message::End { .. })
    });
    if ends > 1 {
        done.lost(
            "dropped every end of the game but the first",
            Loss::objects(ends - 1),
        );
    }
}

/// Metadata computed from the events: the last frame, each player's frames, and names.
fn make_metadata(replay: &mut Replay, done: &mut Repair) {
    let Some(frames) = &replay.frames else { return };
    if !replay.is_closed && !replay.trailing.is_empty() {
        let bytes = std::mem::take(&mut replay.trailing).0.len();
        done.lost("dropped broken metadata", Loss::bytes(bytes));
    }
    replay.is_closed = true;
    if replay.metadata().is_some() {
        return;
    }
    let mut metadata = Pairs::new();
    if let Some(last) = frames.last_frame() {
        metadata.push(("lastFrame".into(), Value::int(last)));
    }
    let players = replay
        .start
        .ports()
        .map(|(port, _)| (port.to_string(), player(&replay.start, frames, port)));
    let players: Vec<(String, Value)> = players.collect();
    let players = Value::object(
        players
            .iter()
            .map(|(port, player)| (port.as_str(), player.clone())),
    );
    metadata.push(("players".into(), players));
    replay.elements.push((
        "metadata".into(),
        Value::Object(Default::default(), metadata),
    ));
    done.lost(
        "made metadata from the events, without startAt and playedOn",
        Loss::default(),
    );
}

fn player(start: &Start, frames: &Frames, port: u8) -> Value {
    let counts = character_counts(frames, port)
        .into_iter()
        .map(|(character, count)| (character.to_string(), count));
    let counts: Vec<(String, i64)> = counts.collect();
    let counts = counts
        .iter()
        .map(|(character, count)| (character.as_str(), Value::int(*count as i32)));
    let names = [
        ("netplay", Start::name_in(&start.display_names, port)),
        ("code", Start::name_in(&start.connect_codes, port)),
    ];
    let names = names
        .iter()
        .filter(|(_, name)| !name.is_empty())
        .map(|(key, name)| (*key, Value::text(name)));
    Value::object([
        ("names", Value::object(names)),
        ("characters", Value::object(counts)),
    ])
}

fn mend_last_frame(replay: &mut Replay, done: &mut Repair) {
    let Some(last) = replay.frames.as_ref().and_then(Frames::last_frame) else {
        return;
    };
    let stated =
        find(&replay.elements, "metadata").and_then(|metadata| metadata.get("lastFrame")?.as_int());
    let Some(stated) = stated.filter(|&stated| stated != i64::from(last)) else {
        return;
    };
    for (key, value) in &mut replay.elements {
        if let (b"metadata", Value::Object(_, pairs)) = (key.text.as_bytes(), value) {
            for (_, value) in pairs
                .iter_mut()
                .filter(|(key, _)| key.text.as_bytes() == b"lastFrame")
            {
                *value = Value::int(last);
            }
        }
    }
    done.suspect(
        format!("last frame {stated} in the metadata set to {last}"),
        "frames may be missing at the end, or the metadata was damaged",
    );
}
