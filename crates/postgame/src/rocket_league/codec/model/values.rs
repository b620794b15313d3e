//! The smallest values of the network stream: references, vectors, rotations, bodies.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::versions::Era;
use crate::error::{Error, Result};
use crate::wire::bits::{BitCursor, BitReader, BitWriter};
use crate::wire::json::json_by_serde;
use crate::wire::record::{Bits, Wire};

/// A reference to an actor, to an object, or to nothing.
///
/// In JSON it is `{"actor": id}`, `{"object": index}` or `null`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reference {
    /// True if `id` identifies an actor, false if it is an index into the list of objects.
    pub is_actor: bool,
    /// The actor id or object index; -1 for none.
    pub id: i32,
}

impl Reference {
    /// The null reference.
    pub const NONE: Self = Self {
        is_actor: false,
        id: -1,
    };

    /// The actor it refers to, if any.
    pub fn actor(self) -> Option<u32> {
        u32::try_from(self.id).ok().filter(|_| self.is_actor)
    }

    /// The index of the object it refers to, if any.
    pub fn object(self) -> Option<usize> {
        usize::try_from(self.id).ok().filter(|_| !self.is_actor)
    }
}

impl<C: ?Sized> Wire<Bits, C> for Reference {
    #[inline]
    fn read(reader: &mut BitReader<'_>, _: &C) -> Result<Self> {
        let bits = reader.bits(33)?;
        Ok(Self {
            is_actor: bits & 1 != 0,
            id: (bits >> 1) as u32 as i32,
        })
    }

    #[inline]
    fn write(&self, writer: &mut BitWriter, _: &C) -> Result<()> {
        writer.bits(
            u64::from(self.is_actor) | u64::from(self.id as u32) << 1,
            33,
        );
        Ok(())
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ReferenceJson {
    Actor(i32),
    Object(i32),
}

impl Serialize for Reference {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::NONE => None,
            Self { is_actor: true, id } => Some(ReferenceJson::Actor(id)),
            Self { id, .. } => Some(ReferenceJson::Object(id)),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Reference {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Option::deserialize(deserializer)? {
            None => Self::NONE,
            Some(ReferenceJson::Actor(id)) => Self { is_actor: true, id },
            Some(ReferenceJson::Object(id)) => Self {
                is_actor: false,
                id,
            },
        })
    }
}

/// A vector of integers; their unit depends on the field (`docs/formats/rocket-league.md`, Scales).
///
/// In JSON it is `[x, y, z]`, with `spare_bits` as a fourth number if that is not 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Vector {
    /// x.
    pub x: i32,
    /// y.
    pub y: i32,
    /// z.
    pub z: i32,
    /// Number of bits by which each number is wider than the game would store it.
    pub spare_bits: i8,
}

/// The size the game gives to a vector; each number takes two bits more.
#[inline]
pub(crate) fn usual_size([x, y, z]: [i32; 3]) -> u32 {
    let all = x.unsigned_abs() | y.unsigned_abs() | z.unsigned_abs();
    31 - (all | 1).leading_zeros()
}

impl Vector {
    /// A vector stored as the game does.
    pub fn new(x: i32, y: i32, z: i32) -> Self {
        Self {
            x,
            y,
            z,
            spare_bits: 0,
        }
    }

    /// The three numbers.
    pub fn to_array(self) -> [i32; 3] {
        [self.x, self.y, self.z]
    }

    /// Reads the numbers and the spare bits.
    #[inline(always)]
    pub(crate) fn read_parts(cursor: &mut BitCursor<'_>, limit: u32) -> ([i32; 3], i8) {
        let window = cursor.peek();
        // Four bits, and a fifth if it can be 1: 16 more is still below the limit.
        let low = (window & 15) as u32;
        let has_fifth = u32::from(low + 16 < limit);
        let size = low | ((window >> 4) as u32 & has_fifth) << 4;
        let used = 4 + has_fifth;
        let width = size + 2;
        let bias = 1i32 << (size + 1);
        let mask = (1u64 << width) - 1;
        let x = (window >> used & mask) as i32 - bias;
        let y = (window >> (used + width) & mask) as i32 - bias;
        // 5 + 2 * 23 bits are used so far; the window has 57.
        cursor.skip(used + 2 * width);
        let z = (cursor.peek() & mask) as i32 - bias;
        cursor.skip(width);
        let all = x.unsigned_abs() | y.unsigned_abs() | z.unsigned_abs();
        let spare_bits = match (all | 1) >> size {
            1 => 0,
            _ => (size as i32 - usual_size([x, y, z]) as i32) as i8,
        };
        ([x, y, z], spare_bits)
    }

    #[inline]
    pub(crate) fn write_parts(
        numbers: [i32; 3],
        spare_bits: i8,
        writer: &mut BitWriter,
        limit: u32,
    ) -> Result<()> {
        let size = usual_size(numbers) as i32 + i32::from(spare_bits);
        if !(0..limit.min(29) as i32).contains(&size) {
            return Err(too_large(numbers));
        }
        let size = size as u32;
        let (width, bias) = (size + 2, 1i64 << (size + 1));
        let [x, y, z] = numbers.map(|number| i64::from(number) + bias);
        if (x | y | z) >> width != 0 {
            return Err(too_large(numbers));
        }
        let low = size & 15;
        let used = if low + 16 < limit { 5 } else { 4 };
        writer.bits(
            u64::from(size) | (x as u64) << used | (y as u64) << (used + width),
            used + 2 * width,
        );
        writer.bits(z as u64, width);
        Ok(())
    }
}

#[cold]
fn too_large(numbers: [i32; 3]) -> Error {
    Error::unwritable(format!("the vector {numbers:?} is too large"))
}

impl Wire<Bits, Era> for Vector {
    fn read(reader: &mut BitReader<'_>, era: &Era) -> Result<Self> {
        let mut cursor = reader.cursor();
        let ([x, y, z], spare_bits) = Self::read_parts(&mut cursor, era.vector_limit);
        reader.go_to(cursor);
        reader.check()?;
        Ok(Self {
            x,
            y,
            z,
            spare_bits,
        })
    }

    fn write(&self, writer: &mut BitWriter, era: &Era) -> Result<()> {
        Self::write_parts(self.to_array(), self.spare_bits, writer, era.vector_limit)
    }
}

impl Serialize for Vector {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self {
            x,
            y,
            z,
            spare_bits,
        } = *self;
        match spare_bits {
            0 => [x, y, z].serialize(serializer),
            _ => [x, y, z, spare_bits.into()].serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Vector {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let numbers = Vec::<i32>::deserialize(deserializer)?;
        let (&[x, y, z, ref rest @ ..], 3..=4) = (&numbers[..], numbers.len()) else {
            return Err(D::Error::invalid_length(numbers.len(), &"3 or 4 numbers"));
        };
        let spare_bits = rest.first().copied().unwrap_or(0);
        Ok(Self {
            x,
            y,
            z,
            spare_bits: i8::try_from(spare_bits).map_err(D::Error::custom)?,
        })
    }
}

/// A rotation as three angles in 256ths of a turn; each is stored only if it is not 0.
///
/// In JSON it is a list of three numbers or `null`s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Rotation(pub Option<u8>, pub Option<u8>, pub Option<u8>);

impl Rotation {
    /// Pitch, yaw and roll.
    pub fn to_array(self) -> [u8; 3] {
        [self.0, self.1, self.2].map(Option::unwrap_or_default)
    }
}

impl<C: ?Sized> Wire<Bits, C> for Rotation {
    fn read(reader: &mut BitReader<'_>, _: &C) -> Result<Self> {
        let mut angle = || match reader.bit()? {
            true => reader.bits(8).map(|bits| Some(bits as u8)),
            false => Ok(None),
        };
        Ok(Self(angle()?, angle()?, angle()?))
    }

    fn write(&self, writer: &mut BitWriter, _: &C) -> Result<()> {
        for angle in [self.0, self.1, self.2] {
            writer.bit(angle.is_some());
            if let Some(angle) = angle {
                writer.bits(angle.into(), 8);
            }
        }
        Ok(())
    }
}

/// A body's rotation, as stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BodyRotation {
    /// Since network version 7: a quaternion without one of its components, which follows from the others.
    Quaternion {
        /// The omitted component, 0 for x to 3 for w; nearly always the largest.
        left_out: u8,
        /// The others, 18 bits each: 0 is -√½, 2¹⁸ - 1 is √½.
        parts: [u32; 3],
    },
    /// Before that: pitch, yaw and roll, 16 bits each: 0 is -180°, 32768 is 0.
    Angles([u16; 3]),
}

impl BodyRotation {
    pub(crate) fn from_bits(bits: u64, is_quaternion: bool) -> Self {
        if is_quaternion {
            Self::Quaternion {
                left_out: (bits & 3) as u8,
                parts: [2, 20, 38].map(|at| (bits >> at) as u32 & 0x3_ffff),
            }
        } else {
            Self::Angles([0, 16, 32].map(|at| (bits >> at) as u16))
        }
    }

    pub(crate) fn to_bits(self) -> u64 {
        match self {
            Self::Quaternion {
                left_out,
                parts: [a, b, c],
            } => u64::from(left_out) | u64::from(a) << 2 | u64::from(b) << 20 | u64::from(c) << 38,
            Self::Angles([a, b, c]) => u64::from(a) | u64::from(b) << 16 | u64::from(c) << 32,
        }
    }

    /// The rotation as a quaternion x y z w in the game's space.
    pub fn to_quaternion(self) -> [f32; 4] {
        self.to_quaternion_told().0
    }

    /// The quaternion, and whether its length is known to be 1, which holds if the omitted component was computed.
    #[inline]
    pub(crate) fn to_quaternion_told(self) -> ([f32; 4], bool) {
        match self {
            Self::Quaternion { left_out, parts } => {
                const LARGEST: f32 = std::f32::consts::FRAC_1_SQRT_2;
                let part = |bits: u32| bits as f32 * (2.0 * LARGEST / 262_143.0) - LARGEST;
                let [a, b, c] = parts.map(part);
                // Rounding can raise the sum above 1.
                let square = 1.0 - a * a - b * b - c * c;
                let rest = square.max(0.0).sqrt();
                // The omitted component rarely changes from one sample of a body to the next.
                let quaternion = match left_out {
                    0 => [rest, a, b, c],
                    1 => [a, rest, b, c],
                    2 => [a, b, rest, c],
                    _ => [a, b, c, rest],
                };
                (quaternion, square >= 0.0)
            }
            Self::Angles(angles) => {
                let angle = |bits: u16| {
                    (f32::from(bits) - 32768.0) * (1.0 / 32767.0) * std::f32::consts::PI
                };
                // Bodies use the opposite sign for pitch: only then do noses on walls point in the direction of travel.
                let [pitch, yaw, roll] = angles.map(angle);
                let angles = [-pitch, yaw, roll];
                (
                    crate::rocket_league::coords::quaternion_from_angles(angles),
                    false,
                )
            }
        }
    }
}

/// In JSON a quaternion is `[left_out, a, b, c]`, angles are `[pitch, yaw, roll]`.
impl Serialize for BodyRotation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Quaternion {
                left_out,
                parts: [a, b, c],
            } => [u32::from(left_out), a, b, c].serialize(serializer),
            Self::Angles(angles) => angles.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for BodyRotation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let numbers = Vec::<u32>::deserialize(deserializer)?;
        match numbers[..] {
            [
                left_out @ 0..=3,
                a @ ..0x4_0000,
                b @ ..0x4_0000,
                c @ ..0x4_0000,
            ] => Ok(Self::Quaternion {
                left_out: left_out as u8,
                parts: [a, b, c],
            }),
            [a @ ..0x1_0000, b @ ..0x1_0000, c @ ..0x1_0000] => {
                Ok(Self::Angles([a as u16, b as u16, c as u16]))
            }
            _ => Err(D::Error::custom(
                "a rotation is three numbers below 65536, or one below 4 and three below 262144",
            )),
        }
    }
}

/// A body's position and motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RigidBody {
    /// True if it is at rest: no velocities are stored.
    pub sleeping: bool,
    /// Position.
    pub location: Vector,
    /// Rotation.
    pub rotation: BodyRotation,
    /// Linear velocity; absent if it sleeps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub linear_velocity: Option<Vector>,
    /// Angular velocity; absent if it sleeps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angular_velocity: Option<Vector>,
}

json_by_serde!(Reference, Vector, Rotation, BodyRotation, RigidBody);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_usual_size_is_the_one_real_vectors_have() {
        // max(1, bits of the largest number) - 1, in all 2,812,961 vectors of the notes.
        for (number, size) in [
            (0, 0),
            (1, 0),
            (-1, 0),
            (2, 1),
            (3, 1),
            (4, 2),
            (-4, 2),
            (2_097_151, 20),
        ] {
            assert_eq!(usual_size([0, number, 0]), size, "{number}");
        }
    }

    proptest! {
        #[test]
        fn every_vector_in_bits_comes_back(data in prop::collection::vec(any::<u8>(), 12), limit in prop::sample::select(vec![20u32, 22])) {
            let era = Era { vector_limit: limit, ..Era::default() };
            let mut reader = BitReader::new(&data);
            let vector = <Vector as Wire<Bits, Era>>::read(&mut reader, &era).unwrap();
            let bits = reader.position();
            let mut writer = BitWriter::new();
            vector.write(&mut writer, &era).unwrap();
            prop_assert_eq!(writer.position(), bits);
            let written = writer.into_bytes();
            let mut again = BitReader::new(&data);
            prop_assert_eq!(written, again.many_bits(bits).unwrap());
            let json = serde_json::to_string(&vector).unwrap();
            prop_assert_eq!(serde_json::from_str::<Vector>(&json).unwrap(), vector);
        }

        #[test]
        fn every_rotation_in_bits_comes_back(bits in any::<u64>()) {
            for (width, is_quaternion) in [(56, true), (48, false)] {
                let bits = bits >> (64 - width);
                let rotation = BodyRotation::from_bits(bits, is_quaternion);
                prop_assert_eq!(rotation.to_bits(), bits);
                let json = serde_json::to_string(&rotation).unwrap();
                prop_assert_eq!(serde_json::from_str::<BodyRotation>(&json).unwrap(), rotation);
            }
        }
    }

    #[test]
    fn a_vector_that_is_too_large_is_refused() {
        let era = Era {
            vector_limit: 22,
            ..Era::default()
        };
        let mut writer = BitWriter::new();
        for x in [1 << 22, i32::MIN, i32::MAX] {
            assert!(
                Vector::new(x, 0, 0).write(&mut writer, &era).is_err(),
                "{x}"
            );
        }
        assert!(
            Vector::new((1 << 22) - 1, 0, 0)
                .write(&mut writer, &era)
                .is_ok()
        );
    }
}
