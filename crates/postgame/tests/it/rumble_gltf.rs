//! The sample bout as glTF: two people with bodies and materials of their own, a floor, a camera, and a part of it.

use postgame::gltf::{self, Options};
use postgame::{ReadOptions, Recording};
use serde_json::Value;

use crate::corpus;

fn sample(name: &str) -> Recording {
    let bytes = std::fs::read(corpus::root().join("samples").join(name)).unwrap();
    postgame::read(&bytes, &ReadOptions::default()).unwrap().0
}

/// The JSON of a binary glTF file, and its buffer.
fn open(glb: &[u8]) -> (Value, Vec<u8>) {
    let size = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!((&glb[..4], size(8)), (&b"glTF"[..], glb.len()));
    let json = serde_json::from_slice(&glb[20..20 + size(12)]).unwrap();
    (json, glb[20 + size(12) + 8..].to_vec())
}

fn named<'a>(gltf: &'a Value, list: &str, name: &str) -> &'a Value {
    let mut all = gltf[list].as_array().unwrap().iter();
    all.find(|item| item["name"] == name)
        .unwrap_or_else(|| panic!("no {name} in {list}"))
}

/// The floats of an accessor.
fn floats(gltf: &Value, buffer: &[u8], accessor: &Value) -> Vec<f32> {
    let accessor = &gltf["accessors"][accessor.as_u64().unwrap() as usize];
    let view = &gltf["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
    let start = view["byteOffset"].as_u64().unwrap() as usize;
    let length = view["byteLength"].as_u64().unwrap() as usize;
    let bytes = buffer[start..start + length].chunks_exact(4);
    bytes
        .map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap()))
        .collect()
}

/// The times and values of what moves a node.
fn keys(gltf: &Value, buffer: &[u8], node: &str, path: &str) -> (Vec<f32>, Vec<f32>) {
    let nodes = gltf["nodes"].as_array().unwrap();
    let index = nodes.iter().position(|item| item["name"] == node).unwrap();
    let animation = &gltf["animations"][0];
    let mut channels = animation["channels"].as_array().unwrap().iter();
    let is_it =
        |channel: &&Value| channel["target"]["node"] == index && channel["target"]["path"] == path;
    let channel = channels
        .find(is_it)
        .unwrap_or_else(|| panic!("{node} has no {path}"));
    let sampler = &animation["samplers"][channel["sampler"].as_u64().unwrap() as usize];
    (
        floats(gltf, buffer, &sampler["input"]),
        floats(gltf, buffer, &sampler["output"]),
    )
}

#[test]
fn two_people_with_bodies_stand_on_a_floor() {
    for name in [
        "bout.replay",
        "bout-archive.replay",
        "bout-2026.replay",
        "bout.rr",
    ] {
        let glb = gltf::write(&sample(name).timeline(), &Options::default()).unwrap();
        // To look at them: `xtask/blender/render.py`.
        if let Some(folder) = std::env::var_os("POSTGAME_GLB") {
            std::fs::write(
                std::path::Path::new(&folder).join(format!("{name}.glb")),
                &glb,
            )
            .unwrap();
        }
        let (gltf, buffer) = open(&glb);
        let mut colours = Vec::new();
        for player in ["Ada", "Bo"] {
            let material = named(&gltf, "materials", player);
            colours.push(material["pbrMetallicRoughness"]["baseColorFactor"].clone());
            for part in [
                "torso",
                "left upper arm",
                "left forearm",
                "right thigh",
                "right shank",
                "left shoe",
                "right fist",
            ] {
                let limb = named(&gltf, "nodes", &format!("{player} {part}"));
                let mesh = &gltf["meshes"][limb["mesh"].as_u64().unwrap() as usize];
                let of_mesh = mesh["primitives"][0]["material"].as_u64().unwrap() as usize;
                assert_eq!(gltf["materials"][of_mesh]["name"], player, "{name} {part}");
            }
            // The thigh begins at the hip and the shank at the knee: both above the ground, the knee below the hip.
            let (_, hips) = keys(
                &gltf,
                &buffer,
                &format!("{player} left thigh"),
                "translation",
            );
            let (_, knees) = keys(
                &gltf,
                &buffer,
                &format!("{player} left shank"),
                "translation",
            );
            let mean = |values: &[f32]| {
                values.iter().skip(1).step_by(3).sum::<f32>() / (values.len() / 3) as f32
            };
            assert!(
                (0.7..1.1).contains(&mean(&hips)),
                "{name}: hips at {}",
                mean(&hips)
            );
            assert!(
                (0.3..0.7).contains(&mean(&knees)),
                "{name}: knees at {}",
                mean(&knees)
            );
        }
        assert_ne!(
            colours[0], colours[1],
            "{name}: each has a colour of their own"
        );
        assert!(
            named(&gltf, "nodes", "floor")["translation"][1]
                .as_f64()
                .unwrap()
                .abs()
                < 0.1
        );
        assert_eq!(named(&gltf, "nodes", "camera")["camera"], 0);
        assert_eq!(gltf["cameras"].as_array().unwrap().len(), 1);
    }
}

/// Where a camera of a rotation (x, y, z, w) sees a direction: right, up, behind.
fn seen([x, y, z, w]: [f32; 4], [a, b, c]: [f32; 3]) -> [f32; 3] {
    let axis = |[i, j, k]: [f32; 3]| a * i + b * j + c * k;
    [
        axis([
            1.0 - 2.0 * (y * y + z * z),
            2.0 * (x * y + z * w),
            2.0 * (x * z - y * w),
        ]),
        axis([
            2.0 * (x * y - z * w),
            1.0 - 2.0 * (x * x + z * z),
            2.0 * (y * z + x * w),
        ]),
        axis([
            2.0 * (x * z + y * w),
            2.0 * (y * z - x * w),
            1.0 - 2.0 * (x * x + y * y),
        ]),
    ]
}

fn values<const N: usize>(value: &Value) -> [f32; N] {
    std::array::from_fn(|index| value[index].as_f64().unwrap() as f32)
}

#[test]
fn the_camera_sees_everyone_from_head_to_foot_all_the_time() {
    for (name, from_s, to_s) in [
        ("bout.replay", 0.0, 20.0),
        ("bout-2026.replay", 0.0, 20.0),
        ("bout-2026.replay", 12.0, 13.0),
        ("bout.rr", 5.0, 15.0),
    ] {
        let timeline = sample(name).timeline();
        let options = Options {
            from_s: Some(from_s),
            to_s: Some(to_s),
            ..Options::default()
        };
        let (gltf, _) = open(&gltf::write(&timeline, &options).unwrap());
        let camera = named(&gltf, "nodes", "camera");
        let at: [f32; 3] = values(&camera["translation"]);
        let turned: [f32; 4] = values(&camera["rotation"]);
        let lens = &gltf["cameras"][0]["perspective"];
        let number = |name: &str| lens[name].as_f64().unwrap() as f32;
        let half_height = (number("yfov") / 2.0).tan();
        let half_width = half_height * number("aspectRatio");
        let heads = timeline.entities.iter().filter(|part| part.kind == "head");
        let mut count = 0;
        let mut largest = 0.0_f32;
        for head in heads {
            for step in 0..=100 {
                let time_s = from_s + (to_s - from_s) * f64::from(step) / 100.0;
                let Some([x, y, z]) = head.position(time_s) else {
                    continue;
                };
                for point in [[x, y + 0.15, z], [x, 0.0, z]] {
                    let way: [f32; 3] = std::array::from_fn(|axis| point[axis] - at[axis]);
                    let [right, up, behind] = seen(turned, way);
                    let share = (right / half_width).abs().max((up / half_height).abs()) / -behind;
                    assert!(
                        behind < 0.0 && share < 1.0,
                        "{name}: {point:?} at {time_s} s"
                    );
                    largest = largest.max(share);
                    count += 1;
                }
            }
        }
        assert!(count >= 200, "{name}: {count} points");
        // Nor are they specks in the middle of it.
        assert!(largest > 0.6, "{name}: {largest} of the picture");
    }
}

#[test]
fn a_part_of_a_recording_begins_and_ends_where_it_is_told() {
    for name in ["bout-archive.replay", "duel.replay", "duel.slp"] {
        let recording = sample(name);
        let timeline = recording.timeline();
        let from_s = timeline.start_s + 1.013;
        let options = Options {
            from_s: Some(from_s),
            to_s: Some(from_s + 2.5),
            ..Options::default()
        };
        let (gltf, buffer) = open(&gltf::write(&timeline, &options).unwrap());
        let mut longest = 0f32;
        let mut compared = 0;
        let nodes = gltf["nodes"].as_array().unwrap();
        let animation = &gltf["animations"][0];
        for channel in animation["channels"].as_array().unwrap() {
            let sampler = &animation["samplers"][channel["sampler"].as_u64().unwrap() as usize];
            let times_s = floats(&gltf, &buffer, &sampler["input"]);
            assert!(
                times_s.iter().all(|time_s| (0.0..=2.5001).contains(time_s)),
                "{name}"
            );
            longest = times_s.iter().copied().fold(longest, f32::max);
            if channel["target"]["path"] != "translation" {
                continue;
            }
            // At its beginning a node is where the timeline has it then.
            let node = nodes[channel["target"]["node"].as_u64().unwrap() as usize]["name"].as_str();
            let same: Vec<_> = timeline
                .entities
                .iter()
                .filter(|entity| Some(&*entity.name) == node)
                .collect();
            let [entity] = same.as_slice() else { continue };
            let Some(expected) = entity.position(from_s).filter(|_| times_s[0] == 0.0) else {
                continue;
            };
            let values = floats(&gltf, &buffer, &sampler["output"]);
            for axis in 0..3 {
                assert!(
                    (values[axis] - expected[axis]).abs() < 2e-3,
                    "{name} {node:?}: {values:?} {expected:?}"
                );
            }
            compared += 1;
        }
        assert!((longest - 2.5).abs() < 1e-3, "{name}: {longest}");
        assert!(compared >= 2, "{name}: {compared}");
    }
}
