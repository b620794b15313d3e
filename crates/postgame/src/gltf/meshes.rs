//! Simple solids (boxes, spheres, cylinders and capsules), given by half their extent along each axis.

/// Vertices, their normals, and triangles as vertex indices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Positions of the vertices, in metres.
    pub positions: Vec<[f32; 3]>,
    /// Normals of the vertices.
    pub normals: Vec<[f32; 3]>,
    /// Three vertices for each triangle, counter-clockwise from outside.
    pub triangles: Vec<[u16; 3]>,
}

/// A box.
pub fn cuboid(half: [f32; 3]) -> Mesh {
    let mut mesh = Mesh::default();
    for axis in 0..3 {
        for sign in [-1.0_f32, 1.0] {
            let first = mesh.positions.len() as u16;
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            for (a, b) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                let mut position = [0.0; 3];
                position[axis] = sign * half[axis];
                // Reversed for the far side, so that both are counter-clockwise from outside.
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

/// Number of sides that approximate a circle.
const SIDES: u16 = 24;

fn around(side: u16) -> (f32, f32) {
    let angle = f32::from(side) / f32::from(SIDES) * std::f32::consts::TAU;
    (angle.cos(), angle.sin())
}

/// A sphere or ellipsoid.
pub fn ball(half: [f32; 3]) -> Mesh {
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
            // At the poles one of the two triangles is degenerate.
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

/// A cylinder along Y.
pub fn disc(half: [f32; 3]) -> Mesh {
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

/// A cylinder along Y with round ends; `half[1]` is half the distance between the centres of the ends.
pub fn capsule(half: [f32; 3]) -> Mesh {
    const RINGS: u16 = 6;
    let mut mesh = Mesh::default();
    // The length of an end: equal to its thickness.
    let bulge = half[0].min(half[2]);
    for (end, first) in [(-1.0_f32, 0), (1.0, RINGS)] {
        for ring in first..=first + RINGS {
            let slope = (f32::from(ring) / f32::from(RINGS) - 1.0) * std::f32::consts::FRAC_PI_2;
            for side in 0..=SIDES {
                let (cos, sin) = around(side);
                let unit = [slope.cos() * cos, slope.sin(), slope.cos() * sin];
                mesh.positions.push([
                    unit[0] * half[0],
                    end * half[1] + unit[1] * bulge,
                    unit[2] * half[2],
                ]);
                let normal = [unit[0] / half[0], unit[1] / bulge, unit[2] / half[2]];
                let length = normal.iter().map(|part| part * part).sum::<f32>().sqrt();
                mesh.normals.push(normal.map(|part| part / length));
            }
        }
    }
    let rows = 2 * (RINGS + 1);
    for row in 0..rows - 1 {
        for side in 0..SIDES {
            let (a, b) = (row * (SIDES + 1) + side, (row + 1) * (SIDES + 1) + side);
            // At the poles one of the two triangles is degenerate.
            if row > 0 {
                mesh.triangles.push([a, b, a + 1]);
            }
            if row + 2 < rows {
                mesh.triangles.push([a + 1, b, b + 1]);
            }
        }
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The volume enclosed by a closed surface; positive if its triangles face outwards.
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
            // A cylinder with two hemispheres, flattened to the depth of the capsule.
            (capsule(half), 2.0 * pi + 4.0 / 3.0 * pi * 0.5 * 0.5 * 2.0),
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
