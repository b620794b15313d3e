//! The second generation's tagged fields: an id, a size, a value.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::{Error, Result};
use crate::rumble::tables;
use crate::wire::bytes::{ByteReader, ByteWriter};
use crate::wire::json::Bytes;
use crate::wire::record::{LittleBytes, Wire, record};
use crate::wire::strings::{Bool8, Text};

/// Width of a field's size: one byte before February 2026, two since.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SizeWidth {
    /// One byte.
    U8,
    /// Two bytes.
    U16,
}

/// A field of a chunk.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The field id, see `tables::FIELDS`.
    pub id: u8,
    /// Its value.
    pub value: Value,
}

/// A field's value; its kind follows from the chunk's type and the field's id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Value {
    /// Unity's metres, left-handed, Y up.
    Vector(#[serde(with = "crate::wire::json")] [f32; 3]),
    /// A rotation.
    Rotation(SmallestThree),
    /// A boolean.
    Flag(Bool8),
    /// A small number, or an index into a list of names.
    U8(u8),
    /// A number.
    I16(i16),
    /// A number.
    I32(i32),
    /// A number.
    F32(#[serde(with = "crate::wire::json")] f32),
    /// Text; the field's size is its length.
    Text(Text),
    /// An unknown field, or one whose size does not match its kind.
    Raw(Bytes),
}

/// The kind of a known field's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Three floats.
    Vector,
    /// Seven bytes, see [`SmallestThree`].
    Rotation,
    /// One byte.
    Flag,
    /// One byte.
    U8,
    /// Two bytes.
    I16,
    /// Four bytes.
    I32,
    /// One byte or four, depending on the field's size: the recorder changed it.
    U8OrI32,
    /// Four bytes.
    F32,
    /// All bytes of the field.
    Text,
}

record! {
    /// A unit quaternion in seven bytes: three of its components and the index of the omitted one.
    #[derive(Copy, Eq)]
    pub struct SmallestThree: LittleBytes {
        /// The stored components, in order, scaled from −1…1 to 0…65535.
        pub words: [u16; 3],
        /// The omitted component: 0 for x to 3 for w.
        pub dropped: u8,
    }
}

impl SmallestThree {
    /// The quaternion, x y z w. The omitted component is the positive root of 1 minus the squares of the others.
    pub fn to_quaternion(self) -> [f32; 4] {
        let [a, b, c] = self
            .words
            .map(|word| (f32::from(word) / 65535.0 - 0.5) * 2.0);
        let rest = (1.0 - a * a - b * b - c * c).max(0.0).sqrt();
        match self.dropped {
            0 => [rest, a, b, c],
            1 => [a, rest, b, c],
            2 => [a, b, rest, c],
            _ => [a, b, c, rest],
        }
    }

    /// The nearest seven bytes, by the recorder's own rule: omit the largest component and truncate the others.
    pub fn from_quaternion(quaternion: [f32; 4]) -> Self {
        let mut dropped = 0;
        for (index, value) in quaternion.iter().enumerate() {
            if value.abs() > quaternion[dropped].abs() {
                dropped = index;
            }
        }
        let sign = if quaternion[dropped] < 0.0 { -1.0 } else { 1.0 };
        let word = |value: f32| ((value * sign * 0.5 + 0.5).clamp(0.0, 1.0) * 65535.0) as u16;
        let [x, y, z, w] = quaternion.map(word);
        let words = match dropped {
            0 => [y, z, w],
            1 => [x, z, w],
            2 => [x, y, w],
            _ => [x, y, z],
        };
        Self {
            words,
            dropped: dropped as u8,
        }
    }
}

impl Field {
    /// Reads one field of a chunk of type `chunk`.
    pub(crate) fn read(reader: &mut ByteReader<'_>, chunk: u8, width: SizeWidth) -> Result<Self> {
        let id = reader.u8()?;
        let size = match width {
            SizeWidth::U8 => usize::from(reader.u8()?),
            SizeWidth::U16 => usize::from(reader.u16()?),
        };
        let place = reader.place();
        let bytes = reader
            .bytes(size)
            .map_err(|error| error.in_field(tables::field_name(chunk, id)))?;
        let value = match tables::field_kind(chunk, id) {
            Some(kind) => Value::read(kind, bytes).map_err(|error| error.at(place))?,
            None => Value::Raw(bytes.into()),
        };
        Ok(Self { id, value })
    }

    /// Writes the field.
    pub(crate) fn write(&self, writer: &mut ByteWriter, width: SizeWidth) -> Result<()> {
        let Self { id, value } = self;
        writer.u8(*id);
        let start = writer.position();
        match width {
            SizeWidth::U8 => writer.u8(0),
            SizeWidth::U16 => writer.u16(0),
        }
        let value_start = writer.position();
        value.write(writer)?;
        let size = writer.position() - value_start;
        let too_long = |_| Error::unwritable(format!("a field of {size} bytes"));
        match width {
            SizeWidth::U8 => {
                writer.patch(start, &u8::try_from(size).map_err(too_long)?.to_le_bytes())
            }
            SizeWidth::U16 => {
                writer.patch(start, &u16::try_from(size).map_err(too_long)?.to_le_bytes())
            }
        }
        Ok(())
    }
}

impl Value {
    fn read(kind: Kind, bytes: &[u8]) -> Result<Self> {
        let mut reader = ByteReader::new(bytes);
        let size = match kind {
            Kind::Vector => 12,
            Kind::Rotation => 7,
            Kind::Flag | Kind::U8 => 1,
            Kind::I16 => 2,
            Kind::I32 | Kind::F32 => 4,
            Kind::U8OrI32 if bytes.len() == 1 => 1,
            Kind::U8OrI32 => 4,
            Kind::Text => bytes.len(),
        };
        if bytes.len() != size {
            return Ok(Self::Raw(bytes.into()));
        }
        Ok(match kind {
            Kind::Vector => Self::Vector(Wire::<LittleBytes>::read(&mut reader, &())?),
            Kind::Rotation => Self::Rotation(Wire::<LittleBytes>::read(&mut reader, &())?),
            Kind::Flag => Self::Flag(Bool8(reader.u8()?)),
            Kind::U8 => Self::U8(reader.u8()?),
            Kind::I16 => Self::I16(reader.i16()?),
            Kind::I32 => Self::I32(reader.i32()?),
            Kind::U8OrI32 if size == 1 => Self::U8(reader.u8()?),
            Kind::U8OrI32 => Self::I32(reader.i32()?),
            Kind::F32 => Self::F32(reader.f32()?),
            Kind::Text => Self::Text(bytes.to_vec().into()),
        })
    }

    fn write(&self, writer: &mut ByteWriter) -> Result<()> {
        match self {
            Self::Vector(value) => Wire::<LittleBytes>::write(value, writer, &())?,
            Self::Rotation(value) => value.write(writer, &())?,
            Self::Flag(value) => writer.u8(value.0),
            Self::U8(value) => writer.u8(*value),
            Self::I16(value) => writer.i16(*value),
            Self::I32(value) => writer.i32(*value),
            Self::F32(value) => writer.f32(*value),
            Self::Text(value) => writer.bytes(value.as_bytes()),
            Self::Raw(value) => writer.bytes(&value.0),
        }
        Ok(())
    }
}

/// A field as shown in JSON; the name is for human readers, the id decides.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FieldJson {
    id: u8,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    name: String,
    value: Value,
}

/// Fields as shown in JSON, for a chunk of some type.
pub(crate) fn fields_to_json<S: Serializer>(
    chunk: u8,
    fields: &[Field],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(fields.iter().map(|field| FieldJson {
        id: field.id,
        name: tables::field_name(chunk, field.id).to_owned(),
        value: field.value.clone(),
    }))
}

/// Fields from JSON.
pub(crate) fn fields_from_json<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<Field>, D::Error> {
    let fields = Vec::<FieldJson>::deserialize(deserializer)?;
    Ok(fields
        .into_iter()
        .map(|field| Field {
            id: field.id,
            value: field.value,
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotation_survives_seven_bytes() {
        let half = std::f32::consts::FRAC_1_SQRT_2;
        for quaternion in [
            [0.0, 0.0, 0.0, 1.0],
            [half, 0.0, 0.0, half],
            [0.1, -0.7, 0.1, 0.7],
            [0.5, 0.5, -0.5, -0.5],
        ] {
            let packed = SmallestThree::from_quaternion(quaternion);
            let back = packed.to_quaternion();
            let dot: f32 = (0..4).map(|index| quaternion[index] * back[index]).sum();
            assert!(dot.abs() > 0.9999, "{quaternion:?} {back:?}");
        }
    }
}
