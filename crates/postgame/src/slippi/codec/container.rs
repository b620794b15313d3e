//! The outer layer of a replay, and reading and writing from end to end.
//!
//! A replay is one UBJSON object with two elements: `raw`, an array of bytes preceded by its length, and `metadata`.
//! The length is 0 until the recorder has finished, and cut, unpatched and edited files are common. So the reader first
//! walks the events as far as possible, and then looks for the elements in all places where they can be.

use std::ops::Range;

use super::builder::{Builder, Built};
use super::model::payloads::{Payloads, SizeTable, code};
use super::model::start::{Start, read_payload};
use super::model::{Gap, Replay};
use super::resync::{Run, find_runs};
use super::ubjson::{self, Pairs};
use super::{header, slpz, write as writing};
use crate::error::{Context, Error, Place, Problem, Result, Space};
use crate::limits::{Budget, LOOSE_EVENTS};
use crate::recording::{Depth, ReadOptions};
use crate::report::{Report, Severity};
use crate::wire::bytes::{Big, ByteReader};

/// The start of every replay: an object whose first key is `raw`, an array of bytes with a 32-bit count.
pub(crate) const PREFIX: &[u8; 11] = b"{U\x03raw[$U#l";

/// The offset of the events: after the prefix and their length.
pub(crate) const EVENTS_AT: usize = PREFIX.len() + 4;

/// The start of the element after the events.
pub(crate) const METADATA: &[u8; 11] = b"U\x08metadata{";

/// True for bytes that start like a replay.
pub fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(PREFIX) || is_bare(bytes)
}

/// The oldest files have neither UBJSON nor sizes: the only evidence is the game's start and two more events.
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

/// Steps over complete events of declared sizes.
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

/// The start of a file: everything up to and including the game's start.
pub(crate) struct Beginning {
    pub is_bare: bool,
    /// The stated length of the events.
    pub stated_length: u32,
    pub payloads: Payloads,
    pub start: Start,
    /// The offset of the events, from which the length counts.
    pub events_at: usize,
    /// The offset of the event after the game's start.
    pub at: usize,
}

impl Beginning {
    /// Reads the start of a file.
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
/// When the file ends before the game's start does, or reading takes more memory than is allowed.
pub fn read(bytes: &[u8], options: &ReadOptions, report: &mut Report) -> Result<Replay> {
    if slpz::sniff(bytes) {
        let slp = slpz::unpack(bytes, &options.limits)?;
        return read(&slp, options, report);
    }
    if options.depth == Depth::Header {
        return header::read_bytes(bytes, &options.limits, report);
    }
    let budget = options.limits.budget(bytes.len());
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
    // Columns take as much as the events, plus the row of each; loose events are few.
    let events = end.saturating_sub(at) as u64;
    budget
        .charge(events.saturating_mul(2))
        .map_err(|error| error.at(in_file(at)))
        .field("events")?;
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
    let mut stop = walk.at;
    let is_flooded = builder.is_flooded();
    let mut built = builder.finish();
    let used = budget.used();
    let mut rest = find_rest(bytes, stop, stated_end, &budget);
    let mut gaps = Vec::new();
    let is_cut = !rest.is_closed && is_cut_event(bytes, stop, &sizes);
    if stop < rest.raw_end && !is_flooded && !is_cut && !built.frames.is_combined {
        // A walk that lost track can have passed the elements.
        let events_end = find_rest(bytes, at, stated_end, &Budget::new(budget.left())).raw_end;
        if let Some(salvaged) = salvage(bytes, at..events_end, stop - at, &payloads, &sizes) {
            report_gaps(&salvaged.runs, at, report);
            gaps = salvaged.gaps(bytes, at, events_at);
            (stop, built) = (salvaged.stop, salvaged.built);
            budget.rewind(used);
            rest = find_rest(bytes, stop, stated_end, &budget);
        }
    }
    report_remains(bytes, stop, &rest, &sizes, report);

    let raw_length = rest.raw_end - events_at;
    let stated_length = (stated_length as usize != raw_length && !is_bare).then_some(stated_length);
    let replay = Replay {
        is_bare,
        stated_length,
        payloads,
        start,
        before: built.before,
        frames: Some(built.frames),
        after: built.after,
        remains: bytes.get(stop..rest.raw_end).unwrap_or_default().into(),
        gaps,
        elements: rest.elements,
        is_closed: rest.is_closed,
        trailing: rest.trailing.into(),
        header_last_frame: None,
    };
    budget.settle(replay, report)
}

fn in_file(offset: usize) -> Place {
    Place {
        offset: offset as u64,
        bit: None,
        space: Space::File,
    }
}

/// True when the file ends within a declared event: the recording was cut off there, and nothing follows.
fn is_cut_event(bytes: &[u8], stop: usize, sizes: &SizeTable) -> bool {
    let event = bytes.get(stop).copied().unwrap_or_default();
    let left = bytes.len().saturating_sub(stop);
    sizes.get(event).is_some_and(|size| left <= size)
}

/// The events that were found again after damage.
struct Salvaged {
    runs: Vec<Run>,
    built: Built,
    /// The end of the last one.
    stop: usize,
}

impl Salvaged {
    /// The bytes before, between and after the runs.
    fn gaps(&self, bytes: &[u8], at: usize, events_at: usize) -> Vec<Gap> {
        let mut before = at;
        let mut gaps = Vec::new();
        for run in &self.runs {
            if let Some(gap) = bytes
                .get(before..run.place.start)
                .filter(|gap| !gap.is_empty())
            {
                gaps.push(Gap {
                    offset: (before - events_at) as u64,
                    bytes: gap.into(),
                });
            }
            before = run.place.end;
        }
        gaps
    }
}

/// Reads the plausible events and skips other bytes; `None` if that yields no more than reading in a row.
fn salvage(
    bytes: &[u8],
    place: Range<usize>,
    read_bytes: usize,
    payloads: &Payloads,
    sizes: &SizeTable,
) -> Option<Salvaged> {
    let mut runs = find_runs(bytes, place, sizes);
    let found: usize = runs.iter().map(|run| run.place.len()).sum();
    if found <= read_bytes {
        return None;
    }
    let mut builder = Builder::new(payloads);
    let mut stop = runs.first()?.place.start;
    let mut whole_runs = 0;
    for run in &mut runs {
        let mut walk = Walk {
            bytes,
            at: run.place.start,
            end: run.place.end,
            sizes,
        };
        while !builder.is_flooded()
            && let Some((event, payload)) = walk.next()
        {
            builder.event(event, payload);
        }
        stop = walk.at;
        run.place.end = stop;
        whole_runs += 1;
        if builder.is_flooded() {
            break;
        }
    }
    runs.truncate(whole_runs);
    Some(Salvaged {
        runs,
        built: builder.finish(),
        stop,
    })
}

/// Reports the bytes between runs of events.
fn report_gaps(runs: &[Run], at: usize, report: &mut Report) {
    let mut series = report.series(Severity::Lost, "event-gap");
    let (mut before, mut frame_before) = (at, None);
    for run in runs {
        let length = run.place.start - before;
        if length > 0 {
            let place = Place {
                offset: before as u64,
                bit: None,
                space: Space::File,
            };
            let name = |frame: Option<i32>| {
                frame.map_or_else(|| "none".to_owned(), |frame| frame.to_string())
            };
            let (last, next) = (name(frame_before), name(run.first_frame));
            series.add(
                || "events".to_owned(),
                Some(place),
                || format!("{length} bytes hold no whole event; the last frame before them is {last}, the next one is {next}"),
            );
        }
        before = run.place.end;
        frame_before = run.last_frame.or(frame_before);
    }
}

/// The part of the file after the events.
pub(crate) struct Rest<'a> {
    pub raw_end: usize,
    pub elements: Pairs,
    pub is_closed: bool,
    pub trailing: &'a [u8],
    /// The error that prevented reading the elements.
    pub error: Option<Error>,
}

/// Finds the elements: at the stated length, else where the events stop, else at the last `metadata` key.
pub(crate) fn find_rest<'a>(
    bytes: &'a [u8],
    stop: usize,
    stated_end: Option<usize>,
    budget: &Budget,
) -> Rest<'a> {
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
        // Searched only if both places have nothing.
        let mut later = Some(later);
        move || later.take().and_then(|later| later())
    })) {
        let mut reader = ByteReader::<Big>::with_base(bytes, 0, Space::File);
        reader.seek(raw_end);
        match ubjson::read_members(&mut reader, budget) {
            Ok(elements) => {
                return Rest {
                    raw_end,
                    elements,
                    is_closed: true,
                    trailing: reader.rest(),
                    error: None,
                };
            }
            Err(error) => {
                // Another place has no more memory.
                let is_final = error.is_out_of_memory();
                first_error.get_or_insert(error);
                if is_final {
                    break;
                }
            }
        }
    }
    // Nothing more can be read. Bytes within the stated length belong to the events. Without a length, the rest does
    // too, unless it starts like the elements.
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

/// Reports the parts that could not be read.
fn report_remains(
    bytes: &[u8],
    stop: usize,
    rest: &Rest<'_>,
    sizes: &SizeTable,
    report: &mut Report,
) {
    let place = Some(in_file(stop));
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

/// Writes a replay: the same bytes it was read from if nothing was changed.
///
/// # Errors
/// When the format cannot represent the model, or only the header was read.
pub fn write(replay: &Replay) -> Result<Vec<u8>> {
    writing::write(replay)
}
