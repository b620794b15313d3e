//! The parts of a glTF file: accessors over one buffer, meshes, and the binary container.

use serde_json::{Value, json};

use super::meshes::Mesh;
use super::shapes::Shape;
use crate::error::{Error, Result};

const FLOAT: u32 = 5126;
const UNSIGNED_SHORT: u32 = 5123;

/// A glTF file under construction.
#[derive(Debug, Default)]
pub struct Builder {
    data: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    cameras: Vec<Value>,
    /// True when a node has instances.
    pub uses_instancing: bool,
}

impl Builder {
    fn view<const N: usize>(&mut self, values: impl Iterator<Item = [u8; N]>) -> usize {
        self.data.resize(self.data.len().next_multiple_of(4), 0);
        let start = self.data.len();
        self.data.extend(values.flatten());
        let length = self.data.len() - start;
        self.views
            .push(json!({ "buffer": 0, "byteOffset": start, "byteLength": length }));
        self.views.len() - 1
    }

    fn accessor(&mut self, value: Value) -> usize {
        self.accessors.push(value);
        self.accessors.len() - 1
    }

    /// Floats, `count` times as many as one value has; with bounds if the format requires them.
    pub fn floats(
        &mut self,
        values: impl Iterator<Item = f32>,
        count: usize,
        kind: &str,
        has_bounds: bool,
    ) -> usize {
        let values: Vec<f32> = values.collect();
        let view = self.view(values.iter().map(|value| value.to_le_bytes()));
        let mut accessor =
            json!({ "bufferView": view, "componentType": FLOAT, "count": count, "type": kind });
        if has_bounds && count > 0 {
            let width = values.len() / count;
            let bound = |pick: fn(f32, f32) -> f32, start: f32| -> Vec<f32> {
                let axis = |axis| {
                    values
                        .iter()
                        .skip(axis)
                        .step_by(width)
                        .copied()
                        .fold(start, pick)
                };
                (0..width).map(axis).collect()
            };
            accessor["min"] = json!(bound(f32::min, f32::INFINITY));
            accessor["max"] = json!(bound(f32::max, f32::NEG_INFINITY));
        }
        self.accessor(accessor)
    }

    /// Key times.
    pub fn times(&mut self, times_s: impl Iterator<Item = f32>) -> usize {
        let times_s: Vec<f32> = times_s.collect();
        let count = times_s.len();
        self.floats(times_s.into_iter(), count, "SCALAR", true)
    }

    /// A camera.
    pub fn camera(&mut self, camera: Value) -> usize {
        self.cameras.push(camera);
        self.cameras.len() - 1
    }

    /// A plain material with a linear RGB colour.
    pub fn material(&mut self, name: &str, [red, green, blue]: [f32; 3]) -> usize {
        self.materials.push(json!({
            "name": name,
            "pbrMetallicRoughness": {
                "baseColorFactor": [red, green, blue, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.7,
            },
        }));
        self.materials.len() - 1
    }

    /// A shape with a material, or with its own colour.
    pub fn mesh(&mut self, shape: &Shape, material: Option<usize>) -> usize {
        let Mesh {
            positions,
            normals,
            triangles,
        } = shape.mesh();
        let count = positions.len();
        let position = self.floats(positions.into_iter().flatten(), count, "VEC3", true);
        let normal = self.floats(normals.into_iter().flatten(), count, "VEC3", false);
        let corners = triangles.len() * 3;
        let view = self.view(triangles.into_iter().flatten().map(u16::to_le_bytes));
        let indices = self.accessor(json!({
            "bufferView": view, "componentType": UNSIGNED_SHORT, "count": corners, "type": "SCALAR",
        }));
        let material = material.unwrap_or_else(|| self.material(shape.name(), shape.colour()));
        self.meshes.push(json!({
            "name": shape.name(),
            "primitives": [{
                "attributes": { "POSITION": position, "NORMAL": normal },
                "indices": indices,
                "material": material,
            }],
        }));
        self.meshes.len() - 1
    }

    /// The binary container: a header, the JSON, the buffer.
    ///
    /// # Errors
    /// When its size would not fit into 32 bits.
    pub fn finish(
        self,
        nodes: &[Value],
        roots: &[usize],
        animation: Option<Value>,
    ) -> Result<Vec<u8>> {
        let Self {
            mut data,
            views,
            accessors,
            meshes,
            materials,
            cameras,
            uses_instancing,
        } = self;
        data.resize(data.len().next_multiple_of(4), 0);
        let scene = if roots.is_empty() {
            json!({})
        } else {
            json!({ "nodes": roots })
        };
        let mut gltf = json!({
            "asset": { "version": "2.0", "generator": concat!("Postgame ", env!("CARGO_PKG_VERSION")) },
            "scene": 0,
            "scenes": [scene],
        });
        // glTF allows no empty lists.
        let lists = [
            ("nodes", nodes.to_vec()),
            ("meshes", meshes),
            ("materials", materials),
            ("cameras", cameras),
            ("accessors", accessors),
            ("bufferViews", views),
            ("animations", animation.into_iter().collect()),
        ];
        for (name, list) in lists {
            if !list.is_empty() {
                gltf[name] = Value::Array(list);
            }
        }
        if !data.is_empty() {
            gltf["buffers"] = json!([{ "byteLength": data.len() }]);
        }
        if uses_instancing {
            gltf["extensionsUsed"] = json!(["EXT_mesh_gpu_instancing"]);
        }
        let mut text = gltf.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut chunks = vec![(*b"JSON", text)];
        if !data.is_empty() {
            chunks.push((*b"BIN\0", data));
        }
        let total = 12
            + chunks
                .iter()
                .map(|(_, chunk)| 8 + chunk.len())
                .sum::<usize>();
        let size = |length: usize| {
            u32::try_from(length)
                .map_err(|_| Error::too_large("a glTF file", length as u64, u32::MAX.into()))
        };
        let mut file = Vec::with_capacity(total);
        file.extend_from_slice(b"glTF");
        file.extend_from_slice(&2_u32.to_le_bytes());
        file.extend_from_slice(&size(total)?.to_le_bytes());
        for (name, chunk) in chunks {
            file.extend_from_slice(&size(chunk.len())?.to_le_bytes());
            file.extend_from_slice(&name);
            file.extend_from_slice(&chunk);
        }
        Ok(file)
    }
}
