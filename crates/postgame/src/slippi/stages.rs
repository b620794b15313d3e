//! Stages: their limits, and their moving parts.

use super::names::Bounds;
use super::tables;

/// A straight part of the path of Yoshi's Story's cloud.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RandallLeg {
    /// Its first frame, modulo the period.
    pub first: i32,
    /// Its last frame.
    pub last: i32,
    /// The height at its first frame.
    pub y_uu: f32,
    /// The change per frame.
    pub y_step_uu: f32,
    /// The left end at its first frame.
    pub left_uu: f32,
    /// The change per frame.
    pub left_step_uu: f32,
}

/// Ids of stages with moving parts.
pub mod id {
    /// Fountain of Dreams.
    pub const FOUNTAIN: u16 = 2;
    /// Pokémon Stadium.
    pub const STADIUM: u16 = 3;
    /// Yoshi's Story.
    pub const YOSHIS_STORY: u16 = 8;
    /// Dream Land.
    pub const DREAM_LAND: u16 = 28;
}

/// Width of Yoshi's Story's cloud.
pub const RANDALL_WIDTH_UU: f32 = 11.9;

/// The period of the cloud, in frames.
pub const RANDALL_PERIOD: i32 = 1200;

/// Height and left end of Yoshi's Story's cloud.
pub fn randall(frame: i32) -> Option<(f32, f32)> {
    let frame = frame.rem_euclid(RANDALL_PERIOD);
    let after = tables::RANDALL.partition_point(|leg| leg.first <= frame);
    let leg = tables::RANDALL.get(after.checked_sub(1)?)?;
    let step = (frame - leg.first) as f32;
    Some((
        leg.y_uu + leg.y_step_uu * step,
        leg.left_uu + leg.left_step_uu * step,
    ))
}

/// The limits of a stage; known for tournament stages.
pub fn bounds(stage: u16) -> Option<&'static Bounds> {
    tables::BOUNDS.iter().find(|bounds| bounds.stage == stage)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_legs_are_sorted() {
        assert!(tables::RANDALL.is_sorted_by(|a, b| a.last < b.first));
    }

    #[test]
    fn the_cloud_moves_without_jumps() {
        for frame in 0..RANDALL_PERIOD {
            let (y, left) = randall(frame).unwrap();
            let (next_y, next_left) = randall(frame + 1).unwrap();
            let step = (next_y - y).hypot(next_left - left);
            assert!(step < 0.75, "frame {frame}: {step}");
        }
    }
}
