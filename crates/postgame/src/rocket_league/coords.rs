//! Converts the game's space to the timeline's. The game uses centimetres and is left-handed. On the field, X points to
//! blue's left, Y towards the orange goal, and Z up; in a body's own frame, X is forward, Y right, and Z up.
//!
//! The timeline's X, Y, Z are the game's X, Z, Y: swapping two axes turns a left-handed space into a right-handed one,
//! and Z becomes the height.

use std::sync::LazyLock;

use crate::rocket_league::codec::model::network::Body;
use crate::rocket_league::codec::model::values::{BodyRotation, RigidBody, Vector};
use crate::rocket_league::codec::model::versions::Versions;
use crate::timeline::track::unit;

/// Metres in one of the game's units.
pub const METRES: f32 = 0.01;

/// The units of a body's integers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scales {
    /// Of a location, in units.
    pub location_uu: f32,
    /// Of a velocity, in units a second.
    pub linear_uu_s: f32,
    /// Of a turn, in radians a second.
    pub angular_rad_s: f32,
}

impl Scales {
    /// The scales of a file.
    pub fn of(versions: &Versions) -> Self {
        if versions.net() >= 5 {
            Self {
                location_uu: 0.01,
                linear_uu_s: 0.01,
                angular_rad_s: 0.0001,
            }
        } else {
            Self {
                location_uu: 1.0,
                linear_uu_s: 0.1,
                angular_rad_s: 0.001,
            }
        }
    }

    /// A body's position, in the game's units.
    pub fn location_uu(&self, body: &RigidBody) -> [f32; 3] {
        scaled(body.location, self.location_uu)
    }

    /// A body's velocity, in the game's units per second; `None` if it sleeps.
    pub fn velocity_uu_s(&self, body: &RigidBody) -> Option<[f32; 3]> {
        body.linear_velocity
            .map(|velocity| scaled(velocity, self.linear_uu_s))
    }

    /// A body's angular velocity, in radians per second; `None` if it sleeps.
    pub fn turn_rad_s(&self, body: &RigidBody) -> Option<[f32; 3]> {
        body.angular_velocity
            .map(|velocity| scaled(velocity, self.angular_rad_s))
    }
}

/// A vector scaled by a unit.
pub fn scaled(vector: Vector, scale: f32) -> [f32; 3] {
    vector.to_array().map(|number| number as f32 * scale)
}

/// A position in the timeline's space, in metres.
pub fn position([x, y, z]: [f32; 3]) -> [f32; 3] {
    [x * METRES, z * METRES, y * METRES]
}

/// A rotation in the timeline's space, from one of length 1.
#[inline]
pub fn unit_rotation([x, y, z, w]: [f32; 4]) -> [f32; 4] {
    [-x, -z, -y, w]
}

/// A rotation in the timeline's space, scaled to length 1 if necessary.
pub fn rotation([x, y, z, w]: [f32; 4]) -> [f32; 4] {
    let turned = unit_rotation([x, y, z, w]);
    let squares = x * x + y * y + z * z + w * w;
    if (squares - 1.0).abs() <= 1e-6 {
        turned
    } else {
        unit(turned)
    }
}

/// Marks a packed rotation as a quaternion.
const IS_QUATERNION: u64 = 1 << 63;

/// A body's rotation as stored, in one number.
#[inline]
pub(super) fn packed_rotation(body: &Body) -> u64 {
    let is_quaternion = body.form & Body::QUATERNION != 0;
    body.rotation_bits() | (u64::from(is_quaternion) * IS_QUATERNION)
}

/// The rotation in the timeline's space, of length 1.
pub fn unpacked_rotation(bits: u64) -> [f32; 4] {
    static HALF_ANGLES: LazyLock<HalfAngles> = LazyLock::new(HalfAngles::new);
    let rotation = BodyRotation::from_bits(bits & !IS_QUATERNION, bits & IS_QUATERNION != 0);
    let (quaternion, is_unit) = match rotation {
        // Products of sines and cosines: their length is 1 up to the last bits.
        BodyRotation::Angles(angles) => (HALF_ANGLES.quaternion(angles), true),
        BodyRotation::Quaternion { .. } => rotation.to_quaternion_told(),
    };
    // Measuring the length would wait for a square root, hundreds of thousands of times.
    match is_unit {
        true => unit_rotation(quaternion),
        false => self::rotation(quaternion),
    }
}

/// An angular velocity in the timeline's space, in radians per second: swapping two axes reverses its sign.
pub fn turn([x, y, z]: [f32; 3]) -> [f32; 3] {
    [-x, -z, -y]
}

/// A position of the timeline in the game's units. Dividing inverts [`position`] exactly; multiplying by 100 gives a
/// different last bit in one of five cases.
pub fn position_uu([x, y, z]: [f32; 3]) -> [f32; 3] {
    [x / METRES, z / METRES, y / METRES]
}

/// A vector rotated by a quaternion; the formula is the same in both spaces.
pub fn turned([x, y, z, w]: [f32; 4], v: [f32; 3]) -> [f32; 3] {
    let cross = |a: [f32; 3], b: [f32; 3]| {
        [
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        ]
    };
    let once = cross([x, y, z], v);
    let twice = cross([x, y, z], once);
    std::array::from_fn(|index| v[index] + 2.0 * (w * once[index] + twice[index]))
}

/// The game's rotation by pitch, yaw and roll in radians, as a quaternion in the game's space.
///
/// Yaw turns X towards Y, pitch turns X towards Z, roll turns Z towards Y, in the order roll, pitch, yaw. Bodies of old
/// files use the opposite sign for pitch (`BodyRotation::to_quaternion`): with it a car's change of orientation agrees
/// with its angular velocity in 99 % of the samples, without it in 73 % (`probe`).
pub fn quaternion_from_angles(angles: [f32; 3]) -> [f32; 4] {
    from_half_angles(angles.map(|angle| (angle * 0.5).sin_cos()))
}

/// The same, from the sines and cosines of half the angles.
fn from_half_angles([(sp, cp), (sy, cy), (sr, cr)]: [(f32, f32); 3]) -> [f32; 4] {
    // Pitch and roll turn against the sense of the axes in a left-handed space.
    [
        cr * sp * sy - sr * cp * cy,
        -cr * sp * cy - sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
        cr * cp * cy + sr * sp * sy,
    ]
}

/// Sines and cosines of half of every angle a body of an old file can have.
///
/// A file has hundreds of thousands of 16-bit angles. Each is the sum of a coarse and a fine angle, and the sines and
/// cosines of sums follow from those of the parts, which takes a quarter of the time.
#[derive(Clone, Debug)]
pub struct HalfAngles {
    coarse: [[f64; 2]; 256],
    fine: [[f64; 2]; 256],
}

impl HalfAngles {
    /// The table.
    pub fn new() -> Self {
        let of = |steps: f64| {
            let (sine, cosine) = (steps / 32767.0 * std::f64::consts::PI / 2.0).sin_cos();
            [sine, cosine]
        };
        Self {
            coarse: std::array::from_fn(|high| of((high * 256) as f64 - 32768.0)),
            fine: std::array::from_fn(|low| of(low as f64)),
        }
    }

    fn half(&self, angle: u16) -> (f32, f32) {
        let [high, low] = angle.to_be_bytes();
        let [s, c] = self.coarse[usize::from(high)];
        let [fs, fc] = self.fine[usize::from(low)];
        ((s * fc + c * fs) as f32, (c * fc - s * fs) as f32)
    }

    /// The same result as `BodyRotation::to_quaternion` for pitch, yaw and roll.
    pub fn quaternion(&self, angles: [u16; 3]) -> [f32; 4] {
        let [(sine, cosine), yaw, roll] = angles.map(|angle| self.half(angle));
        // Bodies use the opposite sign for pitch.
        from_half_angles([(-sine, cosine), yaw, roll])
    }
}

impl Default for HalfAngles {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_gives_what_calculating_gives() {
        use crate::rocket_league::codec::model::values::BodyRotation;
        let table = HalfAngles::new();
        for step in 0..4000_u32 {
            let angles = [step * 7919, step * 104_729 + 1, step * 31 + 65_000];
            let angles = angles.map(|angle| angle as u16);
            let calculated = BodyRotation::Angles(angles).to_quaternion();
            for (a, b) in table.quaternion(angles).into_iter().zip(calculated) {
                assert!((a - b).abs() < 1e-6, "{angles:?}");
            }
        }
    }

    fn assert_close(one: [f32; 3], other: [f32; 3]) {
        for (a, b) in one.iter().zip(other) {
            assert!((a - b).abs() < 1e-5, "{one:?} {other:?}");
        }
    }

    #[test]
    fn turning_then_converting_is_converting_then_turning() {
        let quaternion = unit([0.3, -0.5, 0.2, 0.8]);
        for vector in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.2, -3.0, 5.0]] {
            let one = position(turned(quaternion, vector));
            let other = turned(rotation(quaternion), position(vector));
            assert_close(one, other);
        }
    }

    #[test]
    fn angles_turn_the_way_the_game_turns() {
        let quarter = std::f32::consts::FRAC_PI_2;
        let [x, y, z] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        assert_close(turned(quaternion_from_angles([0.0, quarter, 0.0]), x), y);
        assert_close(turned(quaternion_from_angles([quarter, 0.0, 0.0]), x), z);
        assert_close(
            turned(quaternion_from_angles([0.0, 0.0, quarter]), y),
            z.map(|v| -v),
        );
        // First pitch, then yaw.
        assert_close(
            turned(quaternion_from_angles([quarter, quarter, 0.0]), x),
            z,
        );
    }
}
