//! The two sections of a file and their parts, and reading and writing from end to end.

use super::crc::crc;
use super::decode::{self, Stream};
use super::encode;
use super::model::network::Network;
use super::model::properties::Properties;
use super::model::text::Text;
use super::model::versions::Versions;
use super::model::{Body, Broken, Header, Part, Replay, Stated};
use super::schema::Schema;
use crate::error::{Context as _, Error, Result, Space};
use crate::limits::{Budget, Limits};
use crate::recording::{Depth, ReadOptions};
use crate::report::{Report, Severity};
use crate::threads::both;
use crate::wire::bytes::{ByteReader, ByteWriter, Little};
use crate::wire::json::Bytes;
use crate::wire::record::{LittleBytes, Wire};

/// The class of every replay seen.
const CLASS: &str = "TAGame.Replay_Soccar_TA";

/// True when the bytes are a Rocket League replay. There is no magic number: the class of the replay must be near the
/// start, or the header's checksum must be right.
pub fn sniff(bytes: &[u8]) -> bool {
    // Two words for the section, two or three versions, then a text: its length and its characters.
    let has_class = |at: usize| bytes.get(at + 4..at + 4 + CLASS.len()) == Some(CLASS.as_bytes());
    if has_class(16) || has_class(20) {
        return true;
    }
    let mut reader = ByteReader::<Little>::new(bytes);
    let (Ok(size), Ok(stated)) = (reader.u32(), reader.u32()) else {
        return false;
    };
    // The smallest header: two versions, two texts.
    let header = reader
        .bytes(size as usize)
        .ok()
        .filter(|header| header.len() >= 16);
    header.is_some_and(|header| crc(header) == stated)
}

/// Reads a Rocket League replay.
///
/// # Errors
/// When not even the header can be read, or reading takes more memory than is allowed.
pub fn read(bytes: &[u8], options: &ReadOptions, report: &mut Report) -> Result<Replay> {
    let budget = options.limits.budget(bytes.len());
    let (header, header_end) = read_header(bytes, report).field("header")?;
    let mut replay = Replay {
        header,
        body: None,
        after: Bytes::default(),
    };
    if options.depth == Depth::Header {
        return Ok(replay);
    }
    let rest = bytes.get(header_end..).unwrap_or_default();
    let base = header_end as u64;
    let section = Section::new(rest, base);
    let first_finding = report.findings().len();
    let used = budget.used();
    // One thread computes the checksum while another one reads the frames.
    let (crc_of_stated, (mut body, length)) = both(
        || section.as_ref().map(|section| crc(section.stated())),
        || {
            let input = (rest, base);
            read_body_and_frames(&replay.header, input, section.as_ref(), &budget, report)
        },
    );
    if let (Some(section), Some(mut actual)) = (section, crc_of_stated) {
        let contents = section.contents.get(..length).unwrap_or_default();
        if length != section.stated().len() {
            actual = crc(contents);
        }
        let mut length = length;
        if actual != section.crc
            && length < section.contents.len()
            && let Some(whole) = section.whole_if_proven()
        {
            // The size is wrong: the checksum matches the rest of the file.
            report.truncate(first_finding);
            budget.rewind(used);
            let parts = (rest, base);
            (body, length) =
                read_body_and_frames(&replay.header, parts, Some(&whole), &budget, report);
            if length == section.contents.len() {
                actual = section.crc;
            }
        }
        body.stated.size = (length != section.size as usize).then_some(section.size);
        body.stated.crc = (actual != section.crc).then_some(section.crc);
        let after = section.contents.get(length..);
        replay.after = after.unwrap_or_default().into();
    }
    replay.body = Some(body);
    budget.settle(replay, report)
}

/// Reads the body and its frames; also returns the length of the body.
fn read_body_and_frames(
    header: &Header,
    (rest, base): (&[u8], u64),
    section: Option<&Section<'_>>,
    budget: &Budget,
    report: &mut Report,
) -> (Body, usize) {
    let Some(section) = section else {
        let place = ByteReader::<Little>::with_base(rest, base, Space::File).place();
        let message = "the file ends before its body";
        report.add(Severity::Lost, "body", "body", Some(place), message);
        let broken = Broken {
            part: Part::Size,
            bytes: rest.into(),
        };
        let body = Body {
            broken: Some(broken),
            ..Body::default()
        };
        return (body, 0);
    };
    let (mut body, (bytes, offset), length) = read_body(section, budget, report);
    let frames = match header.broken {
        // If the header is broken, the number of frames may be in the missing part.
        Some(_) => header.stated_frames().or(Some(u32::MAX)),
        None => header.stated_frames(),
    };
    body.network = match &body.broken {
        // Without frames no schema is needed.
        None if frames.is_some_and(|frames| frames > 0) => {
            let schema = schema_of(header, &body, (bytes, offset), budget);
            let stream = stream_of(&schema, &body, (bytes, offset), frames, budget);
            stream.decode(report)
        }
        broken => {
            let part = broken.as_ref().map(|broken| broken.part);
            decode::undecoded(bytes, offset, part, report)
        }
    };
    (body, length)
}

/// Reads `frames` frames starting at a keyframe, without those before it. Everything is sent again at a keyframe, so
/// the result is complete.
///
/// # Errors
/// When the file breaks before its tables end, there is no such keyframe, or one of the frames breaks.
pub fn read_from_keyframe(bytes: &[u8], keyframe: usize, frames: usize) -> Result<Network> {
    let mut report = Report::default();
    let (header, header_end) = read_header(bytes, &mut report).field("header")?;
    let rest = bytes.get(header_end..).unwrap_or_default();
    let Some(section) = Section::new(rest, header_end as u64) else {
        return Err(Error::invalid("the file ends before its body"));
    };
    let budget = Limits::default().budget(bytes.len());
    let (body, bytes, _) = read_body(&section, &budget, &mut report);
    if let Some(broken) = body.broken {
        return Err(Error::invalid(format!(
            "the body breaks in its {:?}",
            broken.part
        )));
    }
    let schema = schema_of(&header, &body, bytes, &budget);
    let stream = stream_of(&schema, &body, bytes, header.stated_frames(), &budget);
    stream.decode_from(keyframe, frames).field("network")
}

pub(super) fn stream_of<'a>(
    schema: &'a Schema,
    body: &'a Body,
    (bytes, offset): (&'a [u8], u64),
    frames: Option<u32>,
    budget: &'a Budget,
) -> Stream<'a> {
    Stream {
        bytes,
        offset,
        schema,
        objects: &body.objects,
        keyframes: &body.keyframes,
        frames,
        budget,
    }
}

/// The layout of the values in a body's stream.
pub(super) fn schema_of(
    header: &Header,
    body: &Body,
    bytes: (&[u8], u64),
    budget: &Budget,
) -> Schema {
    let mut schema = Schema::new(header, body);
    let stream = stream_of(&schema, body, bytes, header.stated_frames(), budget);
    schema.era.spawns_have_names = decode::spawns_have_names(&stream);
    schema
}

/// Reads the header; also returns its end.
fn read_header(bytes: &[u8], report: &mut Report) -> Result<(Header, usize)> {
    let mut outer = ByteReader::<Little>::new(bytes);
    let size = outer.u32().field("size")?;
    let stated_crc = outer.u32().field("crc")?;
    let start = outer.position();
    let section = |length: usize| {
        let bytes = outer.rest().get(..length).unwrap_or(outer.rest());
        ByteReader::<Little>::with_base(bytes, start as u64, Space::File)
    };
    let attempt = |length: usize| {
        let mut reader = section(length);
        let fields = read_header_fields(&mut reader);
        fields.map(|(header, failure)| (header, failure, reader.position()))
    };
    let mut length = outer.left().min(size as usize);
    let mut read = attempt(length);
    if !matches!(read, Ok((_, None, _))) {
        // The size may be wrong.
        let wider = attempt(outer.left());
        if let Ok((_, None, end)) = wider {
            (read, length) = (wider, end);
        } else if read.is_err() {
            (read, length) = (wider, outer.left());
        }
    }
    let (mut header, failure, end) = read?;
    let rest = section(length).rest().get(end..).unwrap_or_default();
    if let Some(error) = failure {
        report.lost("header", &error.in_field("header"));
        header.broken = Some(rest.into());
    } else {
        header.trailing = rest.into();
    }
    header.stated.size = (length != size as usize).then_some(size);
    let actual = crc(section(length).rest());
    header.stated.crc = (actual != stated_crc).then_some(stated_crc);
    Ok((header, start + length))
}

/// Reads the fields; an error in the properties is returned together with the fields before it.
fn read_header_fields(reader: &mut ByteReader<'_, Little>) -> Result<(Header, Option<Error>)> {
    let engine = reader.u32().field("engine")?;
    let licensee = reader.u32().field("licensee")?;
    let net = match Versions::have_net(engine, licensee) {
        true => Some(reader.u32().field("net")?),
        false => None,
    };
    let versions = Versions {
        engine,
        licensee,
        net,
    };
    let class = <Text as Wire<LittleBytes>>::read(reader, &()).field("class")?;
    let mut properties = Properties::default();
    let failure = properties.read_into(reader, &versions, 0).err();
    let header = Header {
        stated: Stated::default(),
        versions,
        class,
        properties,
        broken: None,
        trailing: Bytes::default(),
    };
    Ok((header, failure.map(|error| error.in_field("properties"))))
}

fn write_header(header: &Header) -> Result<Vec<u8>> {
    section(&header_contents(header)?, &header.stated)
}

fn header_contents(header: &Header) -> Result<Vec<u8>> {
    let Header {
        stated: _,
        versions,
        class,
        properties,
        broken,
        trailing,
    } = header;
    let mut writer = ByteWriter::<Little>::with_capacity(16 << 10);
    writer.u32(versions.engine);
    writer.u32(versions.licensee);
    if let Some(net) = versions.net {
        writer.u32(net);
    }
    <Text as Wire<LittleBytes>>::write(class, &mut writer, &()).field("class")?;
    match broken {
        None => properties.write(&mut writer).field("properties")?,
        Some(broken) => {
            properties.write_all(&mut writer).field("properties")?;
            writer.bytes(&broken.0);
        }
    }
    writer.bytes(&trailing.0);
    Ok(writer.into_bytes())
}

/// A section: size, checksum, contents.
fn section(contents: &[u8], stated: &Stated) -> Result<Vec<u8>> {
    let size =
        u32::try_from(contents.len()).map_err(|_| Error::unwritable("a section is too large"))?;
    let mut bytes = Vec::with_capacity(contents.len() + 8);
    bytes.extend_from_slice(&stated.size.unwrap_or(size).to_le_bytes());
    bytes.extend_from_slice(&stated.crc.unwrap_or_else(|| crc(contents)).to_le_bytes());
    bytes.extend_from_slice(contents);
    Ok(bytes)
}

/// The section of the body: its stated size and checksum, and the rest of the file.
struct Section<'a> {
    size: u32,
    crc: u32,
    /// The bytes up to the end of the file.
    contents: &'a [u8],
    /// Their offset.
    offset: u64,
}

impl<'a> Section<'a> {
    fn new(rest: &'a [u8], base: u64) -> Option<Self> {
        let mut reader = ByteReader::<Little>::with_base(rest, base, Space::File);
        Some(Self {
            size: reader.u32().ok()?,
            crc: reader.u32().ok()?,
            contents: reader.rest(),
            offset: base + 8,
        })
    }

    /// The section up to the end of the file, if that matches the checksum.
    fn whole_if_proven(&self) -> Option<Self> {
        let size = u32::try_from(self.contents.len()).ok()?;
        (crc(self.contents) == self.crc).then_some(Self {
            size,
            crc: self.crc,
            contents: self.contents,
            offset: self.offset,
        })
    }

    /// The section with the stated length, or up to the end of the file if that comes first.
    fn stated(&self) -> &'a [u8] {
        let contents = self.contents;
        contents.get(..self.size as usize).unwrap_or(contents)
    }
}

/// Reads the body except for the frames. Also returns the stream and its offset, and the length of the body.
fn read_body<'a>(
    section: &Section<'a>,
    budget: &Budget,
    report: &mut Report,
) -> (Body, (&'a [u8], u64), usize) {
    let (contents, offset) = (section.contents, section.offset);
    let attempt = |length: usize| {
        let section = contents.get(..length).unwrap_or(contents);
        let mut reader = ByteReader::with_base(section, offset, Space::File);
        let mut body = Body::default();
        let mut stream = (&section[..0], offset);
        let failure = read_parts(&mut body, &mut stream, &mut reader, budget).err();
        if let Some((part, error)) = failure {
            body.broken = Some(Broken {
                part,
                bytes: reader.rest().into(),
            });
            return (body, stream, section.len(), Some(error));
        }
        let before = reader.position();
        if !reader.is_empty() {
            match <Text as Wire<LittleBytes>>::read(&mut reader, &()) {
                Ok(text) => body.camera_track = Some(text),
                Err(_) => reader.seek(before),
            }
        }
        body.trailing = reader.rest().into();
        (body, stream, section.len(), None)
    };
    let stated_length = section.stated().len();
    let (mut body, mut stream, mut length, mut failure) = attempt(stated_length);
    if failure.is_some() && stated_length < contents.len() {
        // The size may be wrong.
        let whole = attempt(contents.len());
        if whole.3.is_none() {
            (body, stream, length, failure) = whole;
        }
    }
    if let Some(error) = failure {
        report.lost("body", &error.in_field("body"));
    }
    (body, stream, length)
}

/// Reads the parts one after the other; if one breaks, the reader stays before it.
fn read_parts<'a>(
    body: &mut Body,
    stream: &mut (&'a [u8], u64),
    reader: &mut ByteReader<'a, Little>,
    budget: &Budget,
) -> Result<(), (Part, Error)> {
    body.levels = read_list(reader, Part::Levels, "levels", budget)?;
    body.keyframes = read_list(reader, Part::Keyframes, "keyframes", budget)?;
    let start = reader.position();
    let bytes = reader
        .u32()
        .and_then(|size| {
            let offset = reader.place().offset;
            reader.bytes(size as usize).map(|bytes| (bytes, offset))
        })
        .map_err(|error| {
            reader.seek(start);
            (Part::Stream, error.in_field("network"))
        })?;
    *stream = bytes;
    read_tables(body, reader, budget)
}

/// Reads the parts after the stream.
pub(super) fn read_tables(
    body: &mut Body,
    reader: &mut ByteReader<'_, Little>,
    budget: &Budget,
) -> Result<(), (Part, Error)> {
    body.debug_strings = read_list(reader, Part::DebugStrings, "debug_strings", budget)?;
    body.tick_marks = read_list(reader, Part::TickMarks, "tick_marks", budget)?;
    body.packages = read_list(reader, Part::Packages, "packages", budget)?;
    body.objects = read_list(reader, Part::Objects, "objects", budget)?;
    body.names = read_list(reader, Part::Names, "names", budget)?;
    body.classes = read_list(reader, Part::Classes, "classes", budget)?;
    body.net_caches = read_list(reader, Part::NetCaches, "net_caches", budget)?;
    Ok(())
}

/// Reads a list; if it breaks, the reader stays before it.
pub(super) fn read_list<T: Wire<LittleBytes, Budget>>(
    reader: &mut ByteReader<'_, Little>,
    part: Part,
    name: &'static str,
    budget: &Budget,
) -> Result<Vec<T>, (Part, Error)> {
    let start = reader.position();
    <Vec<T> as Wire<LittleBytes, _>>::read(reader, budget).map_err(|error| {
        reader.seek(start);
        (part, error.in_field(name))
    })
}

/// Writes a Rocket League replay: the same bytes it was read from if nothing was changed.
///
/// # Errors
/// When the format cannot represent the model, or only the header was read.
pub fn write(replay: &Replay) -> Result<Vec<u8>> {
    let Replay {
        header,
        body,
        after,
    } = replay;
    let Some(body) = body else {
        return Err(Error::unwritable("only the header was read"));
    };
    let mut file = write_header(header).field("header")?;
    if let Some(Broken {
        part: Part::Size,
        bytes,
    }) = &body.broken
    {
        file.extend_from_slice(&bytes.0);
    } else {
        let start = file.len();
        let schema = Schema::new(header, body);
        let stream = encode::encode(&body.network, &schema)?;
        let mut writer = ByteWriter::<Little>::with_capacity(start + stream.len() + (256 << 10));
        writer.bytes(&file);
        writer.u32(0);
        writer.u32(0);
        write_parts(body, &stream, &mut writer).field("body")?;
        let contents = writer.as_bytes().get(start + 8..).unwrap_or_default();
        let size = u32::try_from(contents.len())
            .map_err(|_| Error::unwritable("the body is too large"))?;
        let sum = body.stated.crc.unwrap_or_else(|| crc(contents));
        writer.patch(start, &body.stated.size.unwrap_or(size).to_le_bytes());
        writer.patch(start + 4, &sum.to_le_bytes());
        file = writer.into_bytes();
    }
    file.extend_from_slice(&after.0);
    Ok(file)
}

/// The checksums of the header and of the body as they would be written; none for the body if the file ends before it.
pub(super) fn contents_crcs(replay: &Replay) -> Result<[Option<u32>; 2]> {
    let header = crc(&header_contents(&replay.header)?);
    let body = body_contents(replay)?.map(|contents| crc(&contents));
    Ok([Some(header), body])
}

/// The contents of the body's section; `None` if the file ends before it.
pub(super) fn body_contents(replay: &Replay) -> Result<Option<Vec<u8>>> {
    match &replay.body {
        None => Ok(None),
        Some(body) if matches!(&body.broken, Some(broken) if broken.part == Part::Size) => Ok(None),
        Some(body) => {
            let schema = Schema::new(&replay.header, body);
            let stream = encode::encode(&body.network, &schema)?;
            let mut writer = ByteWriter::<Little>::with_capacity(stream.len() + (256 << 10));
            write_parts(body, &stream, &mut writer)?;
            Ok(Some(writer.into_bytes()))
        }
    }
}

fn write_parts(body: &Body, stream: &[u8], writer: &mut ByteWriter<Little>) -> Result<()> {
    let Body {
        stated: _,
        levels,
        keyframes,
        network: _,
        debug_strings,
        tick_marks,
        packages,
        objects,
        names,
        classes,
        net_caches,
        camera_track,
        trailing,
        broken,
    } = body;
    let end = broken.as_ref().map(|broken| broken.part);
    let has = |part: Part| end.is_none_or(|end| part < end);
    if has(Part::Levels) {
        Wire::<LittleBytes>::write(levels, writer, &()).field("levels")?;
    }
    if has(Part::Keyframes) {
        Wire::<LittleBytes>::write(keyframes, writer, &()).field("keyframes")?;
    }
    if has(Part::Stream) {
        writer.count("the network stream", stream.len())?;
        writer.bytes(stream);
    }
    if has(Part::DebugStrings) {
        Wire::<LittleBytes>::write(debug_strings, writer, &()).field("debug_strings")?;
    }
    if has(Part::TickMarks) {
        Wire::<LittleBytes>::write(tick_marks, writer, &()).field("tick_marks")?;
    }
    if has(Part::Packages) {
        Wire::<LittleBytes>::write(packages, writer, &()).field("packages")?;
    }
    if has(Part::Objects) {
        Wire::<LittleBytes>::write(objects, writer, &()).field("objects")?;
    }
    if has(Part::Names) {
        Wire::<LittleBytes>::write(names, writer, &()).field("names")?;
    }
    if has(Part::Classes) {
        Wire::<LittleBytes>::write(classes, writer, &()).field("classes")?;
    }
    if has(Part::NetCaches) {
        Wire::<LittleBytes>::write(net_caches, writer, &()).field("net_caches")?;
    }
    match broken {
        Some(broken) => writer.bytes(&broken.bytes.0),
        None => {
            if let Some(track) = camera_track {
                Wire::<LittleBytes>::write(track, writer, &()).field("camera_track")?;
            }
            writer.bytes(&trailing.0);
        }
    }
    Ok(())
}
