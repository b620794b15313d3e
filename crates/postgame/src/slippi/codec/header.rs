//! Reads the summary of a replay in two small reads: the start of the file, and its end. Frames are never read, so the
//! time does not depend on the file's size.

use std::borrow::Cow;
use std::io::{self, Read, Seek, SeekFrom};

use super::container::{Beginning, METADATA, Walk, find_rest};
use super::model::Replay;
use super::model::messages::Message;
use super::model::payloads::{SizeTable, code};
use crate::error::{Error, Place, Result, Space};
use crate::limits::{Budget, Limits};
use crate::report::{Report, Severity};
use crate::wire::json::Bytes;

/// Size of the first read: sizes and the game's start take less than 1 KiB in every version so far.
const BEGINNING: usize = 2048;

/// Size of the end of the events, enough for a complete frame: sixteen characters and fifteen items.
const LAST_FRAME: usize = 4096;

/// If no length is stated, the metadata is searched in this many bytes at the end of the file.
const UNPATCHED_END: usize = 16 << 10;

/// Maximum size of the second read.
const LONGEST_END: usize = 256 << 10;

/// A source of a file's bytes, read in pieces.
trait Source {
    /// The length of the file.
    fn size(&self) -> u64;
    /// Up to `count` bytes, starting at an offset.
    fn at(&mut self, offset: u64, count: usize) -> io::Result<Cow<'_, [u8]>>;
}

impl Source for &[u8] {
    fn size(&self) -> u64 {
        self.len() as u64
    }

    fn at(&mut self, offset: u64, count: usize) -> io::Result<Cow<'_, [u8]>> {
        let rest = usize::try_from(offset)
            .ok()
            .and_then(|offset| self.get(offset..))
            .unwrap_or_default();
        Ok(rest.get(..count).unwrap_or(rest).into())
    }
}

struct Seeking<R> {
    input: R,
    size: u64,
}

impl<R: Read + Seek> Source for Seeking<R> {
    fn size(&self) -> u64 {
        self.size
    }

    fn at(&mut self, offset: u64, count: usize) -> io::Result<Cow<'_, [u8]>> {
        self.input.seek(SeekFrom::Start(offset))?;
        let mut bytes = Vec::with_capacity(count.min(LONGEST_END));
        self.input
            .by_ref()
            .take(count as u64)
            .read_to_end(&mut bytes)?;
        Ok(bytes.into())
    }
}

/// Reads the header of a replay that is in memory.
pub(crate) fn read_bytes(bytes: &[u8], limits: &Limits, report: &mut Report) -> Result<Replay> {
    let mut source = bytes;
    read_source(&mut source, limits, report)
}

/// Reads the header of a replay of any size with two small reads: the game's start and end, the metadata and the last
/// frame's number. The result has no frames and cannot be written.
///
/// # Errors
/// When the file is not a replay, or the input fails: see [`Error::into_io`].
pub fn read_header<R: Read + Seek>(
    mut input: R,
    limits: &Limits,
    report: &mut Report,
) -> Result<Replay> {
    let size = input.seek(SeekFrom::End(0))?;
    read_source(&mut Seeking { input, size }, limits, report)
}

fn read_source(source: &mut impl Source, limits: &Limits, report: &mut Report) -> Result<Replay> {
    let size = source.size();
    let mut room = BEGINNING;
    let beginning = loop {
        let head = source.at(0, room)?;
        if !super::container::sniff(&head) {
            return Err(Error::invalid("not a Slippi replay"));
        }
        match Beginning::read(&head) {
            Ok(beginning) => break beginning,
            // A newer version may have a longer start, but 16-bit sizes bound it.
            Err(_) if room < LONGEST_END && size > room as u64 => room = LONGEST_END,
            Err(error) => return Err(error),
        }
    };
    let Beginning {
        is_bare,
        stated_length,
        payloads,
        start,
        events_at,
        at,
    } = beginning;
    let stated_end = (stated_length > 0).then(|| events_at as u64 + u64::from(stated_length));
    let whole_end = stated_end.filter(|&end| end <= size);
    let back = if whole_end.is_some() {
        LAST_FRAME
    } else {
        UNPATCHED_END
    };
    let from = whole_end
        .unwrap_or(size)
        .saturating_sub(back as u64)
        .max(at as u64);
    let end = source.at(from, LONGEST_END)?;

    let sizes = payloads.table();
    let raw_end = match whole_end {
        Some(raw_end) => (raw_end - from) as usize,
        None => end
            .windows(METADATA.len())
            .rposition(|window| window == METADATA)
            .unwrap_or(end.len()),
    };
    let raw = end.get(..raw_end).unwrap_or(&end);
    let last = LastEvents::find(raw, from == at as u64, &sizes);
    let budget = Budget::new(limits.memory_bytes(size));
    let rest = find_rest(&end, raw_end.min(end.len()), Some(raw_end), &budget);
    if !rest.is_closed {
        let place = Some(Place {
            offset: from + raw_end as u64,
            bit: None,
            space: Space::File,
        });
        let message = "the file ends without its metadata and closing bracket";
        report.add(Severity::Lost, "file-cut", "", place, message);
    }
    let replay = Replay {
        is_bare,
        stated_length: whole_end
            .is_none()
            .then_some(stated_length)
            .filter(|_| !is_bare),
        payloads,
        start,
        before: Vec::new(),
        frames: None,
        after: last.ends,
        remains: Bytes::default(),
        elements: rest.elements,
        is_closed: rest.is_closed,
        trailing: rest.trailing.into(),
        gaps: Vec::new(),
        header_last_frame: last.frame,
    };
    budget.settle(replay, report)
}

/// The facts in the last events.
#[derive(Default)]
struct LastEvents {
    frame: Option<i32>,
    ends: Vec<Message>,
}

impl LastEvents {
    /// Finds the events in the last piece of a stream: the first offset from which complete events of declared sizes
    /// lead exactly to its end or, in a cut file, to an incomplete event.
    fn find(raw: &[u8], begins_with_event: bool, sizes: &SizeTable) -> Self {
        // Events can only start within the length of the longest one; real streams have at most 516 bytes here.
        let starts = if begins_with_event {
            1
        } else {
            raw.len().min(1024)
        };
        let mut best_cut = None;
        for start in 0..starts {
            let mut walk = Walk {
                bytes: raw,
                at: start,
                end: raw.len(),
                sizes,
            };
            let mut last = Self::default();
            let mut count = 0;
            let is_likely = walk.by_ref().all(|(event, payload)| {
                count += 1;
                last.take(event, payload)
            });
            if !is_likely || count == 0 {
                continue;
            }
            if walk.at == raw.len() {
                return last;
            }
            // A cut file ends within an event of a known code.
            let is_cut = raw
                .get(walk.at)
                .is_some_and(|&event| sizes.get(event).is_some());
            if (is_cut || begins_with_event)
                && best_cut.as_ref().is_none_or(|&(most, _)| count > most)
            {
                best_cut = Some((count, last));
            }
        }
        best_cut.map(|(_, last)| last).unwrap_or_default()
    }

    /// Accepts an event; returns false if it cannot be one.
    fn take(&mut self, event: u8, payload: &[u8]) -> bool {
        match event {
            code::PRE | code::POST | code::FRAME_START | code::ITEM | code::BOOKEND => {
                let Some(&id) = payload.first_chunk() else {
                    return true;
                };
                let id = i32::from_be_bytes(id);
                // A frame follows its predecessor, or is computed again.
                let follows = self.frame.is_none_or(|frame| frame.abs_diff(id) < 64);
                self.frame = Some(self.frame.map_or(id, |frame| frame.max(id)));
                self.ends.clear();
                follows && (super::model::frames::FIRST_FRAME..1 << 24).contains(&id)
            }
            code::END => {
                self.ends.push(Message::new(event, payload.to_vec()));
                true
            }
            _ => true,
        }
    }
}
