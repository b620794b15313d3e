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
