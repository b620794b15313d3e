//! The `.rr` files of RumbleReplay, another recorder: a JSON header, then updates to the end of the file.
//!
//! Two versions of the updates are described, and the file does not state which one it has: see [`Body`]. No real file
//! was available; `docs/formats/rumble.md` lists the uncertain parts.
//!
//! - [`updates`]: version 2, the released recorder's
//! - [`elements`]: version 3, known only from a description
//! - `check`: findings and repair

mod check;
pub mod elements;
pub mod updates;

use serde::{Deserialize, Serialize};

use self::elements::ElementFrames;
use self::updates::Updates;
use super::model::manifest::Manifest;
use crate::error::{Context as _, Error, Result};
use crate::limits::Budget;
use crate::recording::{Depth, ReadOptions};
use crate::report::Report;
use crate::wire::bytes::{ByteReader, ByteWriter};
use crate::wire::json::Bytes;

pub(super) use check::{check, is_empty, repair};

/// The magic letters at the start.
pub const MAGIC: &[u8; 2] = b"RR";

/// Frames per second: the counter follows the game's physics.
pub const FRAMES_PER_SECOND: f64 = 50.0;

/// Maximum number of UTF-8 bytes for a UTF-16 unit. The header's length counts units, the text is UTF-8.
const BYTES_PER_UNIT: usize = 3;

/// A `.rr` file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RrReplay {
    /// The properties: version, players, scene, date.
    pub header: Manifest,
    /// The stated header length, if it is not the number of its UTF-16 units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated_header_length: Option<u16>,
    /// The changes; `None` if only the header was read.
    pub body: Option<Body>,
    /// The bytes after the last complete update.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub trailing: Bytes,
}

/// The updates, in one of the two layouts.
///
/// The file does not state which. The layout that decodes more of the bytes is taken, or version 2 if both are equal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "layout", content = "frames", rename_all = "snake_case")]
pub enum Body {
    /// Version 2.
    Updates(Updates),
    /// Version 3.
    Elements(ElementFrames),
}

impl RrReplay {
    /// The seconds of each frame since the first, one for each change of the counter.
    pub fn times_s(&self) -> Vec<f64> {
        let mut times_s = match &self.body {
            Some(Body::Updates(updates)) => updates.times_s(),
            Some(Body::Elements(frames)) => frames.times_s(),
            None => Vec::new(),
        };
        times_s.dedup();
        times_s
    }
}

/// True when the bytes start with the magic letters, a length and a JSON object.
pub fn sniff(bytes: &[u8]) -> bool {
    let Some(text) = bytes.strip_prefix(MAGIC).and_then(|rest| rest.get(2..)) else {
        return false;
    };
    let mut letters = text.iter().filter(|byte| !byte.is_ascii_whitespace());
    letters.next() == Some(&b'{') && matches!(letters.next(), None | Some(b'"' | b'}'))
}

/// Reads a `.rr` file.
///
/// # Errors
/// When the header is not complete.
pub(super) fn read(
    bytes: &[u8],
    options: &ReadOptions,
    budget: &Budget,
    report: &mut Report,
) -> Result<RrReplay> {
    let mut reader = ByteReader::new(bytes);
    reader.array::<2>().field("magic")?;
    let (header, stated_header_length) = read_header(&mut reader).field("header")?;
    let mut replay = RrReplay {
        header,
        stated_header_length,
        body: None,
        trailing: Bytes::default(),
    };
    if options.depth == Depth::Header {
        return Ok(replay);
    }
    let data = reader.clone();
    let walked = (
        Updates::walk(data.clone()),
        ElementFrames::walk(data, budget),
    );
    let (body, error) = if walked.1 > walked.0 {
        let (frames, error) = ElementFrames::read(&mut reader, budget);
        (Body::Elements(frames), error)
    } else {
        let (updates, error) = Updates::read(&mut reader, budget);
        (Body::Updates(updates), error)
    };
    replay.body = Some(body);
    replay.trailing = reader.rest().into();
    if let Some(error) = error {
        report.lost("cut", &error.in_field("frames"));
    }
    Ok(replay)
}

/// Reads the header, whose length may count letters instead of bytes: it ends where the JSON ends.
fn read_header(reader: &mut ByteReader<'_>) -> Result<(Manifest, Option<u16>)> {
    let length = reader.u16().field("length")?;
    let place = reader.place();
    let rest = reader.rest();
    let longest = usize::from(length) * BYTES_PER_UNIT;
    let text = rest.get(..longest.min(rest.len())).unwrap_or_default();
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<serde_json::Value>();
    let value = values.next();
    let mut end = values.byte_offset();
    match value {
        Some(Ok(value)) if value.is_object() => {}
        Some(Err(error)) if error.is_eof() && rest.len() < longest => {
            // Reads past the end, which gives the right error.
            reader.bytes(usize::from(length).max(rest.len() + 1))?;
            return Err(reader.invalid("the header ends early"));
        }
        Some(Err(error)) => {
            return Err(Error::invalid(format!("the header is not JSON: {error}")).at(place));
        }
        _ => return Err(Error::invalid("the header is not a JSON object").at(place)),
    }
    // Spaces after the JSON belong to the header if its length includes them.
    while end < usize::from(length) && rest.get(end).is_some_and(u8::is_ascii_whitespace) {
        end += 1;
    }
    let header = Manifest::read(reader.bytes(end)?.to_vec());
    let is_stated = units(&header) != usize::from(length);
    Ok((header, is_stated.then_some(length)))
}

/// Number of UTF-16 units in the header's text, which .NET uses as its length.
fn units(header: &Manifest) -> usize {
    let text = header.to_bytes();
    String::from_utf8_lossy(&text).encode_utf16().count()
}

/// Writes a `.rr` file: the same bytes it was read from if nothing was changed.
///
/// # Errors
/// When the format cannot represent the model, or only the header was read.
pub(super) fn write(replay: &RrReplay) -> Result<Vec<u8>> {
    let RrReplay {
        header,
        stated_header_length,
        body,
        trailing,
    } = replay;
    let Some(body) = body else {
        return Err(Error::unwritable("only the header was read"));
    };
    let mut writer = ByteWriter::new();
    writer.bytes(MAGIC);
    let length = match stated_header_length {
        Some(length) => *length,
        None => u16::try_from(units(header))
            .map_err(|_| Error::unwritable("a header of more than 65,535 letters"))?,
    };
    writer.u16(length);
    writer.bytes(&header.to_bytes());
    match body {
        Body::Updates(updates) => updates.write(&mut writer),
        Body::Elements(frames) => frames.write(&mut writer),
    }
    .field("frames")?;
    writer.bytes(&trailing.0);
    Ok(writer.into_bytes())
}
