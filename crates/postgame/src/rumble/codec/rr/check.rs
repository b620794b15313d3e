//! Checks and repairs `.rr` files.

use super::elements::{Element, ElementFrames};
use super::updates::{Change, Pose, Updates};
use super::{Body, RrReplay, units};
use crate::repair::{Loss, Repair};
use crate::report::{Report, Severity};
use crate::rumble::codec::check::is_unit;
use crate::rumble::tables;

/// Adds all findings about a file.
pub(in crate::rumble::codec) fn check(replay: &RrReplay, report: &mut Report) {
    let RrReplay {
        header,
        stated_header_length,
        body,
        trailing,
    } = replay;
    // Accepts letters or bytes: the recorder counts letters, and a count of bytes would be unambiguous too.
    let bytes = header.to_bytes().len();
    if let Some(length) = stated_header_length.filter(|length| usize::from(*length) != bytes) {
        let message = format!(
            "the file says {length}, the header has {} letters",
            units(header)
        );
        report.add(Severity::Odd, "size", "header.length", None, message);
    }
    if !trailing.is_empty() {
        let message = format!(
            "{} bytes after the last whole update are kept",
            trailing.0.len()
        );
        report.add(Severity::Odd, "trailing", "frames", None, message);
    }
    match body {
        Some(Body::Updates(updates)) => check_updates(updates, report),
        Some(Body::Elements(frames)) => check_elements(frames, report),
        None => {}
    }
}

/// A finding about one object: its code, path and message.
type Found = (Severity, &'static str, String, &'static str);

fn add_all(found: Vec<Found>, report: &mut Report) {
    let codes: std::collections::BTreeSet<_> =
        found.iter().map(|found| (found.1, found.0)).collect();
    for (code, severity) in codes {
        let mut series = report.series(severity, code);
        for (_, _, path, message) in found
            .iter()
            .filter(|found| (found.1, found.0) == (code, severity))
        {
            series.add(|| path.clone(), None, || (*message).to_owned());
        }
    }
}

fn check_pose(pose: &Pose, path: impl Fn() -> String, found: &mut Vec<Found>) {
    if !is_unit(pose.rotation_wyxz) && !pose.is_nowhere() {
        found.push((
            Severity::Odd,
            "rotation",
            path(),
            "a rotation is not of length 1",
        ));
    }
    if pose.position.iter().any(|value| !value.is_finite()) {
        found.push((
            Severity::Odd,
            "number",
            path(),
            "a position is not a number",
        ));
    }
}

fn check_updates(updates: &Updates, report: &mut Report) {
    let mut found = Vec::new();
    for (index, update) in updates.0.iter().enumerate() {
        let path = |what: &str, number: usize| format!("frames[{index}].{what}[{number}]");
        match &update.change {
            Change::Structures(states) => {
                for (number, state) in states.iter().enumerate() {
                    check_pose(&state.pose, || path("structures", number), &mut found);
                    if usize::from(state.kind) >= tables::RR_STRUCTURES.len() {
                        let message = "a kind of structure that is not known";
                        found.push((
                            Severity::Odd,
                            "structure-type",
                            path("structures", number),
                            message,
                        ));
                    }
                }
            }
            Change::Players(states) => {
                for (number, state) in states.iter().enumerate() {
                    let parts = [
                        &state.head,
                        &state.spine,
                        &state.left_hand,
                        &state.right_hand,
                        &state.left_foot,
                        &state.right_foot,
                    ];
                    for part in parts {
                        check_pose(part, || path("players", number), &mut found);
                    }
                }
            }
            Change::Raw { .. } => {
                let message = "an update that is not known; kept";
                found.push((
                    Severity::Note,
                    "update",
                    format!("frames[{index}]"),
                    message,
                ));
            }
        }
    }
    for (index, pair) in updates.0.windows(2).enumerate() {
        if let [before, after] = pair
            && before.frame != after.frame
            && super::updates::frames_between(before.frame, after.frame) == 0
        {
            let path = format!("frames[{}].frame", index + 1);
            found.push((Severity::Odd, "time-order", path, "the counter goes back"));
        }
    }
    add_all(found, report);
}

fn check_elements(frames: &ElementFrames, report: &mut Report) {
    let mut found = Vec::new();
    for (index, frame) in frames.frames.iter().enumerate() {
        for (number, update) in frame.updates.iter().enumerate() {
            let path = || format!("frames[{index}].updates[{number}]");
            for element in &update.elements {
                match element {
                    Element::RotationWxyz(rotation) if !is_unit(*rotation) => {
                        found.push((
                            Severity::Odd,
                            "rotation",
                            path(),
                            "a rotation is not of length 1",
                        ));
                    }
                    Element::Position(position)
                        if position.iter().any(|value| !value.is_finite()) =>
                    {
                        found.push((
                            Severity::Odd,
                            "number",
                            path(),
                            "a position is not a number",
                        ));
                    }
                    Element::Raw { .. } => {
                        found.push((
                            Severity::Note,
                            "element",
                            path(),
                            "an element that is not known; kept",
                        ));
                    }
                    _ => {}
                }
            }
        }
    }
    for (index, pair) in frames.frames.windows(2).enumerate() {
        if matches!(pair, [before, after] if after.frame < before.frame) {
            let path = format!("frames[{}].frame", index + 1);
            found.push((Severity::Odd, "time-order", path, "the counter goes back"));
        }
    }
    add_all(found, report);
}

/// Drops the bytes after the last complete update, and corrects a wrong header length.
pub(in crate::rumble::codec) fn repair(replay: &mut RrReplay, done: &mut Repair) {
    if replay.body.is_none() {
        return;
    }
    if !replay.trailing.is_empty() {
        let bytes = std::mem::take(&mut replay.trailing).0.len();
        done.lost("dropped a broken update", Loss::bytes(bytes));
    }
    let bytes = replay.header.to_bytes().len();
    if let Some(length) = replay.stated_header_length
        && usize::from(length) != bytes
    {
        done.suspect(
            format!("header length {length} recomputed"),
            "the header, whose end does not have the stated length",
        );
        replay.stated_header_length = None;
    }
}

/// True when neither updates nor any part of the header is left.
pub(in crate::rumble::codec) fn is_empty(replay: &RrReplay) -> bool {
    let values = replay.header.values.as_object();
    replay.times_s().is_empty() && values.is_none_or(|values| values.is_empty())
}
