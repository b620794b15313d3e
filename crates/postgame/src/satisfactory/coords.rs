//! From Unreal's space to the timeline's: centimetres, Z up and left-handed become metres, Y up and right-handed.
//! Y and Z change places, as glTF exporters for Unreal do it.

use crate::timeline::track::unit;

/// Centimetres in a metre.
const CM_PER_M: f64 = 100.0;

/// A position in the timeline's space.
pub fn position([x, y, z]: [f64; 3]) -> [f32; 3] {
    [x, z, y].map(|value| (value / CM_PER_M) as f32)
}

/// A rotation in the timeline's space, scaled to length 1.
pub fn rotation([x, y, z, w]: [f32; 4]) -> [f32; 4] {
    unit([-x, -z, -y, w])
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
        for vector in [[100.0, 0.0, 0.0], [0.0, 100.0, 0.0], [20.0, -300.0, 500.0]] {
            let one = position(turn(quaternion, vector).map(f64::from));
            let other = turn(rotation(quaternion), position(vector.map(f64::from)));
            for (a, b) in one.iter().zip(other) {
                assert!((a - b).abs() < 1e-5, "{one:?} {other:?}");
            }
        }
    }

    #[test]
    fn up_is_up() {
        assert_eq!(position([100.0, 200.0, 300.0]), [1.0, 3.0, 2.0]);
    }
}
