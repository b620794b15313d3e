//! A timeline as a glTF 2.0 file (`.glb`): named, animated nodes for Blender and every other 3D tool.
//!
//! glTF has the timeline's own units and axes: metres, seconds, right-handed, Y up, quaternions x y z w. Every entity
//! with a position is a node of its name with a simple shape of ours; one animation, as long as the recording, moves
//! them. Key frames are thinned as far as a tolerance allows. An entity that is absent has the scale 0. Hundreds of
//! entities that never move become one node with many instances (`EXT_mesh_gpu_instancing`).
//!
//! - [`keys`]: key frames from tracks, thinned
//! - [`shapes`]: what each entity looks like; `tables` is made of the games' data
//! - [`meshes`]: boxes, balls and cylinders
//! - [`file`](mod@file): accessors, buffers, the binary container

pub mod file;
pub mod keys;
pub mod meshes;
pub mod shapes;
mod tables;

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::error::Result;
use crate::timeline::{Entity, Timeline, Values};
use file::Builder;
use keys::{Keys, Tolerance};
use shapes::Shape;

/// More entities of one class than this that never move become instances of one node.
const MOST_SINGLE_NODES: usize = 20;

/// How to write a file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// How far a key frame may be from the timeline to be left out.
    pub tolerance: Tolerance,
}

/// The file.
///
/// # Errors
/// When it would be larger than glTF allows, 4 GB.
pub fn write(timeline: &Timeline, options: &Options) -> Result<Vec<u8>> {
    let mut scene = Scene {
        timeline,
        tolerance: options.tolerance,
        file: Builder::default(),
        nodes: Vec::new(),
        meshes: BTreeMap::new(),
        channels: Vec::new(),
        samplers: Vec::new(),
        inputs: BTreeMap::new(),
    };
    scene.add_entities();
    scene.finish()
}

struct Scene<'a> {
    timeline: &'a Timeline,
    tolerance: Tolerance,
    file: Builder,
    nodes: Vec<Value>,
    meshes: BTreeMap<Shape, usize>,
    channels: Vec<Value>,
    samplers: Vec<Value>,
    /// Accessors of key times by their bits: the parts of one body share them.
    inputs: BTreeMap<Vec<u32>, usize>,
}

/// The columns that place an entity.
struct Placing {
    position: Keys<3>,
    rotation: Option<Keys<4>>,
}

impl Scene<'_> {
    fn add_entities(&mut self) {
        let timeline = self.timeline;
        let shapes = shapes::of_all(timeline);
        let mut still: BTreeMap<&Shape, Vec<&Entity>> = BTreeMap::new();
        for (entity, shape) in timeline.entities.iter().zip(&shapes) {
            if is_still(entity) && has_position(entity) {
                still.entry(shape).or_default().push(entity);
            }
        }
        still.retain(|_, entities| entities.len() > MOST_SINGLE_NODES);
        let mut node_of: Vec<Option<usize>> = vec![None; timeline.entities.len()];
        for (index, (entity, shape)) in timeline.entities.iter().zip(&shapes).enumerate() {
            let is_instance = is_still(entity) && still.contains_key(shape);
            if is_instance || !(has_position(entity) || is_parent_of_placed(timeline, index)) {
                continue;
            }
            if let Some(slot) = node_of.get_mut(index) {
                *slot = Some(self.add_node(entity, shape));
            }
        }
        // Positions are in the world, so only what has no position of its own may be a parent.
        for (index, entity) in timeline.entities.iter().enumerate() {
            let parent = entity.parent.filter(|parent| {
                timeline
                    .entity(*parent)
                    .is_some_and(|parent| !has_position(parent))
            });
            let nodes = (
                parent.and_then(|parent| node_of.get(parent.0).copied().flatten()),
                node_of.get(index).copied().flatten(),
            );
            if let (Some(parent), Some(child)) = nodes
                && let Some(Value::Object(parent)) = self.nodes.get_mut(parent)
                && let Value::Array(children) = parent.entry("children").or_insert(json!([]))
            {
                children.push(json!(child));
            }
        }
        for (shape, entities) in still {
            self.add_instances(shape, &entities);
        }
    }

    fn add_node(&mut self, entity: &Entity, shape: &Shape) -> usize {
        let node = self.nodes.len();
        let mut value = json!({ "name": entity.name, "extras": { "kind": entity.kind } });
        let placing = self.placing(entity);
        if let Some(Placing { position, rotation }) = &placing {
            value["mesh"] = json!(self.mesh(shape));
            if let Some((_, first)) = position.first() {
                value["translation"] = json!(first);
            }
            if let Some((_, first)) = rotation.as_ref().and_then(Keys::first) {
                value["rotation"] = json!(first);
            }
        }
        self.nodes.push(value);
        if let Some(Placing { position, rotation }) = placing {
            self.animate(node, "translation", &position, "VEC3");
            if let Some(rotation) = rotation {
                self.animate(node, "rotation", &rotation, "VEC4");
            }
            let presence = Keys::presence(self.timeline, entity);
            if presence.len() > 1 || presence.first().is_some_and(|(_, scale)| scale != [1.0; 3]) {
                self.animate(node, "scale", &presence, "VEC3");
            }
        }
        node
    }

    fn placing(&self, entity: &Entity) -> Option<Placing> {
        let mut placing = (None, None);
        for track in &entity.tracks {
            for column in &track.columns {
                match (column.name, &column.values) {
                    ("position", Values::Position(values)) if placing.0.is_none() => {
                        placing.0 = Keys::positions(self.timeline, track, values, &self.tolerance);
                    }
                    ("rotation", values) if placing.1.is_none() => {
                        placing.1 = values.rotations().and_then(|values| {
                            Keys::rotations(self.timeline, track, &values, &self.tolerance)
                        });
                    }
                    _ => {}
                }
            }
        }
        let (position, rotation) = placing;
        position.map(|position| Placing { position, rotation })
    }

    fn animate<const N: usize>(&mut self, node: usize, path: &str, keys: &Keys<N>, kind: &str) {
        // A value that never changes is the node's own; an action of one key moves nothing.
        if keys.len() < 2 {
            return;
        }
        let bits: Vec<u32> = keys.times_s().map(f32::to_bits).collect();
        let file = &mut self.file;
        let input = *self
            .inputs
            .entry(bits)
            .or_insert_with(|| file.times(keys.times_s()));
        let output = file.floats(keys.values().flatten(), keys.len(), kind, false);
        let sampler = self.samplers.len();
        let interpolation = if keys.is_linear() { "LINEAR" } else { "STEP" };
        self.samplers
            .push(json!({ "input": input, "output": output, "interpolation": interpolation }));
        self.channels
            .push(json!({ "sampler": sampler, "target": { "node": node, "path": path } }));
    }

    fn mesh(&mut self, shape: &Shape) -> usize {
        if let Some(&mesh) = self.meshes.get(shape) {
            return mesh;
        }
        let mesh = self.file.mesh(shape);
        self.meshes.insert(shape.clone(), mesh);
        mesh
    }

    fn add_instances(&mut self, shape: &Shape, entities: &[&Entity]) {
        let at = self.timeline.start_s.max(self.timeline.end_s);
        let place = |entity: &&Entity| {
            let position = entity.position(at)?;
            Some((
                position,
                entity.rotation(at).unwrap_or([0.0, 0.0, 0.0, 1.0]),
            ))
        };
        let places: Vec<([f32; 3], [f32; 4])> = entities.iter().filter_map(place).collect();
        if places.is_empty() {
            return;
        }
        let positions = places.iter().flat_map(|(position, _)| *position);
        let translation = self.file.floats(positions, places.len(), "VEC3", false);
        let rotations = places.iter().flat_map(|(_, rotation)| *rotation);
        let rotation = self.file.floats(rotations, places.len(), "VEC4", false);
        let attributes = json!({ "TRANSLATION": translation, "ROTATION": rotation });
        let mesh = self.mesh(shape);
        self.file.uses_instancing = true;
        self.nodes.push(json!({
            "name": shape.name(),
            "mesh": mesh,
            "extras": { "instances": places.len() },
            "extensions": { "EXT_mesh_gpu_instancing": { "attributes": attributes } },
        }));
    }

    fn finish(self) -> Result<Vec<u8>> {
        let mut is_child = vec![false; self.nodes.len()];
        for child in self
            .nodes
            .iter()
            .filter_map(|node| node.get("children")?.as_array())
            .flatten()
            .filter_map(Value::as_u64)
        {
            if let Some(flag) = is_child.get_mut(child as usize) {
                *flag = true;
            }
        }
        let roots: Vec<usize> = (0..self.nodes.len())
            .filter(|&node| is_child.get(node) == Some(&false))
            .collect();
        let animation = (!self.channels.is_empty()).then(
            || json!({ "name": "recording", "channels": self.channels, "samplers": self.samplers }),
        );
        self.file.finish(&self.nodes, &roots, animation)
    }
}

fn is_still(entity: &Entity) -> bool {
    entity.tracks.iter().all(|track| track.times_s.len() <= 1)
        && entity.presence.intervals().len() <= 1
}

fn has_position(entity: &Entity) -> bool {
    let mut columns = entity.tracks.iter().flat_map(|track| &track.columns);
    columns.any(|column| {
        column.name == "position"
            && matches!(&column.values, Values::Position(values) if !values.is_empty())
    })
}

fn is_parent_of_placed(timeline: &Timeline, index: usize) -> bool {
    // Parents come right before their parts in every timeline, so a short look ahead finds them; a save with tens of
    // thousands of entities is not searched whole for each.
    let after = timeline.entities.iter().skip(index + 1).take(64);
    let mut children = after.filter(|entity| entity.parent.is_some_and(|parent| parent.0 == index));
    children.any(has_position)
}
