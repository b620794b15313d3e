//! The outer layers of a replay, and reading and writing from end to end.

use serde::{Deserialize, Serialize};

use super::archive::{self, Archive, Entry};
use super::model::first::{Frames, Header};
use super::model::manifest::Manifest;
use super::model::stream::Stream;
use super::model::{FirstReplay, Replay, SecondReplay};
use super::rr;
use crate::error::{Context as _, Error, Problem, Result, Space};
use crate::limits::{Budget, DEFLATE_RATIO, MAX_MANIFEST_BYTES};
use crate::recording::{Depth, ReadOptions};
use crate::report::{Report, Severity};
use crate::wire::bytes::{ByteReader, ByteWriter, Little};
use crate::wire::json::Bytes;
use crate::wire::packed::{Codec, Inflated, Packed};

/// The first generation's magic letters.
pub const MAGIC: &[u8; 4] = b"RGZP";

/// The name of the archive entry with the manifest.
pub const MANIFEST: &str = "manifest.json";

/// The name of the archive entry with the frames.
pub const STREAM: &str = "replay";

/// The first generation's outer layer: `RGZP`, two sizes, a GZIP member.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wrapper {
    /// The compressed data as stored, if it was read from a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packed: Option<Packed>,
    /// The stated inflated size, if it is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated_inflated_size: Option<i32>,
    /// The stated compressed size, if it is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated_compressed_size: Option<i32>,
    /// The bytes after the compressed data.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub after: Bytes,
}

/// True when the bytes are a RUMBLE replay of either generation, or a `.rr` file.
pub fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
        || rr::sniff(bytes)
        || (archive::looks_like_zip(bytes) && archive::mentions(bytes, STREAM))
}

/// Reads a RUMBLE replay of either generation, or a `.rr` file.
///
/// # Errors
/// When not even the header can be read, or reading takes more memory than is allowed.
pub fn read(bytes: &[u8], options: &ReadOptions, report: &mut Report) -> Result<Replay> {
    let budget = options.limits.budget(bytes.len());
    let replay = if bytes.starts_with(MAGIC) {
        read_first(bytes, options, &budget, report).map(Replay::First)?
    } else if rr::sniff(bytes) {
        rr::read(bytes, options, &budget, report).map(Replay::Rr)?
    } else {
        read_second(bytes, options, &budget, report).map(Replay::Second)?
    };
    budget.settle(replay, report)
}

/// Writes a RUMBLE replay: the same bytes it was read from if nothing was changed.
///
/// # Errors
/// When the format cannot represent the model, or only the header was read.
pub fn write(replay: &Replay) -> Result<Vec<u8>> {
    match replay {
        Replay::First(replay) => write_first(replay),
        Replay::Second(replay) => write_second(replay),
        Replay::Rr(replay) => rr::write(replay),
    }
}

/// Size of the payload's start that contains the header of any real file; for longer headers all of it is inflated.
const HEADER_BYTES: u64 = 64 << 10;

fn read_first(
    bytes: &[u8],
    options: &ReadOptions,
    budget: &Budget,
    report: &mut Report,
) -> Result<FirstReplay> {
    let mut outer = ByteReader::<Little>::new(bytes);
    outer.array::<4>().field("magic").field("container")?;
    let size_place = outer.place();
    let inflated_size = outer.i32().field("inflated_size").field("container")?;
    let compressed_size = outer.i32().field("compressed_size").field("container")?;
    let data_place = outer.place();
    let rest = outer.rest();
    let stated = usize::try_from(compressed_size).ok();
    let mut compressed = stated.and_then(|size| rest.get(..size)).unwrap_or(rest);
    let is_cut_short =
        || compressed.len() < rest.len() && !Packed::new(Codec::Gzip, compressed).is_whole();
    if options.depth != Depth::Header && is_cut_short() && Packed::new(Codec::Gzip, rest).is_whole()
    {
        // The size is wrong, not the data.
        compressed = rest;
    }
    let after = rest.get(compressed.len()..).unwrap_or_default();

    let expected = usize::try_from(inflated_size).ok();
    let (claimed, possible) = (
        expected.unwrap_or(0) as u64,
        (compressed.len() as u64).saturating_mul(DEFLATE_RATIO),
    );
    if claimed > possible {
        let error = Error::too_large("an inflated size", claimed, possible);
        return Err(error
            .at(size_place)
            .in_field("inflated_size")
            .in_field("container"));
    }
    let here = |error: Error| error.at(data_place).in_field("data").in_field("container");
    let inflate = |most: Option<u64>| match most {
        Some(most) => Codec::Gzip.inflate_beginning(compressed, most),
        None => Codec::Gzip.inflate(compressed, expected, budget),
    };
    let (mut payload, header, header_bytes) = match options.depth {
        Depth::Header => {
            let beginning = inflate(Some(HEADER_BYTES)).map_err(here)?;
            match read_header(&beginning, budget) {
                Ok((header, used)) => (beginning, header, used),
                Err(_) => {
                    let whole = inflate(None).map_err(here)?;
                    let (header, used) = read_header(&whole, budget)?;
                    (whole, header, used)
                }
            }
        }
        Depth::Index | Depth::Full => {
            let whole = inflate(None).map_err(here)?;
            let (header, used) = match read_header(&whole, budget) {
                Ok(read) => read,
                // If both the header and the stream end early, the stream is the reason.
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
    let (frames, stopped) = read_frames(&mut reader, &replay.header, budget);
    replay.trailing = reader.rest().to_vec();
    if usize::try_from(replay.header.stated_frame_count.unwrap_or(0)) == Ok(frames.len()) {
        replay.header.stated_frame_count = None;
    }
    replay.frames = Some(frames);
    // Both are worth reporting: that the stream broke, and the first missing frame.
    for error in broken.iter().chain(&stopped) {
        report.lost(if stopped.is_some() { "cut" } else { "damaged" }, error);
    }
    Ok(replay)
}

fn read_header(payload: &Inflated, budget: &Budget) -> Result<(Header, usize)> {
    let mut reader = ByteReader::with_base(&payload.bytes, 0, Space::Inflated);
    let header = Header::read(&mut reader, budget).field("header")?;
    Ok((header, reader.position()))
}

/// Reads frames up to the stated count, or up to the first that breaks.
fn read_frames(
    reader: &mut ByteReader<'_>,
    header: &Header,
    budget: &Budget,
) -> (Frames, Option<Error>) {
    let count = usize::try_from(header.stated_frame_count.unwrap_or(0)).unwrap_or(0);
    let mut frames = Frames::new(header.structures_per_frame(), header.players.len());
    // The columns never hold more than their source data; another half accounts for the spare capacity of the states.
    let room = reader.left() as u64;
    if let Err(error) = budget.charge(room.saturating_add(room / 2)) {
        let error = error.at(reader.place()).in_field("frames");
        return (frames, Some(error));
    }
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

/// The first generation's payload: the contents of the GZIP member.
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

fn read_second(
    bytes: &[u8],
    options: &ReadOptions,
    budget: &Budget,
    report: &mut Report,
) -> Result<SecondReplay> {
    let mut archive = Archive::read(bytes, report)?;
    let manifest = open_manifest(&archive, budget, report)?;
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
        let (packed, place) = match open_entry(&archive, STREAM, budget, report)? {
            Some(packed) => (packed, archive.find(STREAM).map(Entry::place)),
            None => (Vec::new(), None),
        };
        let here = |error: Error| match place {
            Some(place) => error.at(place).in_field(STREAM),
            None => error.in_field(STREAM),
        };
        let inflated = Codec::Brotli.inflate(&packed, None, budget).map_err(here)?;
        replay.stream = Some(Stream::read(&inflated.bytes, budget, report));
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

/// The contents of the manifest, with its own budget.
fn open_manifest(
    archive: &Archive,
    budget: &Budget,
    report: &mut Report,
) -> Result<Option<Vec<u8>>> {
    let own = Budget::new(MAX_MANIFEST_BYTES.min(budget.left()));
    let place = archive.find(MANIFEST).map(Entry::place);
    let here = |error: Error| match place {
        Some(place) => error.at(place).in_field(MANIFEST),
        None => error.in_field(MANIFEST),
    };
    let too_large = |error: Error| match error.problem() {
        // More memory would not make a manifest of this size plausible.
        Problem::OutOfMemory { needed, .. } if MAX_MANIFEST_BYTES < budget.left() => {
            here(Error::too_large("a manifest", *needed, MAX_MANIFEST_BYTES))
        }
        _ => error,
    };
    let Some(text) = open_entry(archive, MANIFEST, &own, report).map_err(too_large)? else {
        return Ok(None);
    };
    let values = Manifest::memory_bytes(&text);
    budget.charge(text.len() as u64 + values).map_err(here)?;
    Ok(Some(text))
}

/// The contents of an entry; `None`, with a finding, if it is missing.
fn open_entry(
    archive: &Archive,
    name: &'static str,
    budget: &Budget,
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
        .inflate(budget)
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
            // Restored to the archive: its sizes and checksums stay as they are, right or wrong.
            Some(packed) if entry.is_stored() => entry.data = packed.bytes.clone(),
            Some(packed) => entry.replace(&packed.bytes.0).field(STREAM)?,
            None => entry
                .replace(&Codec::Brotli.deflate(&contents)?)
                .field(STREAM)?,
        }
    }
    archive.write()
}
