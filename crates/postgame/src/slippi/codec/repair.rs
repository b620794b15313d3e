//! Making a valid file of a cut one, as far as that needs no invention.

use super::check::character_counts;
use super::model::Replay;
use super::model::frames::Frames;
use super::model::messages::Message;
use super::model::payloads::code;
use super::model::start::Start;
use super::ubjson::{Pairs, Value, find};
use crate::wire::json::Bytes;

/// Makes length, end and metadata agree with what is there. Says what it did, and what is missing.
pub fn repair(replay: &mut Replay) -> Vec<String> {
    let mut done = Vec::new();
    if replay.frames.is_none() {
        return done;
    }
    drop_cut(replay, &mut done);
    drop_second_end(replay, &mut done);
    if let Some(length) = replay.stated_length.take() {
        done.push(format!("length {length} recomputed"));
    }
    if !replay.is_closed || replay.metadata().is_none() {
        make_metadata(replay, &mut done);
    }
    if !replay.trailing.is_empty() {
        done.push(format!(
            "dropped {} bytes after the end",
            replay.trailing.0.len()
        ));
        replay.trailing = Bytes::default();
    }
    mend_last_frame(replay, &mut done);
    if !done.is_empty() && replay.end().is_none() {
        done.push("still missing: the game's end, which nothing in the file tells".to_owned());
    }
    done
}

/// A cut event, and the frame it is part of.
fn drop_cut(replay: &mut Replay, done: &mut Vec<String>) {
    let is_cut = !replay.remains.is_empty() || !replay.is_closed;
    if !replay.remains.is_empty() {
        done.push(format!(
            "dropped {} bytes that hold no whole event",
            replay.remains.0.len()
        ));
        replay.remains = Bytes::default();
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
        done.push(format!("dropped frame {id}, which is incomplete"));
    }
}

fn drop_second_end(replay: &mut Replay, done: &mut Vec<String>) {
    let mut ends = 0;
    replay.after.retain(|message| {
        ends += usize::from(matches!(message, Message::End { .. }));
        ends <= 1 || !matches!(message, Message::End { .. })
    });
    if ends > 1 {
        done.push(format!("dropped {} further ends of the game", ends - 1));
    }
}

/// Metadata of what the events tell: the last frame, who played how long, and names.
fn make_metadata(replay: &mut Replay, done: &mut Vec<String>) {
    let Some(frames) = &replay.frames else { return };
    if !replay.is_closed && !replay.trailing.is_empty() {
        done.push(format!(
            "dropped {} bytes of broken metadata",
            replay.trailing.0.len()
        ));
        replay.trailing = Bytes::default();
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
    done.push("made metadata of the events; still missing in it: startAt and playedOn".to_owned());
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

fn mend_last_frame(replay: &mut Replay, done: &mut Vec<String>) {
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
    done.push(format!("last frame {stated} set to {last}"));
}
