//! From the game's plane to the timeline's space. A unit is a decimetre: the home-run contest measures so
//! (`docs/formats/slippi.md`, Units). X is to the right and Y is up in both; the game's fights have no depth.

/// Metres in a unit of the game.
pub const METRES: f32 = 0.1;

/// Frames a second.
pub const FRAMES_PER_SECOND: f64 = 60.0;

/// A position in the timeline's space.
pub fn position(x: f32, y: f32) -> [f32; 3] {
    [x * METRES, y * METRES, 0.0]
}

/// When a frame is, counted from the recording's first one.
pub fn time_s(frame: i32) -> f64 {
    let first = f64::from(super::model::frames::FIRST_FRAME);
    (f64::from(frame) - first).max(0.0) / FRAMES_PER_SECOND
}

/// A height of Fountain of Dreams's platforms, which the stage scales, in the game's units.
pub fn fod_height(value: f32) -> f32 {
    value * 0.80625
}
