//! RUMBLE's tables: where everybody and everything is, frame by frame.
//!
//! Positions are the timeline's: metres, right-handed, Y up.

use arrow::error::ArrowError;
use postgame::rumble::model::Replay;
use postgame::timeline::EntityId;
use postgame::{Depth, Format, Recording};

use super::samples::{flags, positions, rotations, scalars};
use crate::source::Source;
use crate::table::{TableOptions, table};

table! {
    /// One row for every player in every frame.
    pub FramesPlayers = "frames_players" of &[Format::Rumble], at Depth::Full, by fill_players in frames_players {
        /// The recording.
        recording_id: Name,
        /// The row's number within the recording: the frame, unless resampled.
        frame: U32,
        /// When.
        time_s: F64,
        /// The player's number in the recording, from 0.
        player: U32,
        /// The player's name.
        name: Name,
        /// Hit points.
        health: F32,
        /// Whether the player is shown.
        active: Flag,
        /// The rig: the feet.
        rig_x_m: F32,
        /// The rig, up.
        rig_y_m: F32,
        /// The rig.
        rig_z_m: F32,
        /// The head.
        head_x_m: F32,
        /// The head, up.
        head_y_m: F32,
        /// The head.
        head_z_m: F32,
        /// The head's rotation.
        head_qx: F32,
        /// The head's rotation.
        head_qy: F32,
        /// The head's rotation.
        head_qz: F32,
        /// The head's rotation.
        head_qw: F32,
        /// The left hand.
        left_hand_x_m: F32,
        /// The left hand, up.
        left_hand_y_m: F32,
        /// The left hand.
        left_hand_z_m: F32,
        /// The right hand.
        right_hand_x_m: F32,
        /// The right hand, up.
        right_hand_y_m: F32,
        /// The right hand.
        right_hand_z_m: F32,
    }
}

table! {
    /// One row for every structure in every frame in which it is there.
    pub FramesStructures = "frames_structures" of &[Format::Rumble], at Depth::Full,
        by fill_structures in frames_structures {
        /// The recording.
        recording_id: Name,
        /// The row's number within the recording: the frame, unless resampled.
        frame: U32,
        /// When.
        time_s: F64,
        /// The structure's number in the recording, from 0.
        structure: U32,
        /// The structure's name: its kind and its number.
        name: Name,
        /// Whether it is shown.
        active: Flag,
        /// Whether it stands in the ground.
        grounded: Flag,
        /// Where.
        x_m: F32,
        /// Where, up.
        y_m: F32,
        /// Where.
        z_m: F32,
        /// How it is turned.
        qx: F32,
        /// How it is turned.
        qy: F32,
        /// How it is turned.
        qz: F32,
        /// How it is turned.
        qw: F32,
    }
}

/// The times of the recording's own frames.
fn frame_times_s(source: &Source) -> Vec<f64> {
    let Recording::Rumble(replay) = &source.recording else {
        return Vec::new();
    };
    match replay {
        Replay::First(replay) => {
            let frames = replay.frames.as_ref();
            frames
                .map(|frames| frames.times_s.iter().map(|&time_s| time_s.into()).collect())
                .unwrap_or_default()
        }
        Replay::Second(replay) => {
            let stream = replay.stream.as_ref();
            stream
                .map(|stream| {
                    stream
                        .frames
                        .iter()
                        .map(|frame| frame.time_s.into())
                        .collect()
                })
                .unwrap_or_default()
        }
        Replay::Rr(replay) => replay.times_s(),
    }
}

fn fill_players(
    source: &Source,
    options: &TableOptions,
    rows: &mut frames_players::Rows<'_>,
) -> Result<(), ArrowError> {
    let timeline = source.timeline();
    let times_s = source.times_s(options.fps, || frame_times_s(source))?;
    let players = timeline
        .entities
        .iter()
        .enumerate()
        .filter(|(_, entity)| entity.kind == "player");
    for (number, (index, player)) in players.enumerate() {
        let part = |kind: &str| {
            timeline
                .entities
                .iter()
                .find(|entity| entity.parent == Some(EntityId(index)) && entity.kind == kind)
        };
        let rig = positions(part("rig"), "position", &times_s);
        let head = positions(part("head"), "position", &times_s);
        let head_turn = rotations(part("head"), &times_s);
        let left = positions(part("left_hand"), "position", &times_s);
        let right = positions(part("right_hand"), "position", &times_s);
        let health = scalars(Some(player), "health", &times_s);
        let active = flags(Some(player), "active", &times_s);
        for (frame, &time_s) in times_s.iter().enumerate() {
            let ([rig_x_m, rig_y_m, rig_z_m], [head_x_m, head_y_m, head_z_m]) =
                (rig[frame], head[frame]);
            let [head_qx, head_qy, head_qz, head_qw] = head_turn[frame];
            let [left_hand_x_m, left_hand_y_m, left_hand_z_m] = left[frame];
            let [right_hand_x_m, right_hand_y_m, right_hand_z_m] = right[frame];
            rows.push(frames_players::Row {
                recording_id: Some(&source.id),
                frame: u32::try_from(frame).ok(),
                time_s: Some(time_s),
                player: u32::try_from(number).ok(),
                name: Some(&player.name),
                health: health[frame],
                active: active[frame],
                rig_x_m,
                rig_y_m,
                rig_z_m,
                head_x_m,
                head_y_m,
                head_z_m,
                head_qx,
                head_qy,
                head_qz,
                head_qw,
                left_hand_x_m,
                left_hand_y_m,
                left_hand_z_m,
                right_hand_x_m,
                right_hand_y_m,
                right_hand_z_m,
            })?;
        }
    }
    Ok(())
}

fn fill_structures(
    source: &Source,
    options: &TableOptions,
    rows: &mut frames_structures::Rows<'_>,
) -> Result<(), ArrowError> {
    let times_s = source.times_s(options.fps, || frame_times_s(source))?;
    let structures = source
        .timeline()
        .entities
        .iter()
        .filter(|entity| entity.kind == "structure");
    for (number, structure) in structures.enumerate() {
        let place = positions(Some(structure), "position", &times_s);
        let turn = rotations(Some(structure), &times_s);
        let active = flags(Some(structure), "active", &times_s);
        let grounded = flags(Some(structure), "grounded", &times_s);
        for (frame, &time_s) in times_s.iter().enumerate() {
            if !structure.presence.contains(time_s) {
                continue;
            }
            let ([x_m, y_m, z_m], [qx, qy, qz, qw]) = (place[frame], turn[frame]);
            rows.push(frames_structures::Row {
                recording_id: Some(&source.id),
                frame: u32::try_from(frame).ok(),
                time_s: Some(time_s),
                structure: u32::try_from(number).ok(),
                name: Some(&structure.name),
                active: active[frame],
                grounded: grounded[frame],
                x_m,
                y_m,
                z_m,
                qx,
                qy,
                qz,
                qw,
            })?;
        }
    }
    Ok(())
}
