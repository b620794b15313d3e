//! Finds events again after lost or foreign bytes, for example after a line-ending conversion.
//!
//! Events have no start marker. But every event of a frame starts with its code and the frame's number, and those of
//! characters continue with port and follower. So an event is accepted if it is consistent with the events before it
//! and a plausible one follows directly after it.

use std::ops::Range;

use super::model::frames::FIRST_FRAME;
use super::model::payloads::{SizeTable, code};

/// Maximum number of frames that the game computes again.
const MAX_ROLLBACK_FRAMES: i32 = 7;

/// Maximum number of frames missing at once: the longest timed match is eight minutes at 60 frames per second.
const MAX_MISSING_FRAMES: i32 = 8 * 60 * 60;

/// A port is 0 to 3, and a follower 0 or 1.
const PORTS: u8 = 4;
const FOLLOWERS: u8 = 2;

/// A run of consecutive events, and its first and last frame, if its events belong to frames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub place: Range<usize>,
    pub first_frame: Option<i32>,
    pub last_frame: Option<i32>,
}

/// The start of an accepted event.
struct Opening {
    /// The offset of the next event.
    next: usize,
    frame: Option<i32>,
}

/// Finds all runs of events between two offsets.
pub(crate) fn find_runs(bytes: &[u8], place: Range<usize>, sizes: &SizeTable) -> Vec<Run> {
    let mut scanner = Scanner {
        bytes: bytes.get(..place.end).unwrap_or(bytes),
        sizes,
        highest: None,
    };
    let mut runs: Vec<Run> = Vec::new();
    let (mut at, mut is_in_run) = (place.start, false);
    while at < place.end {
        let Some(opening) = scanner.whole_event(at, is_in_run || at == place.start) else {
            (at, is_in_run) = (at + 1, false);
            continue;
        };
        if let Some(frame) = opening.frame {
            scanner.highest = scanner.highest.max(Some(frame));
        }
        match runs.last_mut().filter(|_| is_in_run) {
            Some(run) => {
                run.place.end = opening.next;
                run.first_frame = run.first_frame.or(opening.frame);
                run.last_frame = opening.frame.or(run.last_frame);
            }
            None => runs.push(Run {
                place: at..opening.next,
                first_frame: opening.frame,
                last_frame: opening.frame,
            }),
        }
        (at, is_in_run) = (opening.next, true);
    }
    runs
}

struct Scanner<'a> {
    /// The end of the events.
    bytes: &'a [u8],
    sizes: &'a SizeTable,
    /// The highest frame so far.
    highest: Option<i32>,
}

impl Scanner<'_> {
    /// The event at an offset, if a plausible one follows it. Directly after another event any declared code is
    /// accepted; elsewhere only one whose contents can be verified.
    fn whole_event(&self, at: usize, is_expected: bool) -> Option<Opening> {
        let opening = match self.opening(at, self.highest) {
            Some(opening) => opening,
            None if is_expected => self.unchecked(at)?,
            None => return None,
        };
        let highest = self.highest.max(opening.frame);
        let is_end = opening.next == self.bytes.len();
        (is_end || self.opening(opening.next, highest).is_some()).then_some(opening)
    }

    /// An event of a kind whose contents cannot be verified.
    fn unchecked(&self, at: usize) -> Option<Opening> {
        let event = *self.bytes.get(at)?;
        let is_checked = matches!(
            event,
            code::PRE
                | code::POST
                | code::FRAME_START
                | code::BOOKEND
                | code::ITEM
                | code::FOD_PLATFORM
                | code::WHISPY
                | code::STADIUM
                | code::SPLIT
                | code::END
        );
        let next = at + 1 + self.sizes.get(event)?;
        (!is_checked && next <= self.bytes.len()).then_some(Opening { next, frame: None })
    }

    fn opening(&self, at: usize, highest: Option<i32>) -> Option<Opening> {
        let (&event, rest) = self.bytes.get(at..)?.split_first()?;
        let size = self.sizes.get(event)?;
        let payload = rest.get(..size)?;
        let next = at + 1 + size;
        let frame = match event {
            code::PRE | code::POST => {
                let &[_, _, _, _, port, follower] = payload.first_chunk()?;
                if port >= PORTS || follower >= FOLLOWERS {
                    return None;
                }
                Some(frame_of(payload, highest)?)
            }
            code::FRAME_START
            | code::BOOKEND
            | code::ITEM
            | code::FOD_PLATFORM
            | code::WHISPY
            | code::STADIUM => Some(frame_of(payload, highest)?),
            code::SPLIT => {
                let (block, &[high, low, inner, is_last]) = payload.split_last_chunk()?;
                let used = usize::from(u16::from_be_bytes([high, low]));
                let fits = used <= block.len() && inner == code::GECKO && is_last <= 1;
                (fits && highest.is_none()).then_some(None)?
            }
            code::END => (next == self.bytes.len()).then_some(None)?,
            _ => return None,
        };
        Some(Opening { next, frame })
    }
}

/// The frame number at the start of a payload, if it can follow the highest one so far.
fn frame_of(payload: &[u8], highest: Option<i32>) -> Option<i32> {
    let frame = i32::from_be_bytes(*payload.first_chunk()?);
    let highest = highest.unwrap_or(FIRST_FRAME);
    let earliest = highest.saturating_sub(MAX_ROLLBACK_FRAMES).max(FIRST_FRAME);
    let latest = highest.saturating_add(MAX_MISSING_FRAMES);
    (earliest..=latest).contains(&frame).then_some(frame)
}

#[cfg(test)]
mod tests {
    use super::super::model::payloads::{PayloadSize, Payloads};
    use super::*;
    use crate::wire::json::Bytes;

    fn sizes() -> SizeTable {
        let sizes = [
            (code::FRAME_START, 8),
            (code::PRE, 20),
            (code::BOOKEND, 8),
            (code::END, 1),
        ];
        Payloads {
            sizes: sizes
                .map(|(code, size)| PayloadSize { code, size })
                .to_vec(),
            rest: Bytes::default(),
        }
        .table()
    }

    /// Frames with a start, two characters and an end each, 60 bytes long.
    fn events(frames: Range<i32>) -> Vec<u8> {
        let mut events = Vec::new();
        for frame in frames {
            let mut event = |code: u8, key: &[u8], size: usize| {
                let start = events.len();
                events.push(code);
                events.extend_from_slice(&frame.to_be_bytes());
                events.extend_from_slice(key);
                events.resize(start + 1 + size, 0xee);
            };
            event(code::FRAME_START, &[], 8);
            event(code::PRE, &[0, 0], 20);
            event(code::PRE, &[1, 0], 20);
            event(code::BOOKEND, &[], 8);
        }
        events.extend_from_slice(&[code::END, 2]);
        events
    }

    #[test]
    fn whole_events_are_one_run() {
        let bytes = events(-123..-100);
        let runs = find_runs(&bytes, 0..bytes.len(), &sizes());
        let all = Run {
            place: 0..bytes.len(),
            first_frame: Some(-123),
            last_frame: Some(-101),
        };
        assert_eq!(runs, [all]);
    }

    #[test]
    fn a_lost_byte_costs_the_event_it_was_in() {
        let mut bytes = events(-123..-100);
        // In the second character of the third frame.
        bytes.remove(2 * 60 + 9 + 21 + 10);
        let runs = find_runs(&bytes, 0..bytes.len(), &sizes());
        let places: Vec<_> = runs.iter().map(|run| run.place.clone()).collect();
        assert_eq!(places, [0..150, 170..bytes.len()]);
        assert_eq!(runs[1].first_frame, Some(-121));
    }

    #[test]
    fn foreign_bytes_are_stepped_over() {
        // An event directly before implausible bytes cannot be distinguished from a damaged one; here it is a frame's
        // end.
        let end_bytes = 9;
        for (foreign, lost) in [
            (b"not an event at all.", end_bytes),
            (b"\x37\0\0\0\0\0\0 not an event", 0),
        ] {
            let mut bytes = events(-123..-100);
            bytes.splice(300..300, *foreign);
            let runs = find_runs(&bytes, 0..bytes.len(), &sizes());
            let kept: usize = runs.iter().map(|run| run.place.len()).sum();
            assert_eq!(runs.len(), 2);
            assert_eq!(kept, bytes.len() - foreign.len() - lost);
        }
    }
}
