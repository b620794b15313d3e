//! Simple shapes of our own, by kind of entity. Nothing of any game is in them but sizes.

use crate::timeline::{Entity, Sample};

/// What an entity looks like.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    form: Form,
    /// Half the extent along each axis, in millimetres: whole numbers can be compared.
    half_mm: [u32; 3],
    name: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    Box,
    Ball,
    /// A cylinder along Y.
    Disc,
}

/// Corners, their normals, and triangles as indices of corners.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Positions of corners, in metres.
    pub positions: Vec<[f32; 3]>,
    /// Normals of corners.
    pub normals: Vec<[f32; 3]>,
    /// Three corners for each triangle, counter-clockwise from outside.
    pub triangles: Vec<[u16; 3]>,
}

impl Shape {
    /// The shape of an entity: by its own size where it tells one, else by its kind and name.
    pub fn of(entity: &Entity) -> Self {
        let name = entity
            .name
            .trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == ' ');
        let (form, half_m) = match (entity.kind, name) {
            ("ball", _) => (Form::Ball, [0.9275; 3]),
            ("car", _) => (Form::Box, [0.42, 0.18, 0.59]),
            ("boost_pad" | "pad", _) => (Form::Disc, [0.72, 0.1, 0.72]),
            ("head", _) => (Form::Ball, [0.11, 0.13, 0.12]),
            ("left_hand" | "right_hand", _) => (Form::Box, [0.045, 0.03, 0.08]),
            ("rig", _) => (Form::Disc, [0.25, 0.01, 0.25]),
            ("pedestal", _) => (Form::Disc, [0.5, 0.5, 0.5]),
            ("structure", "Disc") => (Form::Disc, [0.35, 0.09, 0.35]),
            ("structure", "Pillar") => (Form::Box, [0.3, 1.0, 0.3]),
            ("structure", "Wall") => (Form::Box, [0.75, 0.85, 0.2]),
            ("structure", "Cube") => (Form::Box, [0.5; 3]),
            ("structure", "LargeRock") => (Form::Ball, [0.9; 3]),
            ("structure", "SmallRock") => (Form::Ball, [0.25; 3]),
            ("structure", _) => (Form::Ball, [0.4; 3]),
            ("character", _) => (Form::Ball, [0.5, 0.9, 0.35]),
            ("item" | "projectile", _) => (Form::Ball, [0.2; 3]),
            ("player", _) => (Form::Box, [0.4, 0.9, 0.4]),
            _ => (Form::Box, [1.0; 3]),
        };
        let half_m = own_size(entity).unwrap_or(half_m);
        Self {
            form,
            half_mm: half_m.map(|half| (half * 1000.0).round().clamp(1.0, 1e9) as u32),
            name: if entity.kind == "structure" {
                name
            } else {
                entity.kind
            }
            .to_owned(),
        }
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A colour that is always the same for the same name, linear red, green, blue.
    pub fn colour(&self) -> [f32; 3] {
        let hash = self.name.bytes().fold(0x811c_9dc5_u32, |hash, byte| {
            (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
        });
        let part = |shift: u32| 0.15 + 0.6 * f32::from((hash >> shift) as u8) / 255.0;
        [part(0), part(8), part(16)]
    }

    /// Its corners and triangles.
    pub fn mesh(&self) -> Mesh {
        let half = self.half_mm.map(|half| half as f32 / 1000.0);
        match self.form {
            Form::Box => cuboid(half),
            Form::Ball => ball(half),
            Form::Disc => disc(half),
        }
    }
}

/// The size an entity tells of itself, halved.
fn own_size(entity: &Entity) -> Option<[f32; 3]> {
    let size = |column: &str| {
        let track = entity
            .tracks
            .iter()
            .find(|track| track.columns.iter().any(|own| own.name == column))?;
        let own = track.columns.iter().find(|own| own.name == column)?;
        match own.values.get(0)? {
            Sample::Scalar(size) if size.is_finite() && size > 0.0 => Some(size / 2.0),
            _ => None,
        }
    };
    Some([size("size_x_m")?, size("size_y_m")?, size("size_z_m")?])
}

fn cuboid(half: [f32; 3]) -> Mesh {
    let mut mesh = Mesh::default();
    for axis in 0..3 {
        for sign in [-1.0_f32, 1.0] {
            let first = mesh.positions.len() as u16;
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            for (a, b) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                let mut position = [0.0; 3];
                position[axis] = sign * half[axis];
                // Turned about for the far side, so that both are counter-clockwise from outside.
                position[u] = sign * a * half[u];
                position[v] = b * half[v];
                let mut normal = [0.0; 3];
                normal[axis] = sign;
                mesh.positions.push(position);
                mesh.normals.push(normal);
            }
            mesh.triangles.push([first, first + 1, first + 2]);
            mesh.triangles.push([first, first + 2, first + 3]);
        }
    }
    mesh
}

/// How many sides a round thing has.
const SIDES: u16 = 24;

fn around(side: u16) -> (f32, f32) {
    let angle = f32::from(side) / f32::from(SIDES) * std::f32::consts::TAU;
    (angle.cos(), angle.sin())
}

fn ball(half: [f32; 3]) -> Mesh {
    const RINGS: u16 = 12;
    let mut mesh = Mesh::default();
    for ring in 0..=RINGS {
        let slope = f32::from(ring) / f32::from(RINGS) * std::f32::consts::PI;
        for side in 0..=SIDES {
            let (cos, sin) = around(side);
            let unit = [slope.sin() * cos, slope.cos(), slope.sin() * sin];
            mesh.positions
                .push(std::array::from_fn(|axis| unit[axis] * half[axis]));
            let normal: [f32; 3] = std::array::from_fn(|axis| unit[axis] / half[axis]);
            let length = normal.iter().map(|part| part * part).sum::<f32>().sqrt();
            mesh.normals.push(normal.map(|part| part / length));
        }
    }
    for ring in 0..RINGS {
        for side in 0..SIDES {
            let (a, b) = (ring * (SIDES + 1) + side, (ring + 1) * (SIDES + 1) + side);
            // At the poles one of the two has no area.
            if ring > 0 {
                mesh.triangles.push([a, a + 1, b]);
            }
            if ring + 1 < RINGS {
                mesh.triangles.push([a + 1, b + 1, b]);
            }
        }
    }
    mesh
}

fn disc(half: [f32; 3]) -> Mesh {
    let mut mesh = Mesh::default();
    for side in 0..=SIDES {
        let (cos, sin) = around(side);
        for y in [-half[1], half[1]] {
            mesh.positions.push([cos * half[0], y, sin * half[2]]);
            mesh.normals.push([cos, 0.0, sin]);
        }
    }
    for side in 0..SIDES {
        let first = side * 2;
        mesh.triangles.push([first, first + 1, first + 2]);
        mesh.triangles.push([first + 1, first + 3, first + 2]);
    }
    for sign in [-1.0_f32, 1.0] {
        let centre = mesh.positions.len() as u16;
        mesh.positions.push([0.0, sign * half[1], 0.0]);
        mesh.normals.push([0.0, sign, 0.0]);
        for side in 0..=SIDES {
            let (cos, sin) = around(side);
            mesh.positions
                .push([cos * half[0], sign * half[1], sin * half[2]]);
            mesh.normals.push([0.0, sign, 0.0]);
        }
        for side in 0..SIDES {
            let (a, b) = (centre + 1 + side, centre + 2 + side);
            mesh.triangles.push(if sign > 0.0 {
                [centre, b, a]
            } else {
                [centre, a, b]
            });
        }
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The volume a closed surface encloses; positive when its triangles face outwards.
    fn volume(mesh: &Mesh) -> f32 {
        let corner = |index: u16| mesh.positions[usize::from(index)];
        let of = |[a, b, c]: &[u16; 3]| {
            let (a, b, c) = (corner(*a), corner(*b), corner(*c));
            a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
                + a[2] * (b[0] * c[1] - b[1] * c[0])
        };
        mesh.triangles.iter().map(of).sum::<f32>() / 6.0
    }

    #[test]
    fn shapes_are_closed_and_face_outwards() {
        let half = [0.5, 1.0, 2.0];
        let pi = std::f32::consts::PI;
        for (mesh, expected) in [
            (cuboid(half), 8.0),
            (ball(half), 4.0 / 3.0 * pi),
            (disc(half), 2.0 * pi),
        ] {
            let volume = volume(&mesh);
            assert!(
                (volume / expected - 1.0).abs() < 0.03,
                "{volume} {expected}"
            );
            for normal in &mesh.normals {
                let length: f32 = normal.iter().map(|part| part * part).sum();
                assert!((length - 1.0).abs() < 1e-5);
            }
        }
    }
}
