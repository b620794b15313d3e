//! Vector and rotation functions for bodies and cameras.

pub(super) use crate::vectors::{Vector, add, cross, dot, length, scale, sub as subtract};

/// Straight up.
pub(super) const UP: Vector = [0.0, 1.0, 0.0];

/// The vector of length 1 in the same direction; `None` if it is too short to have one.
pub(super) fn unit(a: Vector) -> Option<Vector> {
    let length = length(a);
    (length.is_finite() && length > 1e-5).then(|| scale(a, 1.0 / length))
}

/// A vector rotated by a quaternion, x y z w.
pub(super) fn turn([x, y, z, w]: [f32; 4], v: Vector) -> Vector {
    let axis = [x, y, z];
    let twice = scale(cross(axis, v), 2.0);
    add(add(v, scale(twice, w)), cross(axis, twice))
}

/// The rotation that maps the axes X, Y and Z to three orthogonal directions.
pub(super) fn from_axes(x: Vector, y: Vector, z: Vector) -> [f32; 4] {
    let trace = x[0] + y[1] + z[2];
    let raw = if trace > 0.0 {
        [y[2] - z[1], z[0] - x[2], x[1] - y[0], 1.0 + trace]
    } else if x[0] > y[1] && x[0] > z[2] {
        [
            1.0 + x[0] - y[1] - z[2],
            x[1] + y[0],
            z[0] + x[2],
            y[2] - z[1],
        ]
    } else if y[1] > z[2] {
        [
            x[1] + y[0],
            1.0 + y[1] - x[0] - z[2],
            y[2] + z[1],
            z[0] - x[2],
        ]
    } else {
        [
            z[0] + x[2],
            y[2] + z[1],
            1.0 + z[2] - x[0] - y[1],
            x[1] - y[0],
        ]
    };
    crate::timeline::track::unit(raw)
}

/// The rotation that maps Y to a direction and keeps Z as close as possible to another direction.
pub(super) fn along(y: Vector, z_hint: Vector) -> [f32; 4] {
    let Some(y) = unit(y) else {
        return [0.0, 0.0, 0.0, 1.0];
    };
    let hints = [z_hint, [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]];
    let mut sides = hints.into_iter().filter_map(|hint| unit(cross(y, hint)));
    let Some(x) = sides.next() else {
        return [0.0, 0.0, 0.0, 1.0];
    };
    from_axes(x, y, cross(x, y))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_near(a: Vector, b: Vector) {
        assert!(length(subtract(a, b)) < 1e-5, "{a:?} is not {b:?}");
    }

    #[test]
    fn axes_go_where_they_are_told() {
        let directions = [
            [0.0, 1.0, 0.0],
            [0.0, -1.0, 0.0],
            [0.6, 0.0, -0.8],
            [-0.3, -0.5, 0.2],
            [0.0, 0.0, -1.0],
            [-1.0, 0.0, 0.0],
        ];
        for direction in directions {
            let rotation = along(direction, [0.1, 0.2, 1.0]);
            assert_near(turn(rotation, UP), unit(direction).unwrap());
        }
        let rotation = along(UP, [1.0, 0.0, 0.0]);
        assert_near(turn(rotation, [0.0, 0.0, 1.0]), [1.0, 0.0, 0.0]);
        assert_near(turn(rotation, [1.0, 0.0, 0.0]), [0.0, 0.0, -1.0]);
    }
}
