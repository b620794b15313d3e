//! Any model value is written and read back equal, through the file and through JSON.

use postgame::Bytes;
use postgame::rumble::archive::Archive;
use postgame::rumble::container::{MANIFEST, STREAM, Wrapper};
use postgame::rumble::model::fields::{Field, Kind, SizeWidth, SmallestThree, Value};
use postgame::rumble::model::first::{
    Changes, Frames, Header, PlayerInfo, PlayerState, StructureInfo, StructureState,
};
use postgame::rumble::model::manifest::Manifest;
use postgame::rumble::model::stream::{Chunk, Frame, Stream, chunk};
use postgame::rumble::model::{Bool8, DotNetString};
use postgame::rumble::model::{FirstReplay, Replay, SecondReplay};
use postgame::rumble::rr::Body;
use postgame::rumble::rr::elements::{Element, ElementFrame, ElementFrames, ElementUpdate};
use postgame::rumble::rr::updates::{Change, Update, Updates};
use postgame::rumble::rr::{RrReplay, updates};
use postgame::rumble::tables;
use postgame::{ReadOptions, Recording};
use proptest::prelude::*;

/// Any number; a NaN is not equal to itself, so those have tests of their own in `wire::json`.
fn float() -> impl Strategy<Value = f32> {
    use prop::num::f32::{INFINITE, NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO};
    POSITIVE | NEGATIVE | NORMAL | SUBNORMAL | ZERO | INFINITE
}

fn string() -> impl Strategy<Value = DotNetString> {
    prop_oneof![
        ".{0,20}".prop_map(|text| DotNetString::from(text.as_str())),
        (prop::collection::vec(any::<u8>(), 0..200), 0u8..2).prop_map(|(bytes, spare)| {
            DotNetString {
                text: bytes.into(),
                spare_length_bytes: spare,
            }
        }),
    ]
}

fn player_info() -> impl Strategy<Value = PlayerInfo> {
    let texts = (string(), string(), string());
    let numbers = (
        any::<u8>(),
        any::<i32>(),
        any::<i16>(),
        any::<i16>(),
        float(),
        float(),
        any::<u8>(),
    );
    (texts, numbers).prop_map(|((master_id, name, visual_data), numbers)| {
        let (actor_id, battle_points, shiftstone_0, shiftstone_1, body_length, arm_span, was_host) =
            numbers;
        PlayerInfo {
            actor_id,
            master_id,
            name,
            battle_points,
            visual_data,
            shiftstone_0,
            shiftstone_1,
            body_length,
            arm_span,
            was_host: Bool8(was_host),
        }
    })
}

prop_compose! {
    fn structure_state()(
        position in prop::array::uniform3(float()), rotation in prop::array::uniform4(float()),
        active in any::<u8>(), grounded in any::<u8>(),
    ) -> StructureState {
        StructureState { position, rotation, active: Bool8(active), grounded: Bool8(grounded) }
    }
}

prop_compose! {
    fn player_state()(
        positions in prop::array::uniform4(prop::array::uniform3(float())),
        rotations in prop::array::uniform4(prop::array::uniform4(float())),
        health in any::<i16>(), active in any::<u8>(),
    ) -> PlayerState {
        PlayerState {
            rig_position: positions[0], rig_rotation: rotations[0],
            head_position: positions[1], head_rotation: rotations[1],
            left_hand_position: positions[2], left_hand_rotation: rotations[2],
            right_hand_position: positions[3], right_hand_rotation: rotations[3],
            health, active: Bool8(active),
        }
    }
}

fn changes<T: Clone + std::fmt::Debug>(
    frames: usize,
    per_frame: usize,
    state: impl Strategy<Value = T> + Clone + 'static,
) -> impl Strategy<Value = Changes<T>> {
    let flag = prop_oneof![Just(0u8), Just(1u8), any::<u8>()];
    prop::collection::vec(flag, frames * per_frame).prop_flat_map(move |flags| {
        let changed = flags.iter().filter(|flag| **flag == 1).count();
        prop::collection::vec(state.clone(), changed).prop_map(move |states| Changes {
            per_frame,
            flags: flags.clone(),
            states,
        })
    })
}

fn first_replay() -> impl Strategy<Value = FirstReplay> {
    let players = prop::collection::vec(player_info(), 0..3);
    let structures = prop::collection::vec(
        any::<u8>().prop_map(|structure_type| StructureInfo { structure_type }),
        0..4,
    );
    let header = (
        string(),
        string(),
        string(),
        any::<i32>(),
        players,
        structures,
    );
    (header, 0usize..6).prop_flat_map(
        |((version, scene, date_utc, fps, players, structures), count)| {
            let times = prop::collection::vec(float(), count);
            let structure_changes = changes(count, structures.len(), structure_state().boxed());
            let player_changes = changes(count, players.len(), player_state().boxed());
            let header = Header {
                version,
                scene,
                date_utc,
                fps,
                players,
                structures,
                stated_frame_count: None,
                stated_structure_count: None,
            };
            let trailing = prop::collection::vec(any::<u8>(), 0..10);
            (times, structure_changes, player_changes, trailing).prop_map(
                move |(times_s, structures, players, trailing)| FirstReplay {
                    wrapper: Wrapper::default(),
                    header: header.clone(),
                    frames: Some(Frames {
                        times_s,
                        structures,
                        players,
                    }),
                    trailing,
                },
            )
        },
    )
}

fn field(chunk_type: u8) -> impl Strategy<Value = Field> {
    let known: Vec<(u8, Kind)> = tables::FIELDS
        .iter()
        .filter(|field| field.0 == chunk_type)
        .map(|field| (field.1, field.3))
        .collect();
    let known = prop::sample::select(known).prop_flat_map(|(id, kind)| {
        let value = match kind {
            Kind::Vector => prop::array::uniform3(float())
                .prop_map(Value::Vector)
                .boxed(),
            Kind::Rotation => (any::<[u16; 3]>(), any::<u8>())
                .prop_map(|(words, dropped)| Value::Rotation(SmallestThree { words, dropped }))
                .boxed(),
            Kind::Flag => any::<u8>()
                .prop_map(|byte| Value::Flag(Bool8(byte)))
                .boxed(),
            Kind::U8 => any::<u8>().prop_map(Value::U8).boxed(),
            Kind::I16 => any::<i16>().prop_map(Value::I16).boxed(),
            Kind::I32 => any::<i32>().prop_map(Value::I32).boxed(),
            // Either width, as the size says.
            Kind::U8OrI32 => prop_oneof![
                any::<u8>().prop_map(Value::U8),
                any::<i32>().prop_map(Value::I32)
            ]
            .boxed(),
            Kind::F32 => float().prop_map(Value::F32).boxed(),
            Kind::Text => prop::collection::vec(any::<u8>(), 0..40)
                .prop_map(|bytes| Value::Text(bytes.into()))
                .boxed(),
        };
        value.prop_map(move |value| Field { id, value })
    });
    let unknown =
        (200u8..=255, prop::collection::vec(any::<u8>(), 0..20)).prop_map(|(id, bytes)| Field {
            id,
            value: Value::Raw(Bytes(bytes)),
        });
    prop_oneof![4 => known, 1 => unknown]
}

fn chunks() -> impl Strategy<Value = Vec<Chunk>> {
    let one = (chunk::PLAYER..=chunk::SCENE_PROP).prop_flat_map(|chunk_type| {
        (any::<i32>(), prop::collection::vec(field(chunk_type), 0..5)).prop_map(
            move |(index, fields)| Chunk {
                chunk_type,
                index,
                sub_index: None,
                fields,
                trailing: Bytes::default(),
            },
        )
    });
    // Three bytes are no field in either width.
    let foreign = (any::<i32>(), any::<i32>()).prop_map(|(index, sub_index)| Chunk {
        chunk_type: chunk::EXTENSION,
        index,
        sub_index: Some(sub_index),
        fields: Vec::new(),
        trailing: Bytes(vec![255, 255, 255]),
    });
    prop::collection::vec(prop_oneof![5 => one, 1 => foreign], 0..5)
}

/// A chunk that only one of the two widths can walk.
fn decisive() -> Chunk {
    let rotation = SmallestThree {
        words: [1, 2, 3],
        dropped: 3,
    };
    let fields = vec![
        Field {
            id: 0,
            value: Value::Vector([1.0, 2.0, 3.0]),
        },
        Field {
            id: 1,
            value: Value::Rotation(rotation),
        },
    ];
    Chunk {
        chunk_type: chunk::STRUCTURE,
        index: 0,
        sub_index: None,
        fields,
        trailing: Bytes::default(),
    }
}

fn second_replay() -> impl Strategy<Value = SecondReplay> {
    let frame = (float(), chunks()).prop_map(|(time_s, chunks)| Frame {
        time_s,
        chunks,
        stated_chunk_count: None,
        trailing: Bytes::default(),
    });
    let width = prop::sample::select(vec![SizeWidth::U8, SizeWidth::U16]);
    (prop::collection::vec(frame, 1..6), width, ".{0,30}").prop_map(
        |(mut frames, size_width, title)| {
            frames[0].chunks.push(decisive());
            let mut archive = Archive::new();
            archive.add(MANIFEST, true);
            archive.add(STREAM, false);
            archive.add("voices/0.ogg", false).data = Bytes::default();
            let manifest = Manifest {
                values: serde_json::json!({ "Title": title }),
                text: Default::default(),
            };
            let stream = Stream {
                size_width,
                has_magic: true,
                frames,
                trailing: Bytes::default(),
            };
            SecondReplay {
                archive,
                manifest,
                stream: Some(stream),
                packed_stream: None,
            }
        },
    )
}

fn pose() -> impl Strategy<Value = updates::Pose> {
    let numbers = (
        prop::array::uniform3(float()),
        prop::array::uniform4(float()),
    );
    numbers.prop_map(|(position, rotation_wyxz)| updates::Pose {
        position,
        rotation_wyxz,
    })
}

fn rr_updates() -> impl Strategy<Value = Updates> {
    let structure = (any::<u8>(), any::<u8>(), pose())
        .prop_map(|(kind, index, pose)| updates::StructureState { kind, index, pose });
    let poses = prop::collection::vec(pose(), 6);
    let player = (any::<u8>(), poses).prop_map(|(index, poses)| updates::PlayerState {
        index,
        head: poses[0],
        spine: poses[1],
        left_hand: poses[2],
        right_hand: poses[3],
        left_foot: poses[4],
        right_foot: poses[5],
    });
    let change = prop_oneof![
        prop::collection::vec(structure, 1..4).prop_map(Change::Structures),
        prop::collection::vec(player, 1..3).prop_map(Change::Players),
        // The older players' update is known by its number alone.
        prop::collection::vec(any::<u8>(), 0..40).prop_map(|data| Change::Raw {
            kind: 1,
            data: Bytes(data)
        }),
    ];
    let update = (any::<i16>(), change).prop_map(|(frame, change)| Update { frame, change });
    prop::collection::vec(update, 1..12).prop_map(Updates)
}

fn rr_elements() -> impl Strategy<Value = ElementFrames> {
    let element = prop_oneof![
        prop::array::uniform3(float()).prop_map(Element::Position),
        prop::array::uniform4(float()).prop_map(Element::RotationWxyz),
        any::<u8>().prop_map(Element::StructureIndex),
        any::<u8>().prop_map(Element::Health),
        any::<u16>().prop_map(Element::Modifiers),
        (6u8..=255, prop::collection::vec(any::<u8>(), 0..9)).prop_map(|(kind, data)| {
            Element::Raw {
                kind,
                data: Bytes(data),
            }
        }),
    ];
    let elements = prop::collection::vec(element, 1..6);
    let update = (0u8..2, elements).prop_map(|(kind, elements)| ElementUpdate { kind, elements });
    let updates = prop::collection::vec(update, 1..4);
    // Counters of real files are low; the first two bytes of a high one would be a plausible size in version 2.
    let frame =
        (0u32..60_000, updates).prop_map(|(frame, updates)| ElementFrame { frame, updates });
    (any::<bool>(), prop::collection::vec(frame, 3..9)).prop_map(|(size_includes_count, frames)| {
        ElementFrames {
            size_includes_count,
            frames,
        }
    })
}

fn rr(name: String, body: Body) -> RrReplay {
    let values = serde_json::json!({ "Version": "1.1.3", "LocalPlayer": { "Name": name } });
    RrReplay {
        header: Manifest {
            values,
            text: Default::default(),
        },
        stated_header_length: None,
        body: Some(body),
        trailing: Bytes::default(),
    }
}

fn through_file(replay: Replay) -> (Vec<u8>, Replay) {
    let bytes = Recording::Rumble(replay).write().unwrap();
    let (recording, report) = postgame::read(&bytes, &ReadOptions::default()).unwrap();
    assert!(report.is_clean(), "{report:?}");
    assert_eq!(recording.write().unwrap(), bytes);
    let mut json = Vec::new();
    recording.write_json(&mut json, false).unwrap();
    assert_eq!(
        Recording::read_json(&json[..]).unwrap().write().unwrap(),
        bytes,
        "through JSON"
    );
    let Recording::Rumble(replay) = recording else {
        panic!()
    };
    (bytes, replay)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_first_generation_replay_comes_back(replay in first_replay()) {
        let (_, back) = through_file(Replay::First(replay.clone()));
        let Replay::First(back) = back else { panic!() };
        prop_assert_eq!((back.header, back.frames, back.trailing), (replay.header, replay.frames, replay.trailing));
    }

    #[test]
    fn a_second_generation_replay_comes_back(replay in second_replay()) {
        let (_, back) = through_file(Replay::Second(replay.clone()));
        let Replay::Second(back) = back else { panic!() };
        prop_assert_eq!(back.stream, replay.stream);
        prop_assert_eq!(back.manifest.values, replay.manifest.values);
        prop_assert_eq!(back.archive.entries.len(), 3);
    }

    #[test]
    fn an_rr_file_of_version_2_comes_back(name in ".{0,20}", updates in rr_updates()) {
        let (_, back) = through_file(Replay::Rr(rr(name.clone(), Body::Updates(updates.clone()))));
        let Replay::Rr(back) = back else { panic!() };
        prop_assert_eq!(back.body, Some(Body::Updates(updates)));
        prop_assert_eq!(back.header.values["LocalPlayer"]["Name"].as_str(), Some(name.as_str()));
    }

    #[test]
    fn an_rr_file_of_version_3_comes_back(name in ".{0,20}", frames in rr_elements()) {
        let (_, back) = through_file(Replay::Rr(rr(name, Body::Elements(frames.clone()))));
        let Replay::Rr(back) = back else { panic!() };
        prop_assert_eq!(back.body, Some(Body::Elements(frames)));
    }
}

#[test]
fn a_changed_value_changes_that_and_nothing_else() {
    for path in crate::corpus::samples("bout") {
        let bytes = std::fs::read(&path).unwrap();
        let (recording, _) = postgame::read(&bytes, &ReadOptions::default()).unwrap();
        let Recording::Rumble(mut replay) = recording else {
            continue;
        };
        match &mut replay {
            Replay::First(replay) => {
                replay.header.scene = "Map1".into();
                let frames = replay.frames.as_mut().unwrap();
                frames.players.states[7].health = 3;
            }
            Replay::Second(replay) => {
                replay.manifest.values["Title"] = "Changed".into();
                replay.stream.as_mut().unwrap().frames[5].time_s = 0.101;
            }
            Replay::Rr(replay) => {
                replay.header.values["Scene"] = "Map1".into();
                let Some(Body::Updates(updates)) = &mut replay.body else {
                    panic!()
                };
                updates.0[5].frame = 77;
            }
        }
        let (changed, back) = through_file(replay.clone());
        assert!(changed != bytes);
        match (replay, back) {
            (Replay::First(one), Replay::First(other)) => {
                assert_eq!((one.header, one.frames), (other.header, other.frames));
            }
            (Replay::Second(one), Replay::Second(other)) => {
                assert_eq!(one.stream, other.stream);
                assert_eq!(one.manifest.values, other.manifest.values);
            }
            (Replay::Rr(one), Replay::Rr(other)) => {
                assert_eq!(one.body, other.body);
                assert_eq!(one.header.values, other.header.values);
            }
            _ => panic!(),
        }
    }
}
