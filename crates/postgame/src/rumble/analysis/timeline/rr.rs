//! `.rr` files on the timeline.
//!
//! Version 2 has head, spine, hands and feet of every player; version 3's description does not say which part of a
//! player a position belongs to, so it is the player's own.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Cast;
use crate::rumble::codec::rr::elements::{Element, ElementFrames, ElementUpdate, GROUNDED, kind};
use crate::rumble::codec::rr::updates::{Change, PlayerState, Pose, StructureState, Updates};
use crate::rumble::codec::rr::{Body, RrReplay};
use crate::rumble::coords;
use crate::rumble::tables;
use crate::timeline::{EntityId, Sample, Timeline};

/// The parts of a player, as entities of their own: name and kind.
const PARTS: [(&str, &str); 6] = [
    ("head", "head"),
    ("spine", "spine"),
    ("left hand", "left_hand"),
    ("right hand", "right_hand"),
    ("left foot", "left_foot"),
    ("right foot", "right_foot"),
];

/// What moves and happens in a `.rr` file.
pub(super) fn timeline(replay: &RrReplay) -> Timeline {
    let mut reader = Reader {
        cast: Cast::new(std::iter::empty(), std::iter::empty()),
        header: &replay.header.values,
        players: BTreeMap::new(),
        structures: BTreeMap::new(),
    };
    // The two of the header are there even if no update mentions them.
    for index in 0..2 {
        if reader.name(index).is_some() {
            reader.player(index);
        }
    }
    let all_times_s = match &replay.body {
        Some(Body::Updates(updates)) => reader.read_updates(updates),
        Some(Body::Elements(frames)) => reader.read_elements(frames),
        None => Vec::new(),
    };
    let mut times_s = all_times_s;
    times_s.dedup();
    reader.cast.finish(&times_s)
}

struct Reader<'a> {
    cast: Cast,
    header: &'a Value,
    players: BTreeMap<u8, EntityId>,
    /// By kind and index; version 3 has no kinds.
    structures: BTreeMap<(Option<u8>, u8), EntityId>,
}

impl Reader<'_> {
    fn name(&self, index: u8) -> Option<&str> {
        let key = ["LocalPlayer", "RemotePlayer"].get(usize::from(index))?;
        self.header.get(key)?.get("Name")?.as_str()
    }

    fn player(&mut self, index: u8) -> EntityId {
        if let Some(id) = self.players.get(&index) {
            return *id;
        }
        let name = self.name(index).map(str::to_owned);
        let name = name.unwrap_or_else(|| format!("Player {index}"));
        let player = self.cast.add(name.clone(), "player", None);
        for (part, kind) in PARTS {
            self.cast.add(format!("{name} {part}"), kind, Some(player));
        }
        self.players.insert(index, player);
        player
    }

    fn structure(&mut self, kind: Option<u8>, index: u8) -> EntityId {
        let cast = &mut self.cast;
        let key = (kind, index);
        *self.structures.entry(key).or_insert_with(|| {
            let name = match kind {
                Some(kind) => match tables::RR_STRUCTURES.get(usize::from(kind)) {
                    Some(name) => format!("{name} {index}"),
                    None => format!("Structure type {kind} {index}"),
                },
                None => format!("Structure {index}"),
            };
            cast.add(name, "structure", None)
        })
    }

    fn set_pose(&mut self, id: EntityId, time_s: f64, pose: &Pose) {
        let position = Sample::Position(coords::position(pose.position));
        self.cast.set(id, time_s, "position", position);
        let rotation = Sample::Rotation(coords::rotation(pose.rotation()));
        self.cast.set(id, time_s, "rotation", rotation);
    }

    fn read_updates(&mut self, updates: &Updates) -> Vec<f64> {
        let times_s = updates.times_s();
        for (update, &time_s) in updates.0.iter().zip(&times_s) {
            match &update.change {
                Change::Structures(states) => {
                    for state in states {
                        self.set_structure(time_s, state);
                    }
                }
                Change::Players(states) => {
                    for state in states {
                        self.set_player(time_s, state);
                    }
                }
                Change::Raw { .. } => {}
            }
        }
        times_s
    }

    fn set_structure(&mut self, time_s: f64, state: &StructureState) {
        let id = self.structure(Some(state.kind), state.index);
        let is_there = !state.pose.is_nowhere();
        self.cast.set(id, time_s, "active", Sample::Flag(is_there));
        // A broken structure stays where it was: the recorder's place for it is not one in the arena.
        if is_there {
            self.set_pose(id, time_s, &state.pose);
        }
    }

    fn set_player(&mut self, time_s: f64, state: &PlayerState) {
        let player = self.player(state.index);
        self.cast.set(player, time_s, "active", Sample::Flag(true));
        let poses = [
            &state.head,
            &state.spine,
            &state.left_hand,
            &state.right_hand,
            &state.left_foot,
            &state.right_foot,
        ];
        for (part, pose) in poses.into_iter().enumerate() {
            self.set_pose(Cast::part(player, part), time_s, pose);
        }
    }

    fn read_elements(&mut self, frames: &ElementFrames) -> Vec<f64> {
        let times_s = frames.times_s();
        for (frame, &time_s) in frames.frames.iter().zip(&times_s) {
            // Nothing in a player's update says whose it is: they come in order.
            let mut player = 0u8;
            for update in &frame.updates {
                let id = if update.kind == kind::PLAYER {
                    let id = self.player(player);
                    player = player.saturating_add(1);
                    Some(id)
                } else {
                    let index = update.elements.iter().find_map(|element| match element {
                        Element::StructureIndex(index) => Some(*index),
                        _ => None,
                    });
                    index.map(|index| self.structure(None, index))
                };
                if let Some(id) = id {
                    self.set_elements(id, time_s, update);
                }
            }
        }
        times_s
    }

    fn set_elements(&mut self, id: EntityId, time_s: f64, update: &ElementUpdate) {
        let (mut has_position, mut has_rotation) = (false, false);
        for element in &update.elements {
            match element {
                Element::Position(position) if !has_position => {
                    has_position = true;
                    let sample = Sample::Position(coords::position(*position));
                    self.cast.set(id, time_s, "position", sample);
                }
                Element::RotationWxyz([w, x, y, z]) if !has_rotation => {
                    has_rotation = true;
                    let sample = Sample::Rotation(coords::rotation([*x, *y, *z, *w]));
                    self.cast.set(id, time_s, "rotation", sample);
                }
                Element::Health(health) => {
                    let sample = Sample::Scalar((*health).into());
                    self.cast.set(id, time_s, "health", sample);
                }
                Element::Modifiers(bits) => {
                    let sample = Sample::Flag(bits & GROUNDED != 0);
                    self.cast.set(id, time_s, "grounded", sample);
                }
                _ => {}
            }
        }
    }
}
