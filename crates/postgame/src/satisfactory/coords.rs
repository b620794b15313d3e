//! Converts Unreal's space to the timeline's: centimetres, Z up and left-handed become metres, Y up and right-handed. Y
//! and Z are swapped, as in glTF exporters for Unreal.

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

    #[test]
    fn turning_then_converting_is_converting_then_turning() {
        crate::timeline::track::assert_turning_is_kept(
            |metres| position(metres.map(|value| f64::from(value) * CM_PER_M)),
            rotation,
        );
    }

    #[test]
    fn up_is_up() {
        assert_eq!(position([100.0, 200.0, 300.0]), [1.0, 3.0, 2.0]);
    }
}
