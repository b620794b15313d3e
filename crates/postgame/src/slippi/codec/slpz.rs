//! `.slpz`, replays compressed by the slpz tool: a header, the first two events, the metadata and the other events,
//! transposed and compressed with Zstandard. `docs/formats/slippi.md` has the byte table.

use super::container::{EVENTS_AT, PREFIX, Walk};
use super::model::payloads::{Payloads, SizeTable, code};
use crate::error::{Error, Place, Result, Space};
use crate::limits::Limits;
use crate::wire::bytes::{Big, ByteReader};

/// The only version so far.
const VERSION: u32 = 0;

/// Version, four offsets and the size of the events after decompression.
const HEADER: usize = 24;

/// How hard to compress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// Quickly: what the slpz tool does unless told otherwise.
    #[default]
    Fast,
    /// Into fewer bytes.
    Small,
}

/// True for what begins like a `.slpz` file.
pub fn sniff(bytes: &[u8]) -> bool {
    let number = |at: usize| bytes.get(at..at + 4);
    number(0) == Some(&VERSION.to_be_bytes())
        && number(4) == Some(&(HEADER as u32).to_be_bytes())
        && bytes.get(HEADER) == Some(&code::PAYLOADS)
}

/// Restores the bytes of the `.slp` file.
///
/// # Errors
/// When the file is cut, contradicts itself, or takes more memory than is allowed.
pub fn unpack(bytes: &[u8], limits: &Limits) -> Result<Vec<u8>> {
    let mut reader = ByteReader::<Big>::new(bytes);
    let version = reader.u32()?;
    if version != VERSION {
        return Err(Error::unsupported(format!("version {version} of .slpz")).in_field("version"));
    }
    let mut offsets = [0_usize; 5];
    for offset in offsets.iter_mut().take(4) {
        *offset = reader.u32()? as usize;
    }
    let size = reader.u32()? as usize;
    offsets[4] = bytes.len();
    let section = |index: usize, name: &'static str| {
        let ends = offsets.get(index).zip(offsets.get(index + 1));
        let found = ends.and_then(|(&start, &end)| bytes.get(start..end));
        found.ok_or_else(|| {
            damaged("a section is outside of the file", 4 + 4 * index).in_field(name)
        })
    };
    let sizes = section(0, "sizes")?;
    let start = section(1, "start")?;
    let metadata = section(2, "metadata")?;
    let packed = section(3, "events")?;
    // The events, put back, and the whole file.
    limits.budget(bytes.len()).charge(2 * size as u64)?;
    let transposed = zstd::bulk::decompress(packed, size)
        .map_err(|error| damaged(&error.to_string(), offsets[3]).in_field("events"))?;
    if transposed.len() != size {
        let message = format!("{} bytes, not the {size} stated", transposed.len());
        return Err(damaged(&message, offsets[3]).in_field("events"));
    }
    let table = size_table(sizes)?;
    let events = restore(&transposed, &table).in_events()?;
    let raw = sizes.len() + start.len() + events.len();
    let raw = u32::try_from(raw).map_err(|_| damaged("the events are too long", 20))?;
    let mut slp = Vec::with_capacity(EVENTS_AT + raw as usize + metadata.len());
    slp.extend_from_slice(PREFIX);
    slp.extend_from_slice(&raw.to_be_bytes());
    for part in [sizes, start, &events, metadata] {
        slp.extend_from_slice(part);
    }
    Ok(slp)
}

/// Compresses the bytes of a `.slp` file.
///
/// # Errors
/// When the format cannot hold the file: the events' length is missing or wrong, or events lack a declared size.
pub fn pack(slp: &[u8], level: Level) -> Result<Vec<u8>> {
    let refused =
        |message: &str| Error::unwritable(format!(".slpz cannot hold this file: {message}"));
    let length = slp
        .get(PREFIX.len()..EVENTS_AT)
        .and_then(|one| one.first_chunk());
    let (true, Some(length)) = (slp.starts_with(PREFIX), length) else {
        return Err(refused("it does not begin with the events' length"));
    };
    let end = EVENTS_AT + u32::from_be_bytes(*length) as usize;
    let Some(raw) = slp.get(EVENTS_AT..end).filter(|raw| !raw.is_empty()) else {
        return Err(refused("the events' length is missing or wrong"));
    };
    let metadata = slp.get(end..).unwrap_or_default();
    // The sizes' event states its own length.
    let start_at = 1 + usize::from(raw.get(1).copied().unwrap_or(0));
    let sizes = raw
        .get(..start_at)
        .filter(|one| one.first() == Some(&code::PAYLOADS));
    let sizes = sizes.ok_or_else(|| refused("the first event is not that of sizes"))?;
    let table = size_table(sizes)?;
    let walk = |at: usize| Walk {
        bytes: raw,
        at,
        end: raw.len(),
        sizes: &table,
    };
    let mut events = walk(start_at);
    if !matches!(events.next(), Some((code::START, _))) {
        return Err(refused("the second event is not the game's start"));
    }
    let events_at = events.at;
    let transposed = transpose(walk(events_at)).ok_or_else(|| refused("an event is not whole"))?;
    let level = match level {
        Level::Fast => 3,
        Level::Small => 12,
    };
    let packed = zstd::bulk::compress(&transposed, level)
        .map_err(|error| Error::unwritable(error.to_string()))?;
    let start_offset = HEADER + start_at;
    let metadata_offset = HEADER + events_at;
    let packed_offset = metadata_offset + metadata.len();
    let mut slpz = Vec::with_capacity(packed_offset + packed.len());
    slpz.extend_from_slice(&VERSION.to_be_bytes());
    let offsets = [
        HEADER,
        start_offset,
        metadata_offset,
        packed_offset,
        transposed.len(),
    ];
    for number in offsets {
        let number = u32::try_from(number).map_err(|_| refused("it is too large"))?;
        slpz.extend_from_slice(&number.to_be_bytes());
    }
    slpz.extend_from_slice(raw.get(..events_at).unwrap_or_default());
    slpz.extend_from_slice(metadata);
    slpz.extend_from_slice(&packed);
    Ok(slpz)
}

fn damaged(message: &str, offset: usize) -> Error {
    let place = Place {
        space: Space::File,
        offset: offset as u64,
        bit: None,
    };
    Error::invalid(message).at(place)
}

/// The sizes of all events, from the event that declares them.
fn size_table(event: &[u8]) -> Result<SizeTable> {
    let mut reader = ByteReader::<Big>::new(event);
    Ok(Payloads::read(&mut reader)?.table())
}

/// The codes of all events, and then, for each code, the first bytes of all its payloads, the second ones, and so on.
/// `None` where events do not fill the area.
fn transpose(mut events: Walk<'_>) -> Option<Vec<u8>> {
    let mut codes = Vec::new();
    let mut payloads: Vec<Vec<&[u8]>> = vec![Vec::new(); 256];
    for (code, payload) in events.by_ref() {
        codes.push(code);
        payloads.get_mut(usize::from(code))?.push(payload);
    }
    if events.at != events.end {
        return None;
    }
    let mut bytes = Vec::with_capacity(4 + events.bytes.len());
    bytes.extend_from_slice(&u32::try_from(codes.len()).ok()?.to_be_bytes());
    bytes.extend_from_slice(&codes);
    for of_code in payloads {
        let width = of_code.first().map_or(0, |first| first.len());
        for at in 0..width {
            bytes.extend(of_code.iter().filter_map(|payload| payload.get(at)));
        }
    }
    Some(bytes)
}

/// Puts the events back.
fn restore(transposed: &[u8], table: &SizeTable) -> Option<Vec<u8>> {
    let count = u32::from_be_bytes(*transposed.first_chunk()?) as usize;
    let codes = transposed.get(4..4_usize.checked_add(count)?)?;
    let mut counts = [0_usize; 256];
    for &code in codes {
        *counts.get_mut(usize::from(code))? += 1;
    }
    // Where the columns of each code begin.
    let mut columns = [0_usize; 256];
    let mut at = 4 + count;
    for code in 0..=u8::MAX {
        let index = usize::from(code);
        *columns.get_mut(index)? = at;
        let count = *counts.get(index)?;
        if count > 0 {
            at = at.checked_add(count.checked_mul(table.get(code)?)?)?;
        }
    }
    if at != transposed.len() {
        return None;
    }
    let mut events = Vec::with_capacity(transposed.len());
    let mut seen = [0_usize; 256];
    for &code in codes {
        let index = usize::from(code);
        events.push(code);
        let seen = seen.get_mut(index)?;
        let first = *columns.get(index)? + *seen;
        let step = *counts.get(index)?;
        events.extend((0..table.get(code)?).filter_map(|byte| transposed.get(first + byte * step)));
        *seen += 1;
    }
    Some(events)
}

/// Says that the events do not fit their sizes.
trait InEvents<T> {
    fn in_events(self) -> Result<T>;
}

impl<T> InEvents<T> for Option<T> {
    fn in_events(self) -> Result<T> {
        let error = || Error::invalid("the events do not fit their sizes").in_field("events");
        self.ok_or_else(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with events of sizes 4, 3 and 2.
    fn file() -> Vec<u8> {
        let mut raw = vec![code::PAYLOADS, 13];
        for (code, size) in [(code::START, 1_u16), (1, 4), (2, 3), (3, 2)] {
            raw.push(code);
            raw.extend_from_slice(&size.to_be_bytes());
        }
        raw.extend_from_slice(&[code::START, 9]);
        raw.extend_from_slice(b"\x01ABCD\x02EFG\x01ABCD\x03HI\x02EFG");
        let mut slp = PREFIX.to_vec();
        slp.extend_from_slice(&(raw.len() as u32).to_be_bytes());
        slp.extend_from_slice(&raw);
        slp.extend_from_slice(b"U\x08metadata{}}");
        slp
    }

    #[test]
    fn events_come_back_in_their_order() {
        let slp = file();
        for level in [Level::Fast, Level::Small] {
            let slpz = pack(&slp, level).unwrap();
            assert!(sniff(&slpz));
            assert_eq!(unpack(&slpz, &Limits::default()).unwrap(), slp);
        }
        let raw = &slp[EVENTS_AT..slp.len() - b"U\x08metadata{}}".len()];
        let table = size_table(raw).unwrap();
        let events = Walk {
            bytes: raw,
            at: 16,
            end: raw.len(),
            sizes: &table,
        };
        let transposed = transpose(events).unwrap();
        assert_eq!(
            transposed,
            b"\0\0\0\x05\x01\x02\x01\x03\x02AABBCCDDEEFFGGHI"
        );
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let slp = file();
        let mut no_length = slp.clone();
        no_length[11..15].fill(0);
        assert!(pack(&no_length, Level::Fast).is_err());
        let slpz = pack(&slp, Level::Fast).unwrap();
        for end in 0..slpz.len() {
            assert!(unpack(&slpz[..end], &Limits::default()).is_err());
        }
        let mut large = slpz.clone();
        large[20..24].fill(0xff);
        let error = unpack(&large, &Limits::default()).unwrap_err();
        assert!(error.is_out_of_memory());
    }
}
