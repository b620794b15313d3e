//! The bout as the newest recorder writes it: moves, states instead of `grounded`, damage in a byte, structure ids,
//! markers, a scene prop, a pedestal, an extension, a voice.

use postgame::Result;
use postgame::rumble::archive::Archive;
use postgame::rumble::container::{MANIFEST, STREAM, write};
use postgame::rumble::model::extensions::extension_index;
use postgame::rumble::model::fields::{Field, SizeWidth, SmallestThree, Value};
use postgame::rumble::model::first::StructureState;
use postgame::rumble::model::manifest::Manifest;
use postgame::rumble::model::stream::{Chunk, Frame, Stream, chunk};
use postgame::rumble::model::voices::VOICES;
use postgame::rumble::model::{Replay, SecondReplay};
use postgame::rumble::tables;
use serde_json::{Value as Json, json};

use super::bout::{self, PLAYERS, SECONDS, STRUCTURES};
use super::record::{
    FPS, field, player_fields, player_state, single, structure_state, times, update,
};
use super::voice;

/// Structures in the newest recorder's files have their own ids, which are not the indices.
fn structure_id(throw: usize) -> i32 {
    100 + 7 * throw as i32
}

/// The structures of the throws; the last one stands in for a target.
fn structure_type(throw: usize) -> u8 {
    if throw + 1 == STRUCTURES.len() {
        13
    } else {
        STRUCTURES[throw]
    }
}

/// The mod whose data is stored beside the recorder's own.
const EXTENSION: &str = "sample.scoreboard";

/// The recorded speaker, and the time.
const SPEAKER: usize = 1;
const VOICE_S: f64 = 3.0;

fn number(names: &[&str], name: &str) -> u8 {
    names.iter().position(|other| *other == name).unwrap_or(0) as u8
}

/// The move a player executes in the frame that ends at a time: the throw is raised, then struck.
fn move_between(player: usize, from_s: f64, to_s: f64) -> u8 {
    let within = |time_s: f64| from_s < time_s && time_s <= to_s;
    for throw in (0..STRUCTURES.len()).filter(|throw| bout::thrower(*throw) == player) {
        if within(bout::throw_s(throw)) {
            return number(tables::MOVES, "Ground");
        }
        if within(bout::struck_s(throw)) {
            let strike = ["Straight", "Kick", "Uppercut"][throw % 3];
            return number(tables::MOVES, strike);
        }
    }
    0
}

/// Structures: the recorder first compares with zeros, and writes the state instead of `grounded`.
fn structure_chunk(throw: usize, before: Option<&StructureState>, now: &StructureState) -> Chunk {
    let state = |structure: &StructureState| {
        let name = if structure.grounded.is_set() {
            "StableGrounded"
        } else {
            "Free"
        };
        number(tables::STATES, name)
    };
    let mut fields = Vec::new();
    let put = |fields: &mut Vec<Field>, name: &str, value: Value| {
        fields.push(field(chunk::STRUCTURE, name, value));
    };
    if before.is_none_or(|before| before.position != now.position) {
        put(&mut fields, "position", Value::Vector(now.position));
    }
    if before.is_none_or(|before| before.rotation != now.rotation) {
        let rotation = SmallestThree::from_quaternion(now.rotation);
        put(&mut fields, "rotation", Value::Rotation(rotation));
    }
    if before.map_or(now.active.is_set(), |before| before.active != now.active) {
        put(&mut fields, "active", Value::Flag(now.active));
    }
    if before.is_none_or(|before| state(before) != state(now)) {
        put(&mut fields, "state", Value::U8(state(now)));
    }
    update(chunk::STRUCTURE, throw, fields)
}

/// The recorder's own events between two times. It does not know the player, and writes 0.
fn events(from_s: f64, to_s: f64) -> Vec<Chunk> {
    let within = |time_s: f64| from_s < time_s && time_s <= to_s;
    let identity = SmallestThree::from_quaternion([0.0, 0.0, 0.0, 1.0]);
    let mut events = Vec::new();
    for throw in 0..STRUCTURES.len() {
        let moments = [
            (Some(bout::throw_s(throw)), "Spawn", None),
            (Some(bout::struck_s(throw)), "ImpactMedium", None),
            (bout::hit_s(throw), "Hitmarker", Some(2u8)),
        ];
        for (time_s, effect, damage) in moments {
            let time_s = time_s.filter(|time_s| within(*time_s));
            let Some(structure) = time_s.and_then(|time_s| bout::structure(throw, time_s)) else {
                continue;
            };
            let mut fields = vec![
                field(chunk::EVENT, "event_type", Value::U8(1)),
                field(
                    chunk::EVENT,
                    "position",
                    Value::Vector(single(structure.pose.position)),
                ),
                field(chunk::EVENT, "rotation", Value::Rotation(identity)),
                field(chunk::EVENT, "player_index", Value::I32(0)),
            ];
            fields.extend(damage.map(|damage| field(chunk::EVENT, "damage", Value::U8(damage))));
            let effect = number(tables::EFFECTS, effect);
            fields.push(field(chunk::EVENT, "effect", Value::U8(effect)));
            // A hit marker belongs to no structure.
            if damage.is_none() {
                let id = Value::I32(structure_id(throw));
                fields.push(field(chunk::EVENT, "structure_id", id));
            }
            events.push(update(chunk::EVENT, events.len(), fields));
        }
    }
    events
}

/// Fields in the first frame only: measures, looks, stones; also a pedestal and a scene prop.
fn first_player_fields(player: usize) -> Vec<Field> {
    let of = |name: &str, value: Value| field(chunk::PLAYER, name, value);
    vec![
        of("left_shiftstone", Value::U8(2 + player as u8)),
        of("right_shiftstone", Value::U8(u8::MAX)),
        of("arm_span", Value::F32(1.7)),
        of("length", Value::F32(1.75)),
        of("visual_data", Value::Text("sample".into())),
    ]
}

fn things() -> Vec<Chunk> {
    let at = |kind: u8, x: f32, y: f32| field(kind, "position", Value::Vector([x, y, 5.0]));
    let identity = SmallestThree::from_quaternion([0.0, 0.0, 0.0, 1.0]);
    let shown = field(chunk::PEDESTAL, "active", Value::Flag(true.into()));
    vec![
        update(
            chunk::PEDESTAL,
            0,
            vec![at(chunk::PEDESTAL, -2.0, 0.5), shown],
        ),
        update(
            chunk::SCENE_PROP,
            0,
            vec![
                at(chunk::SCENE_PROP, 2.0, 0.3),
                field(chunk::SCENE_PROP, "rotation", Value::Rotation(identity)),
            ],
        ),
    ]
}

/// Another mod's data, in its own format.
fn extension_chunk() -> Chunk {
    Chunk {
        chunk_type: chunk::EXTENSION,
        index: extension_index(EXTENSION),
        sub_index: Some(0),
        fields: Vec::new(),
        trailing: postgame::Bytes(b"0:0".to_vec()),
    }
}

fn frames() -> Vec<Frame> {
    let mut structures: [Option<StructureState>; STRUCTURES.len()] = [None; STRUCTURES.len()];
    let mut players = [None; PLAYERS.len()];
    let mut moves = [0u8; PLAYERS.len()];
    let mut before_s = -1.0;
    let mut frames = Vec::new();
    for time_s in times() {
        let is_first = frames.is_empty();
        let mut chunks = Vec::new();
        for (throw, before) in structures.iter_mut().enumerate() {
            let Some(now) = structure_state(throw, time_s) else {
                continue;
            };
            if before.as_ref() != Some(&now) {
                chunks.push(structure_chunk(throw, before.as_ref(), &now));
                *before = Some(now);
            }
        }
        for (player, before) in players.iter_mut().enumerate() {
            let now = player_state(player, time_s);
            let mut fields = player_fields(before.as_ref(), &now);
            let executed = move_between(player, before_s, time_s);
            if executed != moves[player] {
                let value = Value::I16(executed.into());
                fields.push(field(chunk::PLAYER, "stack", value));
                moves[player] = executed;
                // The stone in the socket charges with the first throw of each player.
                if executed != 0 && bout::throw_s(player) >= before_s {
                    fields.push(field(chunk::PLAYER, "shiftstone_effects", Value::U8(1)));
                }
            }
            if is_first {
                fields.extend(first_player_fields(player));
            }
            if !fields.is_empty() {
                chunks.push(update(chunk::PLAYER, player, fields));
                *before = Some(now);
            }
        }
        if is_first {
            chunks.extend(things());
        }
        chunks.extend(events(before_s, time_s));
        if is_first {
            chunks.push(extension_chunk());
        }
        before_s = time_s;
        frames.push(Frame {
            time_s: time_s as f32,
            chunks,
            stated_chunk_count: None,
            trailing: Default::default(),
        });
    }
    frames
}

/// The file.
pub fn replay() -> Result<Vec<u8>> {
    let stream = Stream {
        size_width: SizeWidth::U16,
        has_magic: true,
        frames: frames(),
        trailing: Default::default(),
    };
    let file_name = format!("p{}_SAMPLE{SPEAKER}_v0_150.ogg", PLAYERS[SPEAKER]);
    let voices = json!({ "Tracks": [{
        "MasterId": format!("SAMPLE{SPEAKER}"), "ActorId": SPEAKER + 1, "VoiceId": 0, "FileName": file_name, "StartTime": VOICE_S,
    }] });
    let mut archive = Archive::new();
    archive.add(MANIFEST, true);
    archive.add(STREAM, false);
    let entries = [
        (VOICES.to_owned(), voices.to_string().into_bytes()),
        (format!("voices/{file_name}"), voice::silence()),
        (
            format!("extensions/{EXTENSION}/score.txt"),
            b"Ada 8, Bo 8\n".to_vec(),
        ),
    ];
    for (name, contents) in entries {
        archive.add(&name, true).replace(&contents)?;
    }
    let manifest = serde_json::to_string_pretty(&manifest(stream.frames.len()));
    let manifest = Manifest::read(manifest.unwrap_or_default().into_bytes());
    write(&Replay::Second(SecondReplay {
        archive,
        manifest,
        stream: Some(stream),
        packed_stream: None,
    }))
}

fn manifest(frames: usize) -> Json {
    let players = PLAYERS.iter().enumerate().map(|(index, name)| {
        json!({
            "ActorId": index + 1,
            "MasterId": format!("SAMPLE{index}"),
            "Name": name,
            "BattlePoints": 1200 + 300 * index,
            "EquippedShiftStones": [2 + index, -1],
            "Measurement": { "Length": 1.75, "ArmSpan": 1.7 },
            "WasHost": index == 0,
            "IsLocal": index == 0,
        })
    });
    let structures = (0..STRUCTURES.len()).map(|throw| {
        let mut structure =
            json!({ "Type": structure_type(throw), "structureId": structure_id(throw) });
        if structure_type(throw) == 13 {
            structure["targetDamage"] = json!(10);
        }
        structure
    });
    let marker = |name: &str, time_s: f64, colour: [f64; 3]| {
        let [r, g, b] = colour;
        json!({ "name": name, "time": time_s, "r": r, "g": g, "b": b })
    };
    let mut manual = marker("core.manual", 5.0, [1.0, 1.0, 1.0]);
    manual["position"] = json!({ "x": 1.0, "y": 1.5, "z": -2.0 });
    manual["PlayerIndex"] = json!(1);
    json!({
        "Title": "Sample bout, 2026",
        "CustomMap": "",
        "Version": "1.2.4",
        "Scene": "Map1",
        "Date": "2026-08-13 18:30:00",
        "Duration": SECONDS,
        "FrameCount": frames,
        "PedestalCount": 1,
        "ScenePropCount": 1,
        "MarkerCount": 2,
        "AvgPing": -1,
        "MaxPing": -1,
        "MinPing": -1,
        "TargetFPS": FPS,
        "isFavorited": true,
        "Players": players.collect::<Vec<_>>(),
        "Structures": structures.collect::<Vec<_>>(),
        "SceneProps": [{ "type": 0 }],
        "Markers": [manual, marker("core.roundEnded", SECONDS, [0.7, 0.6, 0.85])],
        "Guid": "00000000-0000-4000-8000-000000000002",
    })
}
