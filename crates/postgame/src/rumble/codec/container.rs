//! What is around the data, and reading and writing from end to end.

use serde::{Deserialize, Serialize};

use super::archive::{self, Archive, Entry};
use super::model::first::{Frames, Header};
use super::model::manifest::Manifest;
use super::model::stream::Stream;
use super::model::{FirstReplay, Replay, SecondReplay};
use crate::error::{Context as _, Error, Result, Space};
use crate::limits::Limits;
use crate::recording::{Depth, ReadOptions};
use crate::report::{Report, Severity};
use crate::wire::bytes::{ByteReader, ByteWriter, Little};
use crate::wire::json::Bytes;
use crate::wire::packed::{Codec, Inflated, Packed};

/// The first generation's letters.
pub const MAGIC: &[u8; 4] = b"RGZP";

/// The name of the archive entry with the facts.
pub const MANIFEST: &str = "manifest.json";

/// The name of the archive entry with the frames.
pub const STREAM: &str = "replay";

/// The first generation's outer layer: `RGZP`, two sizes, a GZIP member.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wrapper {
    /// The compressed data as it was, where it was read from a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packed: Option<Packed>,
    /// The inflated size in the file, where it is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated_inflated_size: Option<i32>,
    /// The compressed size in the file, where it is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated_compressed_size: Option<i32>,
    /// What comes after the compressed data.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub after: Bytes,
}

/// True when the bytes are a RUMBLE replay of either generation.
pub fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) || (archive::looks_like_zip(bytes) && archive::mentions(bytes, STREAM))
}

/// Reads a RUMBLE replay of either generation.
///
/// # Errors
/// When not even the header can be read.
pub fn read(bytes: &[u8], options: &ReadOptions, report: &mut Report) -> Result<Replay> {
    if bytes.starts_with(MAGIC) {
        read_first(bytes, options, report).map(Replay::First)
    } else {
        read_second(bytes, options, report).map(Replay::Second)
    }
}

/// Writes a RUMBLE replay: the bytes it was read from if nothing was changed.
///
/// # Errors
/// When the model holds something the format has no room for, or only the header was read.
pub fn write(replay: &Replay) -> Result<Vec<u8>> {
    match replay {
        Replay::First(replay) => write_first(replay),
        Replay::Second(replay) => write_second(replay),
    }
}

/// How much of the payload holds the header of any real file; beyond it, all of it is inflated.
const HEADER_BYTES: u64 = 64 << 10;

fn read_first(bytes: &[u8], options: &ReadOptions, report: &mut Report) -> Result<FirstReplay> {
    let mut outer = ByteReader::<Little>::new(bytes);
    outer.array::<4>().field("magic").field("container")?;
    let size_place = outer.place();
    let inflated_size = outer.i32().field("inflated_size").field("container")?;
    let compressed_size = outer.i32().field("compressed_size").field("container")?;
    let data_place = outer.place();
    let compressed = match usize::try_from(compressed_size) {
        Ok(size) if size <= outer.left() => outer.bytes(size)?,
        _ => outer.bytes(outer.left())?,
    };
    let after = outer.rest();

    let limits = &options.limits;
    let expected = usize::try_from(inflated_size).ok();
    limits
        .inflated_size(expected.unwrap_or(0) as u64, compressed.len())
        .map_err(|error| {
            error
                .at(size_place)
                .in_field("inflated_size")
                .in_field("container")
        })?;
    let here = |error: Error| error.at(data_place).in_field("data").in_field("container");
    let inflate = |most: Option<u64>| match most {
        Some(most) => Codec::Gzip.inflate_beginning(compressed, most),
        None => Codec::Gzip.inflate(compressed, expected, limits),
    };
    let (mut payload, header, header_bytes) = match options.depth {
        Depth::Header => {
            let beginning = inflate(Some(HEADER_BYTES.min(limits.inflated_bytes))).map_err(here)?;
            match read_header(&beginning) {
                Ok((header, used)) => (beginning, header, used),
                Err(_) => {
                    let whole = inflate(None).map_err(here)?;
                    let (header, used) = read_header(&whole)?;
                    (whole, header, used)
                }
            }
        }
        Depth::Index | Depth::Full => {
            let whole = inflate(None).map_err(here)?;
            let (header, used) = match read_header(&whole) {
                Ok(read) => read,
                // A header that ends early in a stream that ends early: the stream is the reason.
                Err(error) => return Err(whole.broken.map_or(error, here)),
            };
            (whole, header, used)
        }
    };

    let mut wrapper = Wrapper {
        packed: Some(Packed::new(Codec::Gzip, compressed)),
        ..Wrapper::default()
    };
    if usize::try_from(compressed_size) != Ok(compressed.len()) {
        wrapper.stated_compressed_size = Some(compressed_size);
    }
    wrapper.after = after.into();
    let mut replay = FirstReplay {
        wrapper,
        header,
        frames: None,
        trailing: Vec::new(),
    };
    if options.depth == Depth::Header {
        return Ok(replay);
    }

    if expected != Some(payload.bytes.len()) {
        replay.wrapper.stated_inflated_size = Some(inflated_size);
    }
    let broken = payload.broken.take().map(here);
    let mut reader = ByteReader::with_base(&payload.bytes, 0, Space::Inflated);
    reader.seek(header_bytes);
    let (frames, stopped) = read_frames(&mut reader, &replay.header);
    replay.trailing = reader.rest().to_vec();
    if usize::try_from(replay.header.stated_frame_count.unwrap_or(0)) == Ok(frames.len()) {
        replay.header.stated_frame_count = None;
    }
    replay.frames = Some(frames);
    // Both matter: that the stream broke, and which frame was the first to miss.
    for error in broken.iter().chain(&stopped) {
        report.lost(if stopped.is_some() { "cut" } else { "damaged" }, error);
    }
    Ok(replay)
}

fn read_header(payload: &Inflated) -> Result<(Header, usize)> {
    let mut reader = ByteReader::with_base(&payload.bytes, 0, Space::Inflated);
    let header = Header::read(&mut reader).field("header")?;
    Ok((header, reader.position()))
}

/// Reads frames up to the stated count or the first that breaks.
fn read_frames(reader: &mut ByteReader<'_>, header: &Header) -> (Frames, Option<Error>) {
    let count = usize::try_from(header.stated_frame_count.unwrap_or(0)).unwrap_or(0);
    let mut frames = Frames::new(header.structures_per_frame(), header.players.len());
    frames.reserve(count, reader.left());
    let mut stopped = None;
    for index in 0..count {
        if let Err(error) = frames.read_frame(reader) {
            stopped = Some(error.in_index(index).in_field("frames"));
            break;
        }
    }
    frames.shrink();
    (frames, stopped)
}

/// The first generation's payload: what the GZIP member holds.
pub(crate) fn write_payload(replay: &FirstReplay) -> Result<Vec<u8>> {
    let Some(frames) = &replay.frames else {
        return Err(Error::unwritable("only the header was read"));
    };
    let mut writer = ByteWriter::with_capacity(1024 + frames.players.states.len() * 120);
    replay
        .header
        .write(&mut writer, frames.len())
        .field("header")?;
    frames.write(&mut writer).field("frames")?;
    writer.bytes(&replay.trailing);
    Ok(writer.into_bytes())
}

fn write_first(replay: &FirstReplay) -> Result<Vec<u8>> {
    let Wrapper {
        packed,
        stated_inflated_size,
        stated_compressed_size,
        after,
    } = &replay.wrapper;
    let payload = write_payload(replay)?;
    let compressed = Packed::pack(packed.as_ref(), Codec::Gzip, &payload)?;
    let mut writer = ByteWriter::<Little>::with_capacity(compressed.len() + after.0.len() + 12);
    writer.bytes(MAGIC);
    match stated_inflated_size {
        Some(size) => writer.i32(*size),
        None => writer.count("an inflated size", payload.len())?,
    }
    match stated_compressed_size {
        Some(size) => writer.i32(*size),
        None => writer.count("a compressed size", compressed.len())?,
    }
    writer.bytes(&compressed);
    writer.bytes(&after.0);
    Ok(writer.into_bytes())
}

fn read_second(bytes: &[u8], options: &ReadOptions, report: &mut Report) -> Result<SecondReplay> {
    let mut archive = Archive::read(bytes, report)?;
    let limits = &options.limits;
    let manifest = open_entry(&archive, MANIFEST, limits, report)?;
    let mut replay = SecondReplay {
        archive: Archive {
            before: Bytes::default(),
            entries: Vec::new(),
            end: None,
        },
        manifest: Manifest::read(manifest.unwrap_or_default()),
        stream: None,
        packed_stream: None,
    };
    if options.depth != Depth::Header {
        let (packed, place) = match open_entry(&archive, STREAM, limits, report)? {
            Some(packed) => (packed, archive.find(STREAM).map(Entry::place)),
            None => (Vec::new(), None),
        };
        let here = |error: Error| match place {
            Some(place) => error.at(place).in_field(STREAM),
            None => error.in_field(STREAM),
        };
        let inflated = Codec::Brotli.inflate(&packed, None, limits).map_err(here)?;
        replay.stream = Some(Stream::read(&inflated.bytes, report));
        if let Some(error) = inflated.broken {
            report.lost("damaged", &here(error));
        }
        replay.packed_stream = Some(Packed {
            codec: Codec::Brotli,
            bytes: Bytes(packed),
            holds_sha256: None,
        });
        if let Some(entry) = archive.find_mut(STREAM).filter(|entry| entry.is_stored()) {
            entry.data = Bytes::default();
        }
    }
    replay.archive = archive;
    Ok(replay)
}

/// The contents of an entry; `None`, and a finding, when it is not there.
fn open_entry(
    archive: &Archive,
    name: &'static str,
    limits: &Limits,
    report: &mut Report,
) -> Result<Option<Vec<u8>>> {
    let Some(entry) = archive.find(name) else {
        report.add(
            Severity::Lost,
            "entry",
            name,
            None,
            "the archive has no such entry",
        );
        return Ok(None);
    };
    let inflated = entry
        .inflate(limits)
        .map_err(|error| error.at(entry.place()))
        .field(name)?;
    if let Some(error) = inflated.broken {
        report.lost("damaged", &error.at(entry.place()).in_field(name));
    }
    Ok(Some(inflated.bytes))
}

fn write_second(replay: &SecondReplay) -> Result<Vec<u8>> {
    let Some(stream) = &replay.stream else {
        return Err(Error::unwritable("only the header was read"));
    };
    let mut archive = replay.archive.clone();
    if let Some(entry) = archive.find_mut(MANIFEST) {
        entry.replace(&replay.manifest.to_bytes()).field(MANIFEST)?;
    }
    let contents = stream.write()?;
    if let Some(entry) = archive.find_mut(STREAM) {
        match replay
            .packed_stream
            .as_ref()
            .filter(|packed| packed.holds(&contents))
        {
            // Put back where it was taken from: sizes and checksums stay as they are, right or wrong.
            Some(packed) if entry.is_stored() => entry.data = packed.bytes.clone(),
            Some(packed) => entry.replace(&packed.bytes.0).field(STREAM)?,
            None => entry
                .replace(&Codec::Brotli.deflate(&contents)?)
                .field(STREAM)?,
        }
    }
    archive.write()
}
