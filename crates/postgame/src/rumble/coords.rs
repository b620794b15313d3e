//! Converts Unity's space to the timeline's. Both use metres with Y up, but Unity is left-handed, so X is mirrored, as
//! glTF exporters for Unity do.

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

    #[test]
    fn turning_then_converting_is_converting_then_turning() {
        crate::timeline::track::assert_turning_is_kept(position, rotation);
    }
}
