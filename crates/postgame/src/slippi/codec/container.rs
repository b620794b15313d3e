//! What is around the events, and reading and writing from end to end.
//!
//! A replay is one UBJSON object of two elements: `raw`, an array of bytes with its length before it, and `metadata`.
//! The length is 0 until the recorder has finished; cut, unpatched and edited files are common. So the events are
//! walked as far as they go, and then the elements are looked for where they can be.

use super::builder::Builder;
use super::model::Replay;
use super::model::payloads::{Payloads, SizeTable, code};
use super::model::start::{Start, read_payload};
use super::ubjson::{self, Pairs};
use super::{header, write as writing};
use crate::error::{Context, Error, Place, Problem, Result, Space};
use crate::limits::LOOSE_EVENTS;
use crate::recording::{Depth, ReadOptions};
use crate::report::{Report, Severity};
use crate::wire::bytes::{Big, ByteReader};

/// What every replay begins with: an object whose first key is `raw`, an array of bytes with a 32-bit count.
pub(crate) const PREFIX: &[u8; 11] = b"{U\x03raw[$U#l";

/// Where the events begin: after the prefix and their length.
pub(crate) const EVENTS_AT: usize = PREFIX.len() + 4;

/// What the element after the events begins with.
pub(crate) const METADATA: &[u8; 11] = b"U\x08metadata{";

/// True for what begins like a replay.
pub fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(PREFIX) || is_bare(bytes)
}

/// The oldest files have no UBJSON and no sizes: the game's start and two more events are all there is to go by.
fn is_bare(bytes: &[u8]) -> bool {
    let sizes = Payloads::of_bare_files().table();
    let mut walk = Walk {
        bytes,
        at: 0,
        end: bytes.len(),
        sizes: &sizes,
    };
    let codes: Vec<u8> = walk.by_ref().take(3).map(|(event, _)| event).collect();
    matches!(
        codes[..],
        [
            code::START,
            code::PRE | code::POST,
            code::PRE | code::POST | code::END
        ]
    )
}

/// Steps over events as far as there are whole ones of declared sizes.
pub(crate) struct Walk<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
    pub end: usize,
    pub sizes: &'a SizeTable,
}

impl<'a> Iterator for Walk<'a> {
    type Item = (u8, &'a [u8]);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let event = *self.bytes.get(self.at).filter(|_| self.at < self.end)?;
        let start = self.at + 1;
        let end = start + self.sizes.get(event)?;
        if end > self.end {
            return None;
        }
        let payload = self.bytes.get(start..end)?;
        self.at = end;
        Some((event, payload))
    }
}

/// The beginning of a file: up to and with the game's start.
pub(crate) struct Beginning {
    pub is_bare: bool,
    /// What the file says of the length of its events.
    pub stated_length: u32,
    pub payloads: Payloads,
    pub start: Start,
    /// Where the events begin, for the length counts from there.
    pub events_at: usize,
    /// Where the event after the game's start begins.
    pub at: usize,
}

impl Beginning {
    /// Reads the beginning.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        let mut reader = ByteReader::<Big>::new(bytes);
        let is_bare = !bytes.starts_with(PREFIX);
        let (stated_length, payloads) = if is_bare {
            (0, Payloads::of_bare_files())
        } else {
            reader.seek(PREFIX.len());
            let length = reader.u32().field("length")?;
            (length, Payloads::read(&mut reader).field("payloads")?)
        };
        let events_at = if is_bare { 0 } else { EVENTS_AT };
        let place = reader.place();
        let event = reader.u8().field("start")?;
        let size = payloads.size(code::START);
        let (code::START, Some(size)) = (event, size) else {
            let message = format!("the second event is {event:#04x}, not the game's start");
            return Err(Error::invalid(message).at(place).in_field("start"));
        };
        let start = reader.sub(size).and_then(read_payload).field("start")?;
        Ok(Self {
            is_bare,
            stated_length,
            payloads,
            start,
            events_at,
            at: reader.position(),
        })
    }
}

/// Reads a replay.
///
/// # Errors
/// When the file ends before the game's start does.
pub fn read(bytes: &[u8], options: &ReadOptions, report: &mut Report) -> Result<Replay> {
    if options.depth == Depth::Header {
        return header::read_bytes(bytes, report);
    }
    let Beginning {
        is_bare,
        stated_length,
        payloads,
        start,
        events_at,
        at,
    } = Beginning::read(bytes)?;
    let stated_end = (stated_length > 0).then(|| events_at.saturating_add(stated_length as usize));
    let end = stated_end.unwrap_or(bytes.len()).min(bytes.len());

    let sizes = payloads.table();
    let mut builder = Builder::new(&payloads);
    builder.reserve(bytes.get(at..end).unwrap_or_default(), &sizes);
    let mut walk = Walk {
        bytes,
        at,
        end,
        sizes: &sizes,
    };
    while !builder.is_flooded()
        && let Some((event, payload)) = walk.next()
    {
        builder.event(event, payload);
    }
    let stop = walk.at;
    let built = builder.finish();
    let rest = find_rest(bytes, stop, stated_end);
    report_remains(bytes, stop, &rest, &sizes, report);

    let raw_length = rest.raw_end - events_at;
    let stated_length = (stated_length as usize != raw_length && !is_bare).then_some(stated_length);
    Ok(Replay {
        is_bare,
        stated_length,
        payloads,
        start,
        before: built.before,
        frames: Some(built.frames),
        after: built.after,
        remains: bytes.get(stop..rest.raw_end).unwrap_or_default().into(),
        elements: rest.elements,
        is_closed: rest.is_closed,
        trailing: rest.trailing.into(),
        header_last_frame: None,
    })
}

/// What comes after the events.
pub(crate) struct Rest<'a> {
    pub raw_end: usize,
    pub elements: Pairs,
    pub is_closed: bool,
    pub trailing: &'a [u8],
    /// Why the elements could not be read.
    pub error: Option<Error>,
}

/// Finds the elements: where the stated length says, else where the events stop, else wherever `metadata` begins.
pub(crate) fn find_rest(bytes: &[u8], stop: usize, stated_end: Option<usize>) -> Rest<'_> {
    let stated_end = stated_end.filter(|&end| end <= bytes.len() && end >= stop);
    let later = || {
        let rest = bytes.get(stop..).unwrap_or_default();
        let found = rest
            .windows(METADATA.len())
            .rposition(|window| window == METADATA);
        found.map(|found| stop + found)
    };
    let places = [stated_end, Some(stop).filter(|_| stated_end != Some(stop))];
    let mut first_error = None;
    for raw_end in places.into_iter().flatten().chain(std::iter::from_fn({
        // Searched for only when both places have nothing.
        let mut later = Some(later);
        move || later.take().and_then(|later| later())
    })) {
        let mut reader = ByteReader::<Big>::with_base(bytes, 0, Space::File);
        reader.seek(raw_end);
        match ubjson::read_members(&mut reader) {
            Ok(elements) => {
                return Rest {
                    raw_end,
                    elements,
                    is_closed: true,
                    trailing: reader.rest(),
                    error: None,
                };
            }
            Err(error) if Some(raw_end) == stated_end => first_error = Some(error),
            Err(error) => {
                first_error.get_or_insert(error);
            }
        }
    }
    // Nothing more can be read. What the stated length covers belongs to the events; without one, the rest is theirs
    // unless it begins as the elements do.
    let tail = bytes.get(stop..).unwrap_or_default();
    let is_cut_metadata =
        !tail.is_empty() && (tail.starts_with(METADATA) || METADATA.starts_with(tail));
    let raw_end = stated_end.unwrap_or(if is_cut_metadata { stop } else { bytes.len() });
    let trailing = bytes.get(raw_end..).unwrap_or_default();
    Rest {
        raw_end,
        elements: Pairs::new(),
        is_closed: false,
        trailing,
        error: first_error,
    }
}

/// Says what could not be read.
fn report_remains(
    bytes: &[u8],
    stop: usize,
    rest: &Rest<'_>,
    sizes: &SizeTable,
    report: &mut Report,
) {
    let place = Some(Place {
        offset: stop as u64,
        bit: None,
        space: Space::File,
    });
    if stop < rest.raw_end {
        let left = rest.raw_end - stop;
        let event = bytes.get(stop).copied().unwrap_or_default();
        match sizes.get(event) {
            Some(size) if left > size => {
                let message = format!(
                    "more than {LOOSE_EVENTS} events outside of frames; {left} bytes are kept unread"
                );
                report.add(Severity::Lost, "event-flood", "events", place, message);
            }
            Some(size) => {
                let problem = Problem::EndsEarly {
                    wanted: size as u64 + 1,
                    left: left as u64,
                    unit: "bytes",
                };
                report.add(
                    Severity::Lost,
                    "event-cut",
                    "events",
                    place,
                    format!("event {event:#04x}: {problem}"),
                );
            }
            None => {
                let message = format!(
                    "event {event:#04x} was not declared; it and the {} bytes after it are kept unread",
                    left - 1
                );
                report.add(Severity::Lost, "event-undeclared", "events", place, message);
            }
        }
    }
    if !rest.is_closed {
        match &rest.error {
            Some(error) if !rest.trailing.is_empty() => report.lost("metadata", error),
            _ => report.add(
                Severity::Lost,
                "file-cut",
                "",
                None,
                "the file ends without its metadata and closing bracket",
            ),
        }
    }
}

/// Writes a replay: the bytes it was read from if nothing was changed.
///
/// # Errors
/// When the model holds something the format has no room for, or only the header was read.
pub fn write(replay: &Replay) -> Result<Vec<u8>> {
    writing::write(replay)
}
