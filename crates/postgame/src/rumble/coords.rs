//! From Unity's space to the timeline's: both have metres and Y up, but Unity is left-handed. X is mirrored, as glTF
//! exporters for Unity do.

use crate::timeline::track::unit;

/// A position in the timeline's space.
pub fn position([x, y, z]: [f32; 3]) -> [f32; 3] {
    [-x, y, z]
}

/// A rotation in the timeline's space, scaled to length 1.
pub fn rotation([x, y, z, w]: [f32; 4]) -> [f32; 4] {
    unit([x, -y, -z, w])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Turns a vector by a quaternion; the formula is the same in both spaces.
    fn turn([x, y, z, w]: [f32; 4], v: [f32; 3]) -> [f32; 3] {
        let cross = |a: [f32; 3], b: [f32; 3]| {
            [
                a[1] * b[2] - a[2] * b[1],
                a[2] * b[0] - a[0] * b[2],
                a[0] * b[1] - a[1] * b[0],
            ]
        };
        let axis = [x, y, z];
        let once = cross(axis, v);
        let twice = cross(axis, once);
        std::array::from_fn(|index| v[index] + 2.0 * (w * once[index] + twice[index]))
    }

    #[test]
    fn turning_then_converting_is_converting_then_turning() {
        let quaternion = unit([0.3, -0.5, 0.2, 0.8]);
        for vector in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.2, -3.0, 5.0]] {
            let one = position(turn(quaternion, vector));
            let other = turn(rotation(quaternion), position(vector));
            for (a, b) in one.iter().zip(other) {
                assert!((a - b).abs() < 1e-5, "{one:?} {other:?}");
            }
        }
    }
}
