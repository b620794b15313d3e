//! Directional influence: how the stick turns a launch.
//!
//! The part of the stick across the direction of the launch, squared, is the share of the greatest change. The stick of the
//! last frame of hitlag counts. The speeds on record after hitlag agree.

/// The greatest change of the angle.
pub const MAX_CHANGE_DEG: f32 = 18.0;

/// What a launch loses of its speed in a frame, in the game's units.
pub const DECAY_UU: f32 = 0.051;

/// The change of the angle that a stick makes, in degrees, counterclockwise.
pub fn change_deg([x, y]: [f32; 2], [stick_x, stick_y]: [f32; 2]) -> f32 {
    let length = x.hypot(y);
    if length == 0.0 {
        return 0.0;
    }
    let across = (x * stick_y - y * stick_x) / length;
    (MAX_CHANGE_DEG * across * across)
        .min(MAX_CHANGE_DEG)
        .copysign(across)
}

/// A speed turned by an angle.
pub fn turned([x, y]: [f32; 2], change_deg: f32) -> [f32; 2] {
    let (sin, cos) = change_deg.to_radians().sin_cos();
    [x * cos - y * sin, x * sin + y * cos]
}

/// The speed of a launch a frame later.
pub fn slowed([x, y]: [f32; 2]) -> [f32; 2] {
    let length = x.hypot(y);
    if length <= DECAY_UU {
        return [0.0; 2];
    }
    let rest = (length - DECAY_UU) / length;
    [x * rest, y * rest]
}

/// The direction of a speed in degrees, from -180 to 180.
pub fn angle_deg([x, y]: [f32; 2]) -> f32 {
    y.atan2(x).to_degrees()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stick_across_turns_by_all_of_it() {
        assert_eq!(change_deg([2.0, 0.0], [0.0, 1.0]), 18.0);
        assert_eq!(change_deg([2.0, 0.0], [0.0, -1.0]), -18.0);
        assert_eq!(change_deg([2.0, 0.0], [1.0, 0.0]), 0.0);
        assert_eq!(change_deg([2.0, 0.0], [0.0, 0.5]), 4.5);
        let [x, y] = turned([1.0, 0.0], 90.0);
        assert!(x.abs() < 1e-6 && (y - 1.0).abs() < 1e-6);
        assert_eq!(slowed([0.051, 0.0]), [0.0, 0.0]);
    }
}
