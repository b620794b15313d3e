//! Version 3: frames of updates of elements, each with a type and a size. Known only from a description.

use serde::{Deserialize, Serialize};

use super::FRAMES_PER_SECOND;
use crate::error::{Context as _, Error, Result};
use crate::limits::Budget;
use crate::wire::bytes::{ByteReader, ByteWriter};
use crate::wire::json::Bytes;
use crate::wire::record::{LittleBytes, Wire};

/// Update types.
pub mod kind {
    /// A structure.
    pub const STRUCTURE: u8 = 0;
    /// A player.
    pub const PLAYER: u8 = 1;
}

/// The bit of [`Element::Modifiers`] for a grounded structure: the third of Explode, Flick, Grounded, Hold, Kick,
/// Parry, Straight, Uppercut, Volatile.
pub const GROUNDED: u16 = 1 << 2;

/// All frames.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ElementFrames {
    /// Whether an update's size includes the byte with the number of elements. The description leaves it open.
    pub size_includes_count: bool,
    /// The frames.
    pub frames: Vec<ElementFrame>,
}

/// The changes of one frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ElementFrame {
    /// The frame counter, 50 a second.
    pub frame: u32,
    /// The updates.
    pub updates: Vec<ElementUpdate>,
}

/// A changed object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ElementUpdate {
    /// The kind of object, see [`kind`].
    pub kind: u8,
    /// Its values, in the file's order.
    pub elements: Vec<Element>,
}

/// One value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Element {
    /// Position: Unity's metres, left-handed, Y up.
    Position(#[serde(with = "crate::wire::json")] [f32; 3]),
    /// A quaternion in file order: w, x, y, z.
    RotationWxyz(#[serde(with = "crate::wire::json")] [f32; 4]),
    /// Index of the structure.
    StructureIndex(u8),
    /// Hit points.
    Health(u8),
    /// Bits: see [`GROUNDED`].
    Modifiers(u16),
    /// An unknown type, or a size that does not match the type; kept as bytes.
    Raw {
        /// The type.
        kind: u8,
        /// The value.
        data: Bytes,
    },
}

/// The size of an element without its value: type and size.
const MIN_ELEMENT_BYTES: usize = 2;

impl ElementFrames {
    /// Number of bytes in the complete frames at the start.
    pub(super) fn walk(mut reader: ByteReader<'_>, budget: &Budget) -> usize {
        let start = reader.position();
        let (_, _) = Self::read(&mut reader, &Budget::new(budget.left()));
        reader.position() - start
    }

    /// Reads frames up to the first incomplete one, and returns the error that ended the reading.
    pub(super) fn read(reader: &mut ByteReader<'_>, budget: &Budget) -> (Self, Option<Error>) {
        let mut all = Self::default();
        let mut includes_count = None;
        while !reader.is_empty() {
            let start = reader.position();
            let frame = ElementFrame::read(reader, &mut includes_count).and_then(|frame| {
                let elements = (reader.position() - start) / MIN_ELEMENT_BYTES;
                let bytes = size_of::<ElementFrame>() + elements * size_of::<Element>();
                budget.charge(bytes as u64).map(|()| frame)
            });
            match frame {
                Ok(frame) => all.frames.push(frame),
                Err(error) => {
                    reader.seek(start);
                    let index = all.frames.len();
                    all.size_includes_count = includes_count.unwrap_or(true);
                    return (all, Some(error.in_index(index)));
                }
            }
        }
        all.size_includes_count = includes_count.unwrap_or(true);
        (all, None)
    }

    pub(super) fn write(&self, writer: &mut ByteWriter) -> Result<()> {
        let Self {
            size_includes_count,
            frames,
        } = self;
        for (index, frame) in frames.iter().enumerate() {
            writer.u32(frame.frame);
            writer.u8(count("updates", frame.updates.len()).index(index)?);
            for update in &frame.updates {
                update.write(writer, *size_includes_count).index(index)?;
            }
        }
        Ok(())
    }

    /// The seconds of each frame since the first. If the counter goes back, no time is added.
    pub fn times_s(&self) -> Vec<f64> {
        let first = self.frames.first().map_or(0, |frame| frame.frame);
        let mut latest = 0;
        let time_s = |frame: &ElementFrame| {
            latest = latest.max(frame.frame.saturating_sub(first));
            f64::from(latest) / FRAMES_PER_SECOND
        };
        self.frames.iter().map(time_s).collect()
    }
}

fn count(what: &'static str, count: usize) -> Result<u8> {
    u8::try_from(count).map_err(|_| Error::unwritable(format!("{count} {what} in one place")))
}

impl ElementFrame {
    fn read(reader: &mut ByteReader<'_>, includes_count: &mut Option<bool>) -> Result<Self> {
        let frame = reader.u32().field("frame")?;
        let count = reader.u8().field("update_count")?;
        let mut updates = Vec::with_capacity(usize::from(count));
        for index in 0..usize::from(count) {
            let update = ElementUpdate::read(reader, includes_count);
            updates.push(update.index(index).field("updates")?);
        }
        Ok(Self { frame, updates })
    }
}

impl ElementUpdate {
    fn read(reader: &mut ByteReader<'_>, includes_count: &mut Option<bool>) -> Result<Self> {
        let place = reader.place();
        let kind = reader.u8().field("kind")?;
        if kind > kind::PLAYER {
            return Err(Error::invalid(format!("{kind} is not a type of update")).at(place));
        }
        let size = usize::from(reader.u16().field("size")?);
        let count = reader.u8().field("element_count")?;
        let start = reader.position();
        let mut elements = Vec::with_capacity(usize::from(count));
        for index in 0..usize::from(count) {
            elements.push(Element::read(reader).index(index).field("elements")?);
        }
        let found = reader.position() - start;
        // The first update decides which of the two it is, for the whole file.
        let includes = size == found + 1;
        if !(includes || size == found) || includes_count.is_some_and(|before| before != includes) {
            let message = format!("an update of {size} bytes has {found} bytes of elements");
            return Err(Error::invalid(message).at(place));
        }
        *includes_count = Some(includes);
        Ok(Self { kind, elements })
    }

    fn write(&self, writer: &mut ByteWriter, includes_count: bool) -> Result<()> {
        let Self { kind, elements } = self;
        writer.u8(*kind);
        let size_at = writer.position();
        writer.u16(0);
        writer.u8(count("elements", elements.len())?);
        let start = writer.position();
        for element in elements {
            element.write(writer)?;
        }
        let size = writer.position() - start + usize::from(includes_count);
        let size = u16::try_from(size)
            .map_err(|_| Error::unwritable(format!("an update of {size} bytes")))?;
        writer.patch(size_at, &size.to_le_bytes());
        Ok(())
    }
}

impl Element {
    fn read(reader: &mut ByteReader<'_>) -> Result<Self> {
        let kind = reader.u8().field("kind")?;
        let size = usize::from(reader.u8().field("size")?);
        let mut value = reader.sub(size).field("value")?;
        Ok(match (kind, size) {
            (1, 12) => Self::Position(Wire::<LittleBytes>::read(&mut value, &())?),
            (2, 16) => Self::RotationWxyz(Wire::<LittleBytes>::read(&mut value, &())?),
            (3, 1) => Self::StructureIndex(value.u8()?),
            (4, 1) => Self::Health(value.u8()?),
            (5, 2) => Self::Modifiers(value.u16()?),
            (kind, _) => Self::Raw {
                kind,
                data: value.rest().into(),
            },
        })
    }

    fn write(&self, writer: &mut ByteWriter) -> Result<()> {
        match self {
            Self::Position(value) => {
                writer.bytes(&[1, 12]);
                Wire::<LittleBytes>::write(value, writer, &())?;
            }
            Self::RotationWxyz(value) => {
                writer.bytes(&[2, 16]);
                Wire::<LittleBytes>::write(value, writer, &())?;
            }
            Self::StructureIndex(value) => writer.bytes(&[3, 1, *value]),
            Self::Health(value) => writer.bytes(&[4, 1, *value]),
            Self::Modifiers(value) => {
                writer.bytes(&[5, 2]);
                writer.u16(*value);
            }
            Self::Raw { kind, data } => {
                writer.bytes(&[*kind, count("bytes of an element", data.0.len())?]);
                writer.bytes(&data.0);
            }
        }
        Ok(())
    }
}
