//! The shape of each entity, chosen by its kind and class from the games' tables (`data/*/shapes.tsv`).

use std::collections::BTreeMap;

use super::meshes::{self, Mesh};
use super::tables::{BODIES, SHAPES};
use crate::timeline::{Entity, Sample, Timeline};

/// The form of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// A box.
    Box,
    /// A sphere or ellipsoid.
    Ball,
    /// A cylinder along Y.
    Disc,
    /// A cylinder along Y with round ends.
    Capsule,
}

/// A row of the table of shapes.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The kind of entity.
    pub kind: &'static str,
    /// Its class; `*` matches any letters.
    pub class: &'static str,
    /// The form.
    pub form: Form,
    /// Extent along X, Y and Z.
    pub size_m: [f32; 3],
    /// Its centre, relative to the entity's position.
    pub centre_m: [f32; 3],
}

/// The shape of an entity. In millimetres, because integers can be compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    form: Form,
    size_mm: [u32; 3],
    centre_mm: [i32; 3],
    name: String,
    /// A stone colour, independent of the name.
    is_stone: bool,
}

impl Shape {
    /// A piece of a body, from its start along Y to its end.
    pub(super) fn limb(name: &str, size_m: [f32; 3]) -> Self {
        let centre_m = [0.0, size_m[1] / 2.0, 0.0];
        Self::made(Form::Capsule, name, size_m, centre_m)
    }

    /// A floor.
    pub(super) fn floor(size_m: [f32; 3]) -> Self {
        Self::made(Form::Disc, "floor", size_m, [0.0; 3])
    }

    fn made(form: Form, name: &str, size_m: [f32; 3], centre_m: [f32; 3]) -> Self {
        Self {
            form,
            size_mm: size_m.map(|size| (size * 1000.0).round().clamp(1.0, 1e9) as u32),
            centre_mm: centre_m.map(|at| (at * 1000.0).round() as i32),
            name: name.to_owned(),
            is_stone: false,
        }
    }

    fn new(kind: &str, class: &str) -> Self {
        let row = SHAPES
            .iter()
            .find(|row| row.kind == kind && fits(row.class, class));
        let (form, size_m, centre_m) = row.map_or((Form::Box, [1.0; 3], [0.0; 3]), |row| {
            (row.form, row.size_m, row.centre_m)
        });
        let name = if class.is_empty() { kind } else { class };
        Self {
            is_stone: matches!(kind, "structure" | "pedestal"),
            ..Self::made(form, name, size_m, centre_m)
        }
    }

    /// The name of the shape.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A linear RGB colour derived from a name: the same name always gives the same colour.
    pub fn colour(&self) -> [f32; 3] {
        let hash = self.name.bytes().fold(0x811c_9dc5_u32, |hash, byte| {
            (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
        });
        if self.is_stone {
            // From light to dark sandstone.
            let bright = 0.7 + 0.6 * f32::from(hash as u8) / 255.0;
            return [0.40, 0.33, 0.24].map(|part| part * bright);
        }
        let part = |shift: u32| 0.15 + 0.6 * f32::from((hash >> shift) as u8) / 255.0;
        [part(0), part(8), part(16)]
    }

    /// Its vertices and triangles.
    pub fn mesh(&self) -> Mesh {
        let half_m = self.size_mm.map(|size| size as f32 / 2000.0);
        let mut mesh = match self.form {
            Form::Box => meshes::cuboid(half_m),
            Form::Ball => meshes::ball(half_m),
            Form::Disc => meshes::disc(half_m),
            Form::Capsule => meshes::capsule(half_m),
        };
        let centre_m = self.centre_mm.map(|at| at as f32 / 1000.0);
        for position in &mut mesh.positions {
            for (value, at) in position.iter_mut().zip(centre_m) {
                *value += at;
            }
        }
        mesh
    }
}

/// The shape of every entity of a timeline. A factory has tens of thousands of entities of a few hundred classes.
pub fn of_all(timeline: &Timeline) -> Vec<Shape> {
    let mut known: BTreeMap<(&str, String), Shape> = BTreeMap::new();
    let shape = |entity: &Entity| {
        let key = (entity.kind, class(timeline, entity));
        let new = || Shape::new(key.0, &key.1);
        known.entry(key.clone()).or_insert_with(new).clone()
    };
    timeline.entities.iter().map(shape).collect()
}

/// The class used to look up an entity's shape: its class, the hitbox of its player's car, or its name without its
/// number.
fn class(timeline: &Timeline, entity: &Entity) -> String {
    if let Some(Sample::Name(class)) = first(entity, "class") {
        return class.to_owned();
    }
    match entity.kind {
        "car" => {
            let player = entity.parent.and_then(|parent| timeline.entity(parent));
            let family = match player.and_then(|player| first(player, "body_id")) {
                Some(Sample::Scalar(id)) => family(id as u32),
                _ => None,
            };
            family.unwrap_or_default().to_owned()
        }
        "structure" => {
            let is_number = |letter: char| letter.is_ascii_digit() || letter == ' ';
            entity.name.trim_end_matches(is_number).to_owned()
        }
        _ => String::new(),
    }
}

fn first<'a>(entity: &'a Entity, name: &str) -> Option<Sample<'a>> {
    let mut columns = entity.tracks.iter().flat_map(|track| &track.columns);
    columns.find(|column| column.name == name)?.values.get(0)
}

/// The hitbox family of a car body, by its product id.
fn family(id: u32) -> Option<&'static str> {
    let index = BODIES.binary_search_by_key(&id, |body| body.0).ok()?;
    BODIES.get(index).map(|body| body.1)
}

/// True if a name matches a pattern; `*` matches any letters.
fn fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name.strip_prefix(start).is_some_and(|name| {
            let mut tails = (0..=name.len()).filter_map(|at| name.get(at..));
            rest.is_empty() || tails.any(|tail| fits(rest, tail))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_letters() {
        for (pattern, name, expected) in [
            ("*", "", true),
            ("Build_*Ramp*8x1*", "Build_InvertedRamp_Asphalt_8x1_C", true),
            ("Build_*Ramp*8x1*", "Build_Ramp_8x2_01_C", false),
            ("*Ball", "CagedBall", true),
            ("*Ball", "Balls", false),
            ("Disc", "Disc", true),
            ("Disc", "Discs", false),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn shapes_have_the_sizes_of_the_tables() {
        let shape = Shape::new("building", "Build_ConstructorMk1_C");
        assert_eq!(shape.size_mm, [8000, 6000, 10_000]);
        assert_eq!(shape.centre_mm, [0, 3000, 0]);
        let lowest = shape
            .mesh()
            .positions
            .iter()
            .map(|position| position[1])
            .fold(f32::MAX, f32::min);
        assert!(lowest.abs() < 1e-6, "it stands on the ground");
        assert_eq!(
            Shape::new("building", "Build_Foundation_8x4_01_C").size_mm,
            [8000, 4000, 8000]
        );
        // The Fennec has the Octane's hitbox, the Batmobile of 2016 that of the Plank.
        assert_eq!(family(4284), Some("Octane"));
        assert_eq!(family(803), Some("Plank"));
        assert_eq!(Shape::new("car", "Plank").size_mm, [1288, 294, 847]);
        assert_eq!(Shape::new("nothing of ours", "").size_mm, [1000; 3]);
    }
}
