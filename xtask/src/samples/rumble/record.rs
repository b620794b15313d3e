//! Encodes the bout as the two generations of recorders would.

use postgame::Result;
use postgame::rumble::archive::Archive;
use postgame::rumble::container::{MANIFEST, STREAM, Wrapper, write};
use postgame::rumble::model::fields::{Field, SizeWidth, SmallestThree, Value};
use postgame::rumble::model::first::{
    Frames, Header, PlayerInfo, PlayerState, StructureInfo, StructureState,
};
use postgame::rumble::model::manifest::Manifest;
use postgame::rumble::model::stream::{Chunk, Frame, Stream, chunk};
use postgame::rumble::model::{FirstReplay, Replay, SecondReplay};
use postgame::rumble::tables;

use super::bout::{self, PLAYERS, Pose, SECONDS, STRUCTURES};

/// Frames per second.
pub(super) const FPS: i32 = 50;

/// The times of the frames, in seconds.
pub(super) fn times() -> impl Iterator<Item = f64> {
    (0..(SECONDS * f64::from(FPS)) as u32 + 1).map(|frame| f64::from(frame) / f64::from(FPS))
}

/// Numbers in the precision of the files.
pub(super) fn single<const N: usize>(values: [f64; N]) -> [f32; N] {
    values.map(|value| value as f32)
}

/// The recorder's rule: a state changed if it moved by more than 5 mm or turned by more than a small angle.
fn moved(before: (&[f32; 3], &[f32; 4]), now: (&[f32; 3], &[f32; 4])) -> bool {
    let distance: f32 = before
        .0
        .iter()
        .zip(now.0)
        .map(|(a, b)| (a - b) * (a - b))
        .sum();
    let dot: f32 = before.1.iter().zip(now.1).map(|(a, b)| a * b).sum();
    distance > 0.005 * 0.005 || dot.abs() < 0.9995
}

pub(super) fn player_state(player: usize, time_s: f64) -> PlayerState {
    let bout::Player {
        rig,
        head,
        hands: [left, right],
        health,
    } = bout::player(player, time_s);
    let part = |pose: Pose| (single(pose.position), single(pose.rotation));
    let ((rig_position, rig_rotation), (head_position, head_rotation)) = (part(rig), part(head));
    let (left_hand_position, left_hand_rotation) = part(left);
    let (right_hand_position, right_hand_rotation) = part(right);
    PlayerState {
        rig_position,
        rig_rotation,
        head_position,
        head_rotation,
        left_hand_position,
        left_hand_rotation,
        right_hand_position,
        right_hand_rotation,
        health,
        active: true.into(),
    }
}

fn player_moved(a: &PlayerState, b: &PlayerState) -> bool {
    let parts = |state: &PlayerState| {
        [
            (state.rig_position, state.rig_rotation),
            (state.head_position, state.head_rotation),
            (state.left_hand_position, state.left_hand_rotation),
            (state.right_hand_position, state.right_hand_rotation),
        ]
    };
    a.health != b.health
        || parts(a)
            .iter()
            .zip(&parts(b))
            .any(|(a, b)| moved((&a.0, &a.1), (&b.0, &b.1)))
}

pub(super) fn structure_state(throw: usize, time_s: f64) -> Option<StructureState> {
    bout::structure(throw, time_s).map(|structure| StructureState {
        position: single(structure.pose.position),
        rotation: single(structure.pose.rotation),
        active: structure.active.into(),
        grounded: structure.grounded.into(),
    })
}

fn structure_moved(a: &StructureState, b: &StructureState) -> bool {
    a.active != b.active
        || a.grounded != b.grounded
        || moved((&a.position, &a.rotation), (&b.position, &b.rotation))
}

/// The bout in the first generation's format.
pub fn first_generation() -> Result<Vec<u8>> {
    let header = Header {
        version: "0.9.4".into(),
        scene: "Map0".into(),
        date_utc: "2026-01-10T18:30:00Z".into(),
        fps: FPS,
        players: PLAYERS
            .iter()
            .enumerate()
            .map(|(index, name)| PlayerInfo {
                actor_id: index as u8 + 1,
                master_id: format!("SAMPLE{index}").as_str().into(),
                name: (*name).into(),
                battle_points: 1200 + 300 * index as i32,
                visual_data: "sample".into(),
                shiftstone_0: 2,
                shiftstone_1: -1,
                body_length: 1.75,
                arm_span: 1.7,
                was_host: (index == 0).into(),
            })
            .collect(),
        structures: STRUCTURES
            .iter()
            .map(|&structure_type| StructureInfo { structure_type })
            .collect(),
        stated_frame_count: None,
        stated_structure_count: None,
    };
    let mut frames = Frames::new(STRUCTURES.len(), PLAYERS.len());
    let mut structures: [Option<StructureState>; STRUCTURES.len()] = [None; STRUCTURES.len()];
    let mut players: [Option<PlayerState>; PLAYERS.len()] = [None; PLAYERS.len()];
    for time_s in times() {
        frames.times_s.push(time_s as f32);
        for (throw, before) in structures.iter_mut().enumerate() {
            let now = structure_state(throw, time_s);
            let changed =
                now.filter(|now| before.is_none_or(|before| structure_moved(&before, now)));
            frames.structures.flags.push(u8::from(changed.is_some()));
            frames.structures.states.extend(changed);
            *before = changed.or(*before);
        }
        for (player, before) in players.iter_mut().enumerate() {
            let now = player_state(player, time_s);
            let changed =
                Some(now).filter(|now| before.is_none_or(|before| player_moved(&before, now)));
            frames.players.flags.push(u8::from(changed.is_some()));
            frames.players.states.extend(changed);
            *before = changed.or(*before);
        }
    }
    let replay = FirstReplay {
        wrapper: Wrapper::default(),
        header,
        frames: Some(frames),
        trailing: Vec::new(),
    };
    write(&Replay::First(replay))
}

/// A field by its name.
pub(super) fn field(chunk: u8, name: &str, value: Value) -> Field {
    let known = tables::FIELDS
        .iter()
        .find(|field| field.0 == chunk && field.2 == name);
    Field {
        id: known.map_or(u8::MAX, |field| field.1),
        value,
    }
}

pub(super) fn player_fields(before: Option<&PlayerState>, now: &PlayerState) -> Vec<Field> {
    let parts = |state: &PlayerState| {
        [
            (
                "rig_position",
                state.rig_position,
                "rig_rotation",
                state.rig_rotation,
            ),
            (
                "left_hand_position",
                state.left_hand_position,
                "left_hand_rotation",
                state.left_hand_rotation,
            ),
            (
                "right_hand_position",
                state.right_hand_position,
                "right_hand_rotation",
                state.right_hand_rotation,
            ),
            (
                "head_position",
                state.head_position,
                "head_rotation",
                state.head_rotation,
            ),
        ]
    };
    let mut fields = Vec::new();
    for (index, (position_name, position, rotation_name, rotation)) in
        parts(now).into_iter().enumerate()
    {
        let (_, old_position, _, old_rotation) =
            before.map_or(parts(now)[index], |before| parts(before)[index]);
        if before.is_none() || moved((&old_position, &rotation), (&position, &rotation)) {
            fields.push(field(chunk::PLAYER, position_name, Value::Vector(position)));
        }
        if before.is_none() || moved((&position, &old_rotation), (&position, &rotation)) {
            let rotation = SmallestThree::from_quaternion(rotation);
            fields.push(field(
                chunk::PLAYER,
                rotation_name,
                Value::Rotation(rotation),
            ));
        }
    }
    if before.is_none_or(|before| before.health != now.health) {
        fields.push(field(chunk::PLAYER, "health", Value::I16(now.health)));
    }
    if before.is_none() {
        fields.push(field(chunk::PLAYER, "active", Value::Flag(now.active)));
    }
    fields
}

fn structure_fields(before: Option<&StructureState>, now: &StructureState) -> Vec<Field> {
    let mut fields = Vec::new();
    if before.is_none_or(|before| {
        moved(
            (&before.position, &now.rotation),
            (&now.position, &now.rotation),
        )
    }) {
        fields.push(field(
            chunk::STRUCTURE,
            "position",
            Value::Vector(now.position),
        ));
    }
    if before.is_none_or(|before| {
        moved(
            (&now.position, &before.rotation),
            (&now.position, &now.rotation),
        )
    }) {
        let rotation = SmallestThree::from_quaternion(now.rotation);
        fields.push(field(
            chunk::STRUCTURE,
            "rotation",
            Value::Rotation(rotation),
        ));
    }
    if before.is_none_or(|before| before.active != now.active) {
        fields.push(field(chunk::STRUCTURE, "active", Value::Flag(now.active)));
    }
    if before.is_none_or(|before| before.grounded != now.grounded) {
        fields.push(field(
            chunk::STRUCTURE,
            "grounded",
            Value::Flag(now.grounded),
        ));
    }
    fields
}

/// Events between two frames: structures spawn, and hit.
fn events(from_s: f64, to_s: f64) -> Vec<Chunk> {
    let within = |time_s: f64| from_s < time_s && time_s <= to_s;
    let effect = |name: &str| {
        tables::EFFECTS
            .iter()
            .position(|effect| *effect == name)
            .unwrap_or(0) as u8
    };
    let mut events = Vec::new();
    for throw in 0..STRUCTURES.len() {
        let moments = [
            (Some(bout::throw_s(throw)), "Spawn", None),
            (Some(bout::struck_s(throw)), "ImpactMedium", None),
            (bout::hit_s(throw), "ImpactHeavy", Some(2)),
        ];
        for (time_s, name, damage) in moments {
            let Some(structure) = time_s
                .filter(|time_s| within(*time_s))
                .and_then(|s| bout::structure(throw, s))
            else {
                continue;
            };
            let position = Value::Vector(single(structure.pose.position));
            let who = if damage.is_some() {
                1 - bout::thrower(throw)
            } else {
                bout::thrower(throw)
            };
            let mut fields = vec![
                field(chunk::EVENT, "event_type", Value::U8(1)),
                field(chunk::EVENT, "position", position),
                field(chunk::EVENT, "player_index", Value::I32(who as i32)),
            ];
            fields.extend(damage.map(|damage| field(chunk::EVENT, "damage", Value::I32(damage))));
            fields.push(field(chunk::EVENT, "effect", Value::U8(effect(name))));
            fields.push(field(
                chunk::EVENT,
                "structure_id",
                Value::I32(throw as i32),
            ));
            events.push(update(chunk::EVENT, events.len(), fields));
        }
    }
    events
}

pub(super) fn update(chunk_type: u8, index: usize, fields: Vec<Field>) -> Chunk {
    Chunk {
        chunk_type,
        index: index as i32,
        sub_index: None,
        fields,
        trailing: Default::default(),
    }
}

/// The bout in the second generation's format.
pub fn second_generation() -> Result<Vec<u8>> {
    let mut stream = Stream {
        size_width: SizeWidth::U16,
        has_magic: true,
        frames: Vec::new(),
        trailing: Default::default(),
    };
    let mut structures: [Option<StructureState>; STRUCTURES.len()] = [None; STRUCTURES.len()];
    let mut players: [Option<PlayerState>; PLAYERS.len()] = [None; PLAYERS.len()];
    let mut before_s = -1.0;
    for time_s in times() {
        let mut chunks = Vec::new();
        for (player, before) in players.iter_mut().enumerate() {
            let now = player_state(player, time_s);
            if before.is_none_or(|before| player_moved(&before, &now)) {
                chunks.push(update(
                    chunk::PLAYER,
                    player,
                    player_fields(before.as_ref(), &now),
                ));
                *before = Some(now);
            }
        }
        for (throw, before) in structures.iter_mut().enumerate() {
            let Some(now) = structure_state(throw, time_s) else {
                continue;
            };
            if before.is_none_or(|before| structure_moved(&before, &now)) {
                chunks.push(update(
                    chunk::STRUCTURE,
                    throw,
                    structure_fields(before.as_ref(), &now),
                ));
                *before = Some(now);
            }
        }
        chunks.extend(events(before_s, time_s));
        before_s = time_s;
        stream.frames.push(Frame {
            time_s: time_s as f32,
            chunks,
            stated_chunk_count: None,
            trailing: Default::default(),
        });
    }
    let mut archive = Archive::new();
    archive.add(MANIFEST, true);
    archive.add(STREAM, false);
    let manifest = Manifest::read(manifest(stream.frames.len()).into_bytes());
    let replay = SecondReplay {
        archive,
        manifest,
        stream: Some(stream),
        packed_stream: None,
    };
    write(&Replay::Second(replay))
}

fn manifest(frames: usize) -> String {
    let list = |items: Vec<String>| items.join(",\n    ");
    let players = PLAYERS.iter().enumerate().map(|(index, name)| {
        format!(
            "{{ \"ActorId\": {}, \"MasterId\": \"SAMPLE{index}\", \"Name\": \"{name}\", \"BattlePoints\": {}, \
             \"VisualData\": \"sample\", \"EquippedShiftStones\": [2, -1], \
             \"Measurement\": {{ \"Length\": 1.75, \"ArmSpan\": 1.7 }}, \"WasHost\": {} }}",
            index + 1,
            1200 + 300 * index,
            index == 0
        )
    });
    let structures = STRUCTURES
        .iter()
        .map(|kind| format!("{{ \"Type\": {kind} }}"));
    format!(
        "{{\n  \"Title\": \"Sample bout\",\n  \"CustomMap\": \"\",\n  \"Version\": \"1.2.4\",\n  \"Scene\": \"Map0\",\n  \
         \"Date\": \"2026-02-10T18:30:00\",\n  \"Duration\": {SECONDS:.1},\n  \"FrameCount\": {frames},\n  \
         \"PedestalCount\": 0,\n  \"MarkerCount\": 0,\n  \"TargetFPS\": {FPS},\n  \
         \"Players\": [\n    {}\n  ],\n  \"Structures\": [\n    {}\n  ],\n  \"Markers\": [],\n  \
         \"Guid\": \"00000000-0000-4000-8000-000000000001\"\n}}",
        list(players.collect()),
        list(structures.collect()),
    )
}
