//! A timeline as a glTF 2.0 file (`.glb`): named, animated nodes for Blender and every other 3D tool.
//!
//! glTF uses the timeline's units and axes: metres, seconds, right-handed, Y up, quaternions x y z w. Every entity with
//! a position becomes a node with its name and a simple shape of ours; one animation, as long as the recording, moves
//! all of them. Key frames are reduced within a tolerance. An absent entity has scale 0. Hundreds of entities that
//! never move become one node with many instances (`EXT_mesh_gpu_instancing`).
//!
//! Persons whose head and hands are recorded get a body, a material of their own, a floor to stand on and a camera.
//!
//! - `clip`: a part of a timeline
//! - `figure`, `stage`: bodies; floor and camera
//! - [`keys`]: key frames from tracks, reduced
//! - [`shapes`]: the shape of each entity; `tables` is generated from the games' data
//! - [`meshes`]: boxes, spheres, cylinders and capsules
//! - [`file`](mod@file): accessors, buffers, the binary container

mod clip;
mod figure;
pub mod file;
pub mod keys;
pub mod meshes;
pub mod shapes;
mod stage;
mod tables;
mod vectors;

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::error::Result;
use crate::timeline::{Entity, EntityId, Hold, Timeline, Track, Values};
use figure::{Figure, Limb};
use file::Builder;
use keys::{Keys, Tolerance};
use shapes::Shape;
use stage::Stage;

/// If more entities of one class than this never move, they become instances of one node.
const MAX_SINGLE_NODES: usize = 20;

/// Options of the export.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// How far a key frame may deviate from the timeline to be dropped.
    pub tolerance: Tolerance,
    /// Start, in the timeline's seconds; by default the start of the timeline.
    pub from_s: Option<f64>,
    /// End, in the timeline's seconds; by default the end of the timeline.
    pub to_s: Option<f64>,
}

/// Colours of persons in the order of their numbers, linear RGB, easy to tell apart.
const COLOURS: [[f32; 3]; 6] = [
    [0.78, 0.16, 0.04],
    [0.03, 0.20, 0.72],
    [0.06, 0.45, 0.12],
    [0.40, 0.10, 0.60],
    [0.75, 0.50, 0.03],
    [0.02, 0.45, 0.50],
];

/// The colours of the floor and of visors, linear RGB.
const FLOOR: [f32; 3] = [0.16, 0.17, 0.19];
const DARK: [f32; 3] = [0.015, 0.015, 0.02];

/// Writes a timeline as a binary glTF file.
///
/// # Errors
/// When the file would exceed glTF's limit of 4 GB.
pub fn write(timeline: &Timeline, options: &Options) -> Result<Vec<u8>> {
    let Options {
        tolerance,
        from_s,
        to_s,
    } = *options;
    let clipped = (from_s.is_some() || to_s.is_some()).then(|| clip::clip(timeline, from_s, to_s));
    let timeline = clipped.as_ref().unwrap_or(timeline);
    let mut scene = Scene {
        timeline,
        tolerance,
        file: Builder::default(),
        nodes: Vec::new(),
        meshes: BTreeMap::new(),
        channels: Vec::new(),
        samplers: Vec::new(),
        inputs: BTreeMap::new(),
        materials: BTreeMap::new(),
        dark: None,
    };
    let figures = figure::figures(timeline);
    for (number, figure) in figures.iter().enumerate() {
        scene.add_material(number, figure);
    }
    let node_of = scene.add_entities();
    for figure in &figures {
        scene.add_body(figure, &node_of);
    }
    if let Some(stage) = Stage::new(timeline, &figures) {
        scene.add_stage(&stage);
    }
    scene.finish()
}

struct Scene<'a> {
    timeline: &'a Timeline,
    tolerance: Tolerance,
    file: Builder,
    nodes: Vec<Value>,
    meshes: BTreeMap<(Shape, Option<usize>), usize>,
    channels: Vec<Value>,
    samplers: Vec<Value>,
    /// Accessors of key times, by the bits of the times: the parts of one body share them.
    inputs: BTreeMap<Vec<u32>, usize>,
    /// The materials of persons.
    materials: BTreeMap<EntityId, usize>,
    /// The material of visors, once there is one.
    dark: Option<usize>,
}

/// The columns that determine an entity's position.
struct Placing {
    position: Keys<3>,
    rotation: Option<Keys<4>>,
}

impl Scene<'_> {
    /// Adds a node for every entity that has a position, and returns the node of each entity.
    fn add_entities(&mut self) -> Vec<Option<usize>> {
        let timeline = self.timeline;
        let shapes = shapes::of_all(timeline);
        let mut still: BTreeMap<&Shape, Vec<&Entity>> = BTreeMap::new();
        for (entity, shape) in timeline.entities.iter().zip(&shapes) {
            if is_still(entity) && has_position(entity) {
                still.entry(shape).or_default().push(entity);
            }
        }
        still.retain(|_, entities| entities.len() > MAX_SINGLE_NODES);
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
        // Positions are in world space, so only an entity without its own position can be a parent.
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
            if let (parent @ Some(_), Some(child)) = nodes {
                self.adopt(parent, child);
            }
        }
        for (shape, entities) in still {
            self.add_instances(shape, &entities);
        }
        node_of
    }

    fn add_material(&mut self, number: usize, figure: &Figure<'_>) {
        let name = self.timeline.entity(figure.id);
        let name = name.map_or("player", |player| player.name.as_str());
        let colour = COLOURS[number % COLOURS.len()];
        let material = self.file.material(name, colour);
        self.materials.insert(figure.id, material);
    }

    /// Adds the pieces of a body to the player they belong to.
    fn add_body(&mut self, figure: &Figure<'_>, node_of: &[Option<usize>]) {
        let times_s = figure.times_s(self.timeline);
        let material = self.materials.get(&figure.id).copied();
        let dark = *self
            .dark
            .get_or_insert_with(|| self.file.material("visor", DARK));
        let parent = node_of.get(figure.id.0).copied().flatten();
        for limb in figure.limbs(&times_s) {
            let material = if limb.is_dark { Some(dark) } else { material };
            let child = self.add_limb(&limb, &times_s, material);
            self.adopt(parent, child);
        }
    }

    fn add_limb(&mut self, limb: &Limb, times_s: &[f64], material: Option<usize>) -> usize {
        let node = self.nodes.len();
        let track = Track {
            times_s: times_s.to_vec(),
            hold: Hold::Held,
            columns: Vec::new(),
        };
        let (timeline, tolerance) = (self.timeline, self.tolerance);
        let positions = Keys::positions(timeline, &track, &limb.positions, &tolerance);
        let rotations = Keys::rotations(timeline, &track, &limb.rotations, &tolerance);
        let scales = Keys::positions(timeline, &track, &limb.scales, &tolerance);
        let shape = Shape::limb(&limb.name, limb.size_m);
        let mut value = json!({
            "name": limb.name,
            "mesh": self.mesh(&shape, material),
            "extras": { "kind": "limb" },
        });
        let first = |keys: &Option<Keys<3>>| keys.as_ref().and_then(Keys::first);
        if let Some((_, first)) = first(&positions) {
            value["translation"] = json!(first);
        }
        if let Some((_, first)) = rotations.as_ref().and_then(Keys::first) {
            value["rotation"] = json!(first);
        }
        if let Some((_, first)) = first(&scales).filter(|first| first.1 != [1.0; 3]) {
            value["scale"] = json!(first);
        }
        self.nodes.push(value);
        if let Some(positions) = positions {
            self.animate(node, "translation", &positions, "VEC3");
        }
        if let Some(rotations) = rotations {
            self.animate(node, "rotation", &rotations, "VEC4");
        }
        if let Some(scales) = scales {
            self.animate(node, "scale", &scales, "VEC3");
        }
        node
    }

    fn add_stage(&mut self, stage: &Stage) {
        let shape = Shape::floor(stage.floor_size_m());
        let material = self.file.material("floor", FLOOR);
        let mesh = self.mesh(&shape, Some(material));
        self.nodes
            .push(json!({ "name": "floor", "mesh": mesh, "translation": stage.floor_at() }));
        let camera = self.file.camera(Stage::camera());
        let (position, rotation) = stage.camera_at();
        self.nodes.push(json!({
            "name": "camera", "camera": camera, "translation": position, "rotation": rotation,
        }));
    }

    /// Makes a node the child of another.
    fn adopt(&mut self, parent: Option<usize>, child: usize) {
        if let Some(Value::Object(parent)) = parent.and_then(|parent| self.nodes.get_mut(parent))
            && let Value::Array(children) = parent.entry("children").or_insert(json!([]))
        {
            children.push(json!(child));
        }
    }

    fn add_node(&mut self, entity: &Entity, shape: &Shape) -> usize {
        let node = self.nodes.len();
        let mut value = json!({ "name": entity.name, "extras": { "kind": entity.kind } });
        let placing = self.placing(entity);
        if let Some(Placing { position, rotation }) = &placing {
            let material = entity
                .parent
                .and_then(|id| self.materials.get(&id).copied());
            value["mesh"] = json!(self.mesh(shape, material));
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
        // A value that never changes is set on the node itself, because an action with one key moves nothing.
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

    fn mesh(&mut self, shape: &Shape, material: Option<usize>) -> usize {
        let key = (shape.clone(), material);
        if let Some(&mesh) = self.meshes.get(&key) {
            return mesh;
        }
        let mesh = self.file.mesh(shape, material);
        self.meshes.insert(key, mesh);
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
        let mesh = self.mesh(shape, None);
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
    // Parents directly precede their parts in every timeline, so a short look ahead finds them, and a save with tens of
    // thousands of entities is not searched completely for each.
    let after = timeline.entities.iter().skip(index + 1).take(64);
    let mut children = after.filter(|entity| entity.parent.is_some_and(|parent| parent.0 == index));
    children.any(has_position)
}
