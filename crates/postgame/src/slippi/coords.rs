//! Converts the game's plane to the timeline's space. A unit is a decimetre, as the home-run contest measures
//! (`docs/formats/slippi.md`, Units). X points right and Y up in both; fights have no depth. The camera looks along -Z,
//! so X, Y and Z are already right-handed.

/// Metres in a unit of the game.
pub const METRES: f32 = 0.1;

/// Frames per second.
pub const FRAMES_PER_SECOND: f64 = 60.0;

/// A position in the timeline's space.
pub fn position(x: f32, y: f32) -> [f32; 3] {
    [x * METRES, y * METRES, 0.0]
}

const HALF: f32 = std::f32::consts::FRAC_1_SQRT_2;

/// The rotation of a character that faces left (-1) or right (1); without a direction it faces the camera.
pub fn rotation(facing: f32) -> [f32; 4] {
    if facing > 0.0 {
        [0.0, HALF, 0.0, HALF]
    } else if facing < 0.0 {
        [0.0, -HALF, 0.0, HALF]
    } else {
        [0.0, 0.0, 0.0, 1.0]
    }
}

/// The time of a frame, counted from the recording's first frame.
pub fn time_s(frame: i32) -> f64 {
    let first = f64::from(crate::slippi::codec::model::frames::FIRST_FRAME);
    (f64::from(frame) - first).max(0.0) / FRAMES_PER_SECOND
}

/// A height of Fountain of Dreams's platforms, which the stage scales and raises, in the game's units: players who stand
/// on them are there within 0.0005 units.
pub fn fod_height(value: f32) -> f32 {
    value * 0.75 + 1.125
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facing_turns_forward_to_the_side() {
        // A direction along Z (towards the camera) becomes X for a character that faces right: rotate (0, 0, 1).
        let turned = |[x, y, z, w]: [f32; 4]| {
            [
                2.0 * (x * z + w * y),
                2.0 * (y * z - w * x),
                1.0 - 2.0 * (x * x + y * y),
            ]
        };
        let near = |a: [f32; 3], b: [f32; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6);
        assert!(near(turned(rotation(1.0)), [1.0, 0.0, 0.0]));
        assert!(near(turned(rotation(-1.0)), [-1.0, 0.0, 0.0]));
        assert!(near(turned(rotation(0.0)), [0.0, 0.0, 1.0]));
    }
}
