//! The bout as RumbleReplay writes it, version 2: structures that moved, and every fourth frame the players.

use postgame::Result;
use postgame::rumble::container::write;
use postgame::rumble::model::Replay;
use postgame::rumble::model::manifest::Manifest;
use postgame::rumble::rr::updates::{
    Change, NOWHERE, PlayerState, Pose, StructureState, Update, Updates,
};
use postgame::rumble::rr::{Body, RrReplay};
use postgame::rumble::tables;
use serde_json::json;

use super::bout::{self, PLAYERS, STRUCTURES};
use super::record::{single, times};

/// Players are written in one of this many frames.
const PLAYER_FRAMES: usize = 4;

fn pose(pose: bout::Pose) -> Pose {
    let [x, y, z, w] = single(pose.rotation);
    Pose {
        position: single(pose.position),
        rotation_wyxz: [w, y, x, z],
    }
}

/// A structure's kind in these files, and its index within the kind.
fn identity(throw: usize) -> (u8, u8) {
    let kind = STRUCTURES[throw];
    let name = tables::STRUCTURES.get(usize::from(kind)).copied();
    let number = tables::RR_STRUCTURES
        .iter()
        .position(|other| Some(*other) == name);
    let before = STRUCTURES[..throw].iter().filter(|other| **other == kind);
    (number.unwrap_or(0) as u8, before.count() as u8)
}

fn structure(throw: usize, time_s: f64) -> StructureState {
    let (kind, index) = identity(throw);
    let there = bout::structure(throw, time_s).filter(|structure| structure.active);
    let nowhere = Pose {
        position: NOWHERE,
        rotation_wyxz: [1.0, 0.0, 0.0, 0.0],
    };
    StructureState {
        kind,
        index,
        pose: there.map_or(nowhere, |structure| pose(structure.pose)),
    }
}

fn player(index: usize, time_s: f64) -> PlayerState {
    let state = bout::player(index, time_s);
    let below = |aside: f64, up: f64| {
        let mut below = state.rig;
        below.position[0] += aside;
        below.position[1] = up;
        pose(below)
    };
    PlayerState {
        index: index as u8,
        head: pose(state.head),
        spine: below(0.0, 1.1),
        left_hand: pose(state.hands[0]),
        right_hand: pose(state.hands[1]),
        left_foot: below(-0.12, 0.07),
        right_foot: below(0.12, 0.07),
    }
}

/// The file.
pub fn replay() -> Result<Vec<u8>> {
    let mut updates = Vec::new();
    let mut before: [Option<StructureState>; STRUCTURES.len()] = [None; STRUCTURES.len()];
    for (frame, time_s) in times().enumerate() {
        let mut moved = Vec::new();
        for (throw, before) in before.iter_mut().enumerate() {
            let now = structure(throw, time_s);
            if before.is_none_or(|before| before.pose.position != now.pose.position) {
                moved.push(now);
                *before = Some(now);
            }
        }
        if !moved.is_empty() {
            updates.push(Update {
                frame: frame as i16,
                change: Change::Structures(moved),
            });
        }
        if frame % PLAYER_FRAMES == 0 {
            let players = (0..PLAYERS.len()).map(|index| player(index, time_s));
            updates.push(Update {
                frame: frame as i16,
                change: Change::Players(players.collect()),
            });
        }
    }
    let person = |index: usize| {
        json!({
            "Name": PLAYERS[index], "Battlepoints": 1200 + 300 * index, "PlayfabID": format!("SAMPLE{index}"),
            "Cosmetics": "sample",
        })
    };
    let header = json!({
        "Version": "1.1.3", "LocalPlayer": person(0), "RemotePlayer": person(1), "Scene": "Map0",
        "Date": "2025/10/05 18:30:00",
    });
    write(&Replay::Rr(RrReplay {
        header: Manifest::read(header.to_string().into_bytes()),
        stated_header_length: None,
        body: Some(Body::Updates(Updates(updates))),
        trailing: Default::default(),
    }))
}
