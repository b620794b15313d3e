//! Checks a RUMBLE replay for contradictions with its format or within itself.

use super::container::{MANIFEST, STREAM};
use super::model::fields::Value;
use super::model::first::{CHANGED, Frames, Header};
use super::model::manifest::StructureType;
use super::model::stream::{Chunk, Stream, chunk};
use super::model::{FirstReplay, Replay, SecondReplay};
use super::rr;
use crate::report::{Report, Severity};
use crate::rumble::tables;

/// Maximum deviation of a stored quaternion's length from 1. Real ones stay within 1e-6; smallest-three within 1e-4.
const NORM_TOLERANCE: f32 = 1e-3;

/// Maximum deviation of the frame rate from the header. A headset that drops frames stays well within it.
const RATE_TOLERANCE: f64 = 0.25;

/// Adds all findings about a replay.
pub fn check(replay: &Replay, report: &mut Report) {
    match replay {
        Replay::First(replay) => check_first(replay, report),
        Replay::Second(replay) => check_second(replay, report),
        Replay::Rr(replay) => rr::check(replay, report),
    }
}

fn check_first(replay: &FirstReplay, report: &mut Report) {
    let FirstReplay {
        wrapper,
        header,
        frames,
        trailing,
    } = replay;
    if let Some(size) = wrapper.stated_inflated_size {
        let message = format!("the file says {size} bytes, which is wrong");
        report.add(
            Severity::Odd,
            "size",
            "container.inflated_size",
            None,
            message,
        );
    }
    if let Some(size) = wrapper.stated_compressed_size {
        let message = format!("the file says {size} bytes, which is wrong");
        report.add(
            Severity::Odd,
            "size",
            "container.compressed_size",
            None,
            message,
        );
    }
    if !wrapper.after.is_empty() {
        let message = format!(
            "{} bytes after the compressed data are kept",
            wrapper.after.0.len()
        );
        report.add(Severity::Odd, "trailing", "container", None, message);
    }
    check_header(header, report);
    let Some(frames) = frames else { return };
    if let Some(count) = header.stated_frame_count {
        let message = format!(
            "the header says {count} frames, the file has {}",
            frames.len()
        );
        report.add(
            Severity::Odd,
            "frame-count",
            "header.frame_count",
            None,
            message,
        );
    } else if !trailing.is_empty() {
        // According to the format's own description, a later version's data; a broken frame was reported while reading.
        let message = format!("{} bytes after the last frame are kept", trailing.len());
        report.add(Severity::Note, "trailing", "frames", None, message);
    }
    check_frames(frames, report);
    check_times(&frames.times_s, f64::from(header.fps), report);
}

fn check_header(header: &Header, report: &mut Report) {
    if let Some(count) = header.stated_structure_count {
        let message = format!(
            "the two structure counts differ: {count} and {}",
            header.structures.len()
        );
        report.add(
            Severity::Odd,
            "structure-count",
            "header.structure_count",
            None,
            message,
        );
    }
    let mut kinds = report.series(Severity::Odd, "structure-type");
    for (index, structure) in header.structures.iter().enumerate() {
        if usize::from(structure.structure_type) >= tables::STRUCTURES.len() {
            let kind = structure.structure_type;
            kinds.add(
                || format!("header.structures[{index}]"),
                None,
                || format!("{kind} is no known kind of structure"),
            );
        }
    }
    drop(kinds);
    let mut hosts = report.series(Severity::Odd, "flag");
    for (index, player) in header.players.iter().enumerate() {
        if player.was_host.0 > 1 {
            let value = player.was_host.0;
            hosts.add(
                || format!("header.players[{index}].was_host"),
                None,
                || format!("{value} is neither 0 nor 1"),
            );
        }
    }
}

/// Calls back for each state, with its path.
fn check_frames(frames: &Frames, report: &mut Report) {
    let (mut flags, mut norms, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    let (mut structures, mut players) = (frames.structures.frames(), frames.players.frames());
    for frame in 0..frames.len() {
        for (index, (flag, state)) in structures.next_frame().into_iter().flatten().enumerate() {
            let odd_bool = state.is_some_and(|state| state.active.0 > 1 || state.grounded.0 > 1);
            if flag > CHANGED || odd_bool {
                flags.push((frame, "structures", index));
            }
            if let Some(state) = state {
                if !is_unit(state.rotation) {
                    norms.push((frame, "structures", index));
                }
                if state.position.iter().any(|value| !value.is_finite()) {
                    numbers.push((frame, "structures", index));
                }
            }
        }
        for (index, (flag, state)) in players.next_frame().into_iter().flatten().enumerate() {
            if flag > CHANGED || state.is_some_and(|state| state.active.0 > 1) {
                flags.push((frame, "players", index));
            }
            if let Some(state) = state {
                let rotations = [
                    state.rig_rotation,
                    state.head_rotation,
                    state.left_hand_rotation,
                    state.right_hand_rotation,
                ];
                if rotations.iter().any(|rotation| !is_unit(*rotation)) {
                    norms.push((frame, "players", index));
                }
                let positions = [
                    state.rig_position,
                    state.head_position,
                    state.left_hand_position,
                    state.right_hand_position,
                ];
                if positions
                    .as_flattened()
                    .iter()
                    .any(|value| !value.is_finite())
                {
                    numbers.push((frame, "players", index));
                }
            }
        }
    }
    for (code, found, message) in [
        ("flag", flags, "a flag is neither 0 nor 1"),
        ("rotation", norms, "a rotation is not of length 1"),
        ("number", numbers, "a position is not a number"),
    ] {
        let mut series = report.series(Severity::Odd, code);
        for (frame, what, index) in found {
            series.add(
                || format!("frames[{frame}].{what}[{index}]"),
                None,
                || message.to_owned(),
            );
        }
    }
}

pub(super) fn is_unit(quaternion: [f32; 4]) -> bool {
    let norm = quaternion
        .iter()
        .map(|value| value * value)
        .sum::<f32>()
        .sqrt();
    (norm - 1.0).abs() <= NORM_TOLERANCE
}

fn check_times(times_s: &[f32], fps: f64, report: &mut Report) {
    let mut order = report.series(Severity::Odd, "time-order");
    for (index, pair) in times_s.windows(2).enumerate() {
        // Written so that NaN fails, too.
        if !matches!(pair, [before, after] if after >= before) {
            order.add(
                || format!("frames[{}].time", index + 1),
                None,
                || "time does not go forward".to_owned(),
            );
        }
    }
    drop(order);
    let mut intervals: Vec<f64> = times_s
        .windows(2)
        .map(|pair| f64::from(pair[1]) - f64::from(pair[0]))
        .filter(|s| *s > 0.0)
        .collect();
    if intervals.len() < 10 {
        return;
    }
    intervals.sort_by(f64::total_cmp);
    let rate = 1.0 / intervals[intervals.len() / 2];
    if (rate / fps - 1.0).abs() > RATE_TOLERANCE || fps <= 0.0 {
        let message = format!("the header says {fps} frames a second, the times say {rate:.1}");
        report.add(Severity::Odd, "frame-rate", "header.fps", None, message);
    }
}

fn check_second(replay: &SecondReplay, report: &mut Report) {
    replay.whole_archive().check(report);
    let manifest = &replay.manifest;
    if !manifest.is_valid() {
        report.add(
            Severity::Odd,
            "manifest",
            MANIFEST,
            None,
            "the manifest is not JSON",
        );
    }
    let Some(stream) = &replay.stream else { return };
    if let Some(count) = manifest
        .count_of("FrameCount")
        .filter(|&count| count != stream.frames.len())
    {
        let message = format!(
            "the manifest says {count} frames, the file has {}",
            stream.frames.len()
        );
        report.add(
            Severity::Odd,
            "frame-count",
            "manifest.FrameCount",
            None,
            message,
        );
    }
    for (key, list) in [("MarkerCount", "Markers"), ("ScenePropCount", "SceneProps")] {
        let (count, listed) = (manifest.count_of(key), manifest.list_of(list).len());
        if let Some(count) =
            count.filter(|&count| count != listed && !manifest.values[list].is_null())
        {
            let message = format!("the manifest says {count}, but lists {listed}");
            report.add(
                Severity::Odd,
                "count",
                format!("manifest.{key}"),
                None,
                message,
            );
        }
    }
    if !stream.trailing.is_empty() && stream.has_magic {
        let message = format!(
            "{} bytes after the last frame are kept",
            stream.trailing.0.len()
        );
        report.add(Severity::Odd, "trailing", STREAM, None, message);
    }
    let players = manifest.players().len();
    let types = manifest.structure_types();
    let mut kinds = report.series(Severity::Odd, "structure-type");
    for (index, kind) in types.iter().enumerate() {
        if let StructureType::Number(Some(number)) = kind
            && usize::from(*number) >= tables::STRUCTURES.len()
        {
            kinds.add(
                || format!("manifest.Structures[{index}]"),
                None,
                || format!("{number} is not a known kind of structure"),
            );
        }
    }
    drop(kinds);
    let structures = types.len();
    check_chunks(stream, players, structures, report);
    let times: Vec<f32> = stream.frames.iter().map(|frame| frame.time_s).collect();
    if let Some(fps) = manifest.number_of("TargetFPS") {
        check_times(&times, fps, report);
    }
}

fn check_chunks(stream: &Stream, players: usize, structures: usize, report: &mut Report) {
    let mut leftovers = Vec::new();
    let mut findings: Vec<(&'static str, Severity, usize, usize, String)> = Vec::new();
    for (frame_index, frame) in stream.frames.iter().enumerate() {
        if !frame.trailing.is_empty() || frame.stated_chunk_count.is_some() {
            leftovers.push((frame_index, frame.trailing.0.len()));
        }
        for (index, chunk) in frame.chunks.iter().enumerate() {
            let mut add = |code, severity, message| {
                findings.push((code, severity, frame_index, index, message))
            };
            check_chunk(chunk, players, structures, &mut add);
        }
    }
    let mut series = report.series(Severity::Odd, "frame-size");
    for (frame, bytes) in leftovers {
        series.add(
            || format!("frames[{frame}]"),
            None,
            || format!("{bytes} bytes are not in the chunks it announces"),
        );
    }
    drop(series);
    let codes: std::collections::BTreeSet<_> = findings
        .iter()
        .map(|(code, severity, ..)| (*code, *severity))
        .collect();
    for (code, severity) in codes {
        let mut series = report.series(severity, code);
        for (_, _, frame, index, message) in findings
            .iter()
            .filter(|finding| (finding.0, finding.1) == (code, severity))
        {
            series.add(
                || format!("frames[{frame}].chunks[{index}]"),
                None,
                || message.clone(),
            );
        }
    }
}

fn check_chunk(
    chunk: &Chunk,
    players: usize,
    structures: usize,
    add: &mut impl FnMut(&'static str, Severity, String),
) {
    let within = |count: usize| usize::try_from(chunk.index).is_ok_and(|index| index < count);
    match chunk.chunk_type {
        chunk::PLAYER if !within(players) => {
            add(
                "index",
                Severity::Odd,
                format!("player {} is not in the manifest", chunk.index),
            );
        }
        chunk::STRUCTURE if !within(structures) => {
            add(
                "index",
                Severity::Odd,
                format!("structure {} is not in the manifest", chunk.index),
            );
        }
        chunk::PLAYER..=chunk::SCENE_PROP | chunk::EXTENSION => {}
        other => add(
            "chunk-type",
            Severity::Note,
            format!("chunks of type {other} are not known; kept"),
        ),
    }
    if !chunk.trailing.is_empty() && chunk::is_known(chunk.chunk_type) {
        add(
            "chunk-size",
            Severity::Odd,
            format!("{} bytes are no field", chunk.trailing.0.len()),
        );
    }
    for field in &chunk.fields {
        let name = tables::field_name(chunk.chunk_type, field.id);
        match &field.value {
            Value::Raw(bytes) if !name.is_empty() => {
                add(
                    "field-size",
                    Severity::Odd,
                    format!("{name} has {} bytes", bytes.0.len()),
                );
            }
            Value::Raw(_) if chunk::is_known(chunk.chunk_type) => {
                add(
                    "field",
                    Severity::Note,
                    format!("field {} is not known; kept", field.id),
                );
            }
            Value::Flag(value) if value.0 > 1 => {
                add(
                    "flag",
                    Severity::Odd,
                    format!("{name} is {}, neither 0 nor 1", value.0),
                );
            }
            Value::Rotation(value) if value.dropped > 3 || !is_unit(value.to_quaternion()) => {
                add(
                    "rotation",
                    Severity::Odd,
                    format!("{name} is not of length 1"),
                );
            }
            Value::Vector(value) if value.iter().any(|value| !value.is_finite()) => {
                add("number", Severity::Odd, format!("{name} is not a number"));
            }
            Value::U8(value) => {
                let names = match (chunk.chunk_type, name) {
                    (chunk::STRUCTURE, "state") => tables::STATES,
                    (chunk::EVENT, "effect") => tables::EFFECTS,
                    (chunk::PLAYER, "shiftstone_effects") => {
                        if *value >> tables::SHIFTSTONE_EFFECTS.len() != 0 {
                            add(
                                "enum",
                                Severity::Odd,
                                format!("{name} has unknown bits: {value:#b}"),
                            );
                        }
                        continue;
                    }
                    _ => continue,
                };
                if usize::from(*value) >= names.len() {
                    add("enum", Severity::Odd, format!("{value} is no known {name}"));
                }
            }
            Value::I16(value) if (chunk.chunk_type, name) == (chunk::PLAYER, "stack") => {
                let is_known =
                    usize::try_from(*value).is_ok_and(|move_| move_ < tables::MOVES.len());
                if !is_known {
                    add(
                        "enum",
                        Severity::Odd,
                        format!("{value} is not a known move"),
                    );
                }
            }
            _ => {}
        }
    }
}
