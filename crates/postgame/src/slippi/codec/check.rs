//! Checks a Slippi replay for contradictions with its format or within itself.

use std::collections::{BTreeMap, HashSet};

use super::model::Replay;
use super::model::frames::{Copies, FIRST_FRAME, Frames};
use super::model::messages::{Message, gecko_list};
use super::model::payloads::code;
use super::model::start::Start;
use super::strings::fold;
use super::ubjson::Value;
use crate::report::{Report, Severity};
use crate::slippi::names;
use crate::slippi::tables::PAYLOAD_SIZES;

/// The newest recorder version whose events are known.
const NEWEST: [u8; 2] = [3, 19];

/// Maximum number of items per frame that the recorder lists.
const MOST_ITEMS: usize = 15;

/// Adds all findings about a replay.
pub fn check(replay: &Replay, report: &mut Report) {
    check_container(replay, report);
    check_sizes(replay, report);
    check_start(&replay.start, report);
    let Some(frames) = &replay.frames else { return };
    check_messages(replay, report);
    check_order(frames, report);
    check_continuity(replay, frames, report);
    check_characters(replay, frames, report);
    check_items(frames, report);
    check_metadata(replay, frames, report);
}

fn check_container(replay: &Replay, report: &mut Report) {
    match replay.stated_length {
        Some(0) => report.add(
            Severity::Odd,
            "length",
            "length",
            None,
            "the events' length was never filled in",
        ),
        Some(length) => {
            let message = format!("the file says {length} bytes of events, which is wrong");
            report.add(Severity::Odd, "length", "length", None, message);
        }
        None => {}
    }
    if replay.is_closed && !replay.trailing.is_empty() {
        let message = format!(
            "{} bytes after the end of the file are kept",
            replay.trailing.0.len()
        );
        report.add(Severity::Odd, "trailing", "", None, message);
    }
    if replay.is_closed && replay.metadata().is_none() {
        report.add(
            Severity::Odd,
            "metadata",
            "metadata",
            None,
            "there is no metadata",
        );
    }
    for (key, _) in replay
        .elements
        .iter()
        .filter(|(key, _)| key.text.as_bytes() != b"metadata")
    {
        let message = "an element nobody knows is kept";
        report.add(
            Severity::Note,
            "element",
            key.text.to_string(),
            None,
            message,
        );
    }
}

/// Compares the declared sizes with the version.
fn check_sizes(replay: &Replay, report: &mut Report) {
    let [major, minor, _] = replay.start.version();
    let version = [major, minor];
    let mut declared = HashSet::new();
    for entry in &replay.payloads.sizes {
        let path = format!("payloads[{:#04x}]", entry.code);
        if !declared.insert(entry.code) {
            report.add(
                Severity::Odd,
                "payload-size",
                path,
                None,
                "the event is declared twice",
            );
            continue;
        }
        if entry.code == code::GECKO {
            // The length of the list.
            continue;
        }
        let known = PAYLOAD_SIZES.iter().filter(|row| row.code == entry.code);
        let expected = known
            .clone()
            .rfind(|row| row.since <= version)
            .map(|row| row.size);
        let message = match expected {
            Some(size) if size == entry.size => continue,
            Some(size) if version > NEWEST && entry.size > size => {
                let message = format!("{} bytes more than known are kept", entry.size - size);
                report.add(Severity::Note, "newer", path, None, message);
                continue;
            }
            Some(size) => format!(
                "{} bytes are declared; version {major}.{minor} has {size}",
                entry.size
            ),
            None if is_early(entry.code, entry.size, version) => {
                let message = format!("version {major}.{minor} declares the stage's events early");
                report.add(Severity::Note, "event-early", path, None, message);
                continue;
            }
            None if known.count() > 0 => format!("version {major}.{minor} has no such event"),
            None => {
                report.add(
                    Severity::Note,
                    "event-unknown",
                    path,
                    None,
                    "an event nobody knows is declared",
                );
                continue;
            }
        };
        report.add(Severity::Odd, "payload-size", path, None, message);
    }
    for row in PAYLOAD_SIZES.iter().filter(|row| row.since <= version) {
        if declared.insert(row.code) {
            let message = format!("version {major}.{minor} declares this event, the file does not");
            report.add(
                Severity::Odd,
                "payload-size",
                format!("payloads[{:#04x}]", row.code),
                None,
                message,
            );
        }
    }
}

/// Development builds of 3.17 declare the events of the stage as 3.18 has them.
fn is_early(event: u8, size: u16, version: [u8; 2]) -> bool {
    let is_of_stage = matches!(event, code::FOD_PLATFORM | code::WHISPY | code::STADIUM);
    let mut known = PAYLOAD_SIZES.iter().filter(|row| row.code == event);
    let is_next =
        |[major, minor]: [u8; 2]| major == version[0] && Some(minor) == version[1].checked_add(1);
    is_of_stage && known.any(|row| row.size == size && is_next(row.since))
}

fn check_start(start: &Start, report: &mut Report) {
    let [major, minor, _] = start.version();
    if [major, minor] > NEWEST {
        let message = format!("version {major}.{minor} is newer than what is known");
        report.add(Severity::Note, "newer", "start.version", None, message);
    }
    if names::stage(start.info.stage).is_none() {
        let message = format!("{} is no known stage", start.info.stage);
        report.add(Severity::Note, "stage", "start.info.stage", None, message);
    }
    for (port, player) in start.ports() {
        let path = |field: &str| format!("start.info.players[{port}].{field}");
        match names::character(player.character) {
            None => {
                let message = format!("{} is no character", player.character);
                report.add(Severity::Odd, "character", path("character"), None, message);
            }
            Some(one) if usize::from(player.costume) >= one.costumes.len() => {
                let message = format!("{} has no costume {}", one.name, player.costume);
                report.add(Severity::Note, "costume", path("costume"), None, message);
            }
            Some(_) => {}
        }
        if player.player_type > 3 {
            let message = format!("{} is no kind of player", player.player_type);
            report.add(
                Severity::Odd,
                "player-type",
                path("player_type"),
                None,
                message,
            );
        }
    }
    for (port, fix) in start.controller_fixes.iter().flatten().enumerate() {
        if fix.dashback > 2 || fix.shield_drop > 2 {
            let path = format!("start.controller_fixes[{port}]");
            report.add(
                Severity::Odd,
                "controller-fix",
                path,
                None,
                "a correction nobody knows",
            );
        }
    }
    for (name, flag) in [
        ("is_pal", start.is_pal),
        ("is_frozen_stadium", start.is_frozen_stadium),
    ] {
        if let Some(value) = flag.filter(|&value| value > 1) {
            report.add(
                Severity::Odd,
                "flag",
                format!("start.{name}"),
                None,
                format!("{value} is neither 0 nor 1"),
            );
        }
    }
}

/// Checks the events outside of frames: one end, and a gecko list whose pieces fit.
fn check_messages(replay: &Replay, report: &mut Report) {
    let ends = replay
        .after
        .iter()
        .filter(|message| matches!(message, Message::End { .. }))
        .count();
    match ends {
        1 => {}
        0 => report.add(
            Severity::Odd,
            "game-end",
            "after",
            None,
            "the game's end is missing",
        ),
        _ => report.add(
            Severity::Odd,
            "game-end",
            "after",
            None,
            format!("the game ends {ends} times"),
        ),
    }
    let known = |message: &Message| matches!(message, Message::Split { .. } | Message::End { .. });
    let mut unknown = report.series(Severity::Note, "event-unknown");
    for (list, messages) in [("before", &replay.before), ("after", &replay.after)] {
        for (index, message) in messages.iter().enumerate() {
            if !known(message) && message.code() != code::GECKO {
                let code = message.code();
                unknown.add(
                    || format!("{list}[{index}]"),
                    None,
                    || format!("event {code:#04x} is kept unread"),
                );
            }
        }
    }
    drop(unknown);
    let mut is_last_seen = false;
    let mut splits = 0;
    for (index, message) in replay.before.iter().enumerate() {
        let Message::Split {
            block,
            used,
            is_last,
            ..
        } = message
        else {
            continue;
        };
        splits += 1;
        let path = format!("before[{index}]");
        if usize::from(*used) > block.0.len() {
            let message = format!("{used} bytes of {} are used", block.0.len());
            report.add(Severity::Odd, "split", path, None, message);
        } else if is_last_seen {
            report.add(
                Severity::Odd,
                "split",
                path,
                None,
                "a piece comes after the last one",
            );
        }
        is_last_seen = *is_last != 0;
    }
    if splits > 0 && !is_last_seen {
        report.add(
            Severity::Odd,
            "split",
            "before",
            None,
            "the last piece of a message is missing",
        );
    } else if splits > 0
        && let Some(declared) = replay.payloads.size(code::GECKO)
    {
        let length = gecko_list(&replay.before).len();
        // The declared size has 16 bits, but the list can be longer.
        if length % 0x1_0000 != declared {
            let message =
                format!("the gecko list has {length} bytes, which is not the declared {declared}");
            report.add(Severity::Odd, "gecko-size", "before", None, message);
        }
    }
}

fn check_order(frames: &Frames, report: &mut Report) {
    let mut orders = report.series(Severity::Odd, "event-order");
    for odd in &frames.orders {
        let id = frames
            .ids
            .get(odd.row as usize)
            .copied()
            .unwrap_or_default();
        orders.add(
            || path(odd.row, id),
            None,
            || "the frame's events do not come in the usual order".to_owned(),
        );
    }
    drop(orders);
    let mut others = report.series(Severity::Note, "event-unknown");
    for other in &frames.others {
        let id = frames
            .ids
            .get(other.row as usize)
            .copied()
            .unwrap_or_default();
        others.add(
            || path(other.row, id),
            None,
            || format!("event {:#04x} is kept unread", other.code),
        );
    }
}

fn path(row: impl std::fmt::Display, id: i32) -> String {
    format!("frames[{row}] (frame {id})")
}

/// Frames count up from the first one, except for those computed again; a final frame does not come again.
fn check_continuity(replay: &Replay, frames: &Frames, report: &mut Report) {
    if let Some(&first) = frames.ids.first().filter(|&&first| first != FIRST_FRAME) {
        let message = format!("the first frame is {first}, not {FIRST_FRAME}");
        report.add(Severity::Odd, "frame-gap", path(0, first), None, message);
    }
    let mut gaps = report.series(Severity::Odd, "frame-gap");
    let mut highest: Option<i32> = None;
    for (row, &id) in frames.ids.iter().enumerate() {
        if let Some(last) = highest.filter(|&last| i64::from(id) > i64::from(last) + 1) {
            gaps.add(
                || path(row, id),
                None,
                || format!("frame {last} is followed by {id}"),
            );
        }
        highest = Some(highest.map_or(id, |last| last.max(id)));
    }
    drop(gaps);
    let mut finals = report.series(Severity::Odd, "finalised");
    let mut finalised: Option<i32> = None;
    for (row, &id) in frames.ids.iter().enumerate() {
        if let Some(last) = finalised.filter(|&last| id <= last) {
            finals.add(
                || path(row, id),
                None,
                || format!("the frame comes again after {last} was final"),
            );
        }
        let now = frames.finalised(row);
        if let (Some(now), Some(last)) = (now, finalised)
            && now < last
        {
            finals.add(
                || path(row, id),
                None,
                || format!("the final frame goes back from {last} to {now}"),
            );
        }
        if let Some(now) = now.filter(|&now| now > id) {
            finals.add(
                || path(row, id),
                None,
                || format!("frame {now} is final before it came"),
            );
        }
        finalised = now.or(finalised);
    }
    drop(finals);
    let mut incomplete = report.series(Severity::Odd, "frame-incomplete");
    let has = |event: u8| replay.payloads.size(event).is_some();
    for (row, &id) in frames.ids.iter().enumerate() {
        if has(code::FRAME_START) && frames.starts.at(row).is_none() {
            incomplete.add(
                || path(row, id),
                None,
                || "the frame has no start".to_owned(),
            );
        }
        if has(code::BOOKEND) && frames.bookends.at(row).is_none() {
            incomplete.add(|| path(row, id), None, || "the frame has no end".to_owned());
        }
    }
}

fn check_characters(replay: &Replay, frames: &Frames, report: &mut Report) {
    for (port, _) in replay.start.ports() {
        if !frames.is_empty() && frames.character(port, false).is_none() {
            let message = format!("port {port} plays, but is in no frame");
            report.add(Severity::Odd, "port", "frames.characters", None, message);
        }
    }
    for character in &frames.characters {
        let port = character.port;
        let is_listed = replay.start.ports().any(|(listed, _)| listed == port);
        if !is_listed {
            let message = format!("port {port} is in the frames, but not among the players");
            report.add(Severity::Note, "port", "frames.characters", None, message);
        }
        let differ = character
            .pre
            .rows
            .iter()
            .filter(|&row| character.post.at(row).is_none())
            .count()
            + character
                .post
                .rows
                .iter()
                .filter(|&row| character.pre.at(row).is_none())
                .count();
        if differ > 0 {
            let message = format!("port {port} has only half of its two events in {differ} frames");
            report.add(
                Severity::Note,
                "event-unpaired",
                "frames.characters",
                None,
                message,
            );
        }
    }
}

fn check_items(frames: &Frames, report: &mut Report) {
    let spawn_ids = &frames.items.columns.spawn_id;
    let mut items = report.series(Severity::Odd, "item-order");
    for (row, &id) in frames.ids.iter().enumerate() {
        let range = frames.items.of_row(row);
        let (count, ids) = (range.len(), spawn_ids.get(range).unwrap_or_default());
        if !ids.is_sorted_by(|a, b| a < b) {
            items.add(
                || path(row, id),
                None,
                || "the items are not in the order of their numbers".to_owned(),
            );
        }
        if count > MOST_ITEMS {
            items.add(
                || path(row, id),
                None,
                || format!("{count} items are more than the recorder lists"),
            );
        }
    }
}

/// Compares the recorder's counts with the events.
fn check_metadata(replay: &Replay, frames: &Frames, report: &mut Report) {
    let Some(metadata) = replay.metadata() else {
        return;
    };
    if let Some(stated) = metadata.get("lastFrame").and_then(Value::as_int)
        && let Some(last) = frames
            .last_frame()
            .filter(|&last| i64::from(last) != stated)
    {
        let message = format!("the metadata says {stated}, the last frame is {last}");
        report.add(
            Severity::Odd,
            "last-frame",
            "metadata.lastFrame",
            None,
            message,
        );
    }
    for (key, player) in metadata
        .get("players")
        .map(Value::pairs)
        .unwrap_or_default()
    {
        let path = format!("metadata.players.{}", key.text);
        let Some(port) = key.text.to_str().parse::<u8>().ok() else {
            report.add(Severity::Odd, "metadata", path, None, "the key is no port");
            continue;
        };
        let counted = character_counts(frames, port);
        for (character, count) in player
            .get("characters")
            .map(Value::pairs)
            .unwrap_or_default()
        {
            let number = character.text.to_str().parse::<u8>().ok();
            let found = number
                .and_then(|number| counted.get(&number))
                .copied()
                .unwrap_or(0);
            if count.as_int() != Some(found) {
                let stated = count.as_int().unwrap_or_default();
                let message = format!("the metadata counts {stated} frames, the file has {found}");
                let path = format!("{path}.characters.{}", character.text);
                report.add(Severity::Odd, "character-count", path, None, message);
            }
        }
        let code = player
            .get("names")
            .and_then(|names| names.get("code"))
            .and_then(Value::as_text);
        let stored = Start::name_in(&replay.start.connect_codes, port);
        if let Some(code) = code.filter(|code| !stored.is_empty() && fold(&code.to_str()) != stored)
        {
            let message = format!("{code} is {stored} at the game's start");
            report.add(
                Severity::Odd,
                "name",
                format!("{path}.names.code"),
                None,
                message,
            );
        }
    }
}

/// Number of frames of each character, including all computations, because the metadata counts them like that.
pub(crate) fn character_counts(frames: &Frames, port: u8) -> BTreeMap<u8, i64> {
    let mut counts = BTreeMap::new();
    for character in frames.characters.iter().filter(|one| one.port == port) {
        for &internal in &character.post.columns.character {
            *counts.entry(internal).or_default() += 1;
        }
    }
    debug_assert!(counts.values().sum::<i64>() as usize <= 2 * frames.rows(Copies::All).len());
    counts
}
