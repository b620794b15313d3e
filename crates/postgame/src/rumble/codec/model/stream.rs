//! The second generation's frames: changes, as chunks of tagged fields.

use serde::{Deserialize, Serialize};

use super::fields::{Field, SizeWidth, fields_from_json, fields_to_json};
use crate::error::{Context as _, Error, Result, Space};
use crate::limits::Budget;
use crate::report::{Report, Severity};
use crate::wire::bytes::{ByteReader, ByteWriter};
use crate::wire::json::Bytes;

/// The magic letters before the first frame.
pub const MAGIC: &[u8; 4] = b"RPLY";

/// Chunk types, in the order of their numbers; see `docs/formats/rumble.md`.
pub mod chunk {
    /// A player's state.
    pub const PLAYER: u8 = 0;
    /// A structure's state.
    pub const STRUCTURE: u8 = 1;
    /// A pedestal's state.
    pub const PEDESTAL: u8 = 2;
    /// An event.
    pub const EVENT: u8 = 3;
    /// A scene prop's state.
    pub const SCENE_PROP: u8 = 4;
    /// Another mod's data; has a second index.
    pub const EXTENSION: u8 = 250;

    /// True for chunk types whose fields are known.
    pub fn is_known(chunk_type: u8) -> bool {
        chunk_type <= SCENE_PROP
    }
}

/// All frames.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stream {
    /// Width of a field's size in this file.
    pub size_width: SizeWidth,
    /// Whether the data began with `RPLY`; without it everything is in `trailing`.
    pub has_magic: bool,
    /// The frames.
    pub frames: Vec<Frame>,
    /// The data after the last frame that could be read.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub trailing: Bytes,
}

/// The changes of one frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Frame {
    /// Time, in seconds.
    #[serde(with = "crate::wire::json")]
    pub time_s: f32,
    /// Changes and events.
    pub chunks: Vec<Chunk>,
    /// The stated number of chunks, if it is not the number that was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated_chunk_count: Option<i32>,
    /// The bytes between the last chunk and the frame's end.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub trailing: Bytes,
}

/// A changed object with its changed fields.
#[derive(Clone, Debug, PartialEq)]
pub struct Chunk {
    /// The kind of object, see [`chunk`].
    pub chunk_type: u8,
    /// The index of the object.
    pub index: i32,
    /// The index of its part, for extensions.
    pub sub_index: Option<i32>,
    /// The fields.
    pub fields: Vec<Field>,
    /// The bytes between the last field and the chunk's end.
    pub trailing: Bytes,
}

impl Stream {
    /// Reads all frames. If one breaks, the rest is kept as bytes and reported.
    pub fn read(bytes: &[u8], budget: &Budget, report: &mut Report) -> Self {
        let mut reader = ByteReader::with_base(bytes, 0, Space::Inflated);
        let mut stream = Self {
            size_width: SizeWidth::U16,
            has_magic: false,
            frames: Vec::new(),
            trailing: Bytes::default(),
        };
        if reader.rest().starts_with(MAGIC) {
            reader.seek(MAGIC.len());
            stream.has_magic = true;
            stream.size_width = find_width(reader.clone());
            while !reader.is_empty() {
                match Frame::read(&mut reader, stream.size_width, budget) {
                    Ok(frame) => stream.frames.push(frame),
                    Err(error) => {
                        report.lost(
                            "cut",
                            &error.in_index(stream.frames.len()).in_field("frames"),
                        );
                        break;
                    }
                }
            }
        } else {
            let message = "the frames do not begin with RPLY";
            report.add(
                Severity::Lost,
                "magic",
                "replay",
                Some(reader.place()),
                message,
            );
        }
        stream.trailing = reader.rest().into();
        stream
    }

    /// Writes all frames.
    pub(crate) fn write(&self) -> Result<Vec<u8>> {
        let Self {
            size_width,
            has_magic,
            frames,
            trailing,
        } = self;
        let mut writer = ByteWriter::new();
        if *has_magic {
            writer.bytes(MAGIC);
        }
        for (index, frame) in frames.iter().enumerate() {
            frame
                .write(&mut writer, *size_width)
                .index(index)
                .field("frames")?;
        }
        writer.bytes(&trailing.0);
        Ok(writer.into_bytes())
    }
}

/// The width of sizes with which more chunks end exactly at their stated end. If both are equal, takes the newer one:
/// then there are only empty chunks, which are the same in both.
fn find_width(mut reader: ByteReader<'_>) -> SizeWidth {
    let (mut narrow, mut wide) = (0u64, 0u64);
    let walks = |data: &ByteReader<'_>, width: SizeWidth| {
        let mut data = data.clone();
        while !data.is_empty() {
            let size = data.u8().and_then(|_| match width {
                SizeWidth::U8 => data.u8().map(usize::from),
                SizeWidth::U16 => data.u16().map(usize::from),
            });
            if size.and_then(|size| data.bytes(size)).is_err() {
                return 0;
            }
        }
        1
    };
    let mut walk_frame = || -> Result<()> {
        let (mut frame, count) = Frame::open(&mut reader)?;
        frame.seek(8);
        for _ in 0..count {
            let (opened, data) = Chunk::open(&mut frame)?;
            if !chunk::is_known(opened.chunk_type) {
                continue;
            }
            narrow += walks(&data, SizeWidth::U8);
            wide += walks(&data, SizeWidth::U16);
        }
        Ok(())
    };
    while walk_frame().is_ok() {}
    if narrow > wide {
        SizeWidth::U8
    } else {
        SizeWidth::U16
    }
}

impl Frame {
    /// The bytes of the next frame, starting with its time, and its stated number of chunks.
    fn open<'a>(reader: &mut ByteReader<'a>) -> Result<(ByteReader<'a>, i32)> {
        let start = reader.position();
        let size = reader.count("a frame's size", 1).field("size");
        let frame = size
            .and_then(|size| reader.sub(size))
            .inspect_err(|_| reader.seek(start))?;
        let mut peek = frame.clone();
        let count = peek
            .f32()
            .field("time")
            .and_then(|_| peek.i32().field("chunk_count"));
        let count = count.inspect_err(|_| reader.seek(start))?;
        Ok((frame, count))
    }

    fn read(reader: &mut ByteReader<'_>, width: SizeWidth, budget: &Budget) -> Result<Self> {
        budget
            .charge(size_of::<Self>() as u64)
            .map_err(|error| error.at(reader.place()))?;
        let (mut frame, stated) = Self::open(reader)?;
        let time_s = frame.f32()?;
        frame.i32()?;
        let mut chunks = Vec::new();
        while usize::try_from(stated).is_ok_and(|count| chunks.len() < count) {
            let start = frame.position();
            match Chunk::read(&mut frame, width, budget) {
                Ok(chunk) => chunks.push(chunk),
                Err(error) if error.is_out_of_memory() => {
                    return Err(error.in_index(chunks.len()).in_field("chunks"));
                }
                Err(_) => {
                    // Kept as the frame's trailing bytes, which `check` reports.
                    frame.seek(start);
                    break;
                }
            }
        }
        let stated_chunk_count = (usize::try_from(stated) != Ok(chunks.len())).then_some(stated);
        Ok(Self {
            time_s,
            chunks,
            stated_chunk_count,
            trailing: frame.rest().into(),
        })
    }

    fn write(&self, writer: &mut ByteWriter, width: SizeWidth) -> Result<()> {
        let Self {
            time_s,
            chunks,
            stated_chunk_count,
            trailing,
        } = self;
        let start = writer.position();
        writer.i32(0);
        writer.f32(*time_s);
        match stated_chunk_count {
            Some(count) => writer.i32(*count),
            None => writer.count("a chunk count", chunks.len())?,
        }
        for (index, chunk) in chunks.iter().enumerate() {
            chunk.write(writer, width).index(index).field("chunks")?;
        }
        writer.bytes(&trailing.0);
        patch_size(writer, start, "a frame's size")
    }
}

impl Chunk {
    /// A chunk without its fields, and the bytes that contain them.
    fn open<'a>(reader: &mut ByteReader<'a>) -> Result<(Self, ByteReader<'a>)> {
        let chunk_type = reader.u8().field("chunk_type")?;
        let index = reader.i32().field("index")?;
        let sub_index = match chunk_type {
            chunk::EXTENSION => Some(reader.i32().field("sub_index")?),
            _ => None,
        };
        let size = reader.count("a chunk's size", 1).field("size")?;
        let data = reader.sub(size)?;
        let (fields, trailing) = (Vec::new(), Bytes::default());
        Ok((
            Self {
                chunk_type,
                index,
                sub_index,
                fields,
                trailing,
            },
            data,
        ))
    }

    fn read(reader: &mut ByteReader<'_>, width: SizeWidth, budget: &Budget) -> Result<Self> {
        let (mut chunk, mut data) = Self::open(reader)?;
        let charge = |bytes: usize, data: &ByteReader<'_>| {
            let charged = budget.charge(bytes as u64);
            charged.map_err(|error| error.at(data.place()))
        };
        // Charges the chunk itself and its bytes once more for the fields.
        charge(size_of::<Self>() + data.left(), &data)?;
        loop {
            let start = data.position();
            if data.is_empty() {
                return Ok(chunk);
            }
            charge(size_of::<Field>(), &data)?;
            let Ok(field) = Field::read(&mut data, chunk.chunk_type, width) else {
                // Another mod's data may not be fields at all. Then none of it is decoded.
                data.seek(if chunk::is_known(chunk.chunk_type) {
                    start
                } else {
                    0
                });
                if data.position() == 0 {
                    chunk.fields.clear();
                }
                chunk.trailing = data.rest().into();
                return Ok(chunk);
            };
            chunk.fields.push(field);
        }
    }

    fn write(&self, writer: &mut ByteWriter, width: SizeWidth) -> Result<()> {
        let Self {
            chunk_type,
            index,
            sub_index,
            fields,
            trailing,
        } = self;
        if sub_index.is_some() != (*chunk_type == chunk::EXTENSION) {
            return Err(Error::unwritable("only extension chunks have a sub-index"));
        }
        writer.u8(*chunk_type);
        writer.i32(*index);
        if let Some(sub_index) = sub_index {
            writer.i32(*sub_index);
        }
        let start = writer.position();
        writer.i32(0);
        for (index, field) in fields.iter().enumerate() {
            field.write(writer, width).index(index).field("fields")?;
        }
        writer.bytes(&trailing.0);
        patch_size(writer, start, "a chunk's size")
    }
}

/// Writes the number of bytes since the position of the size into that position.
fn patch_size(writer: &mut ByteWriter, start: usize, what: &'static str) -> Result<()> {
    let size = writer.position() - start - 4;
    let size = i32::try_from(size).map_err(|_| Error::unwritable(format!("{what} of {size}")))?;
    writer.patch(start, &size.to_le_bytes());
    Ok(())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChunkJson {
    chunk_type: u8,
    index: i32,
    #[serde(default)]
    sub_index: Option<i32>,
    #[serde(deserialize_with = "fields_from_json")]
    fields: Vec<Field>,
    #[serde(default)]
    trailing: Bytes,
}

struct FieldsOf<'a>(u8, &'a [Field]);

impl Serialize for FieldsOf<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fields_to_json(self.0, self.1, serializer)
    }
}

impl Serialize for Chunk {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap as _;
        let Self {
            chunk_type,
            index,
            sub_index,
            fields,
            trailing,
        } = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("chunk_type", chunk_type)?;
        map.serialize_entry("index", index)?;
        if let Some(sub_index) = sub_index {
            map.serialize_entry("sub_index", sub_index)?;
        }
        map.serialize_entry("fields", &FieldsOf(*chunk_type, fields))?;
        if !trailing.is_empty() {
            map.serialize_entry("trailing", trailing)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Chunk {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let ChunkJson {
            chunk_type,
            index,
            sub_index,
            fields,
            trailing,
        } = ChunkJson::deserialize(deserializer)?;
        Ok(Self {
            chunk_type,
            index,
            sub_index,
            fields,
            trailing,
        })
    }
}
