//! Reads replays while they are being recorded: takes bytes as they arrive, returns events and finalised frames.
//!
//! The output depends only on the bytes, never on the pieces in which they arrive.

use std::collections::VecDeque;

use serde::Serialize;

use super::builder::Builder;
use super::container::{EVENTS_AT, PREFIX};
use super::model::Replay;
use super::model::frames::Frames;
use super::model::messages::Message;
use super::model::payloads::{Payloads, SizeTable, code};
use super::model::start::{Start, read_payload};
use super::model::updates::{
    BookendRow, FodPlatformRow, FrameStartRow, ItemRow, PostRow, PreRow, StadiumRow, WhispyRow,
};
use super::ubjson::{self, Pairs};
use crate::error::{Error, Problem, Space};
use crate::limits::{LOOSE_EVENTS, Limits};
use crate::wire::bytes::{Big, ByteReader};

/// An event of a live replay.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum LiveEvent {
    /// The sizes of all events: the recording has started.
    Payloads(Payloads),
    /// The settings of the game.
    Start(Box<Start>),
    /// A frame starts.
    FrameStart {
        /// The frame's number.
        frame: i32,
        /// Its fields.
        #[serde(flatten)]
        fields: FrameStartRow,
    },
    /// A character before a frame is computed.
    Pre {
        /// The frame's number.
        frame: i32,
        /// The port, from 0.
        port: u8,
        /// 1 for a follower.
        follower: u8,
        /// Its fields.
        #[serde(flatten)]
        fields: PreRow,
    },
    /// A character after a frame is computed.
    Post {
        /// The frame's number.
        frame: i32,
        /// The port, from 0.
        port: u8,
        /// 1 for a follower.
        follower: u8,
        /// Its fields.
        #[serde(flatten)]
        fields: PostRow,
    },
    /// An item.
    Item {
        /// The frame's number.
        frame: i32,
        /// Its fields.
        #[serde(flatten)]
        fields: ItemRow,
    },
    /// A platform of Fountain of Dreams.
    FodPlatform {
        /// The frame's number.
        frame: i32,
        /// Its fields.
        #[serde(flatten)]
        fields: FodPlatformRow,
    },
    /// The wind of Dream Land.
    Whispy {
        /// The frame's number.
        frame: i32,
        /// Its fields.
        #[serde(flatten)]
        fields: WhispyRow,
    },
    /// The transformation of Pokémon Stadium.
    Stadium {
        /// The frame's number.
        frame: i32,
        /// Its fields.
        #[serde(flatten)]
        fields: StadiumRow,
    },
    /// A frame is complete.
    Bookend {
        /// The frame's number.
        frame: i32,
        /// Its fields.
        #[serde(flatten)]
        fields: BookendRow,
    },
    /// An event outside of frames, including the game's end, or an unknown event.
    Message {
        /// The event.
        message: Message,
    },
    /// No frame up to this one will be computed again, and all of them have arrived.
    Finalised {
        /// The frame's number.
        frame: i32,
    },
    /// The recording is complete: its elements, of which only `metadata` is in use.
    Elements {
        /// The elements.
        #[serde(serialize_with = "super::ubjson_json::serialize_pairs")]
        elements: Pairs,
    },
    /// The rest of the data cannot be read.
    Broken {
        /// The offset where reading stopped, in bytes from the start.
        offset: u64,
        /// The reason.
        problem: String,
    },
}

/// The part expected next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Prefix,
    Payloads,
    Start,
    Events,
    Elements,
    Done,
    Broken,
}

/// Reads a replay in pieces of any size.
///
/// ```
/// use postgame::slippi::live::{LiveEvent, LiveReader};
///
/// let bytes = std::fs::read("../../samples/duel.slp")?;
/// let mut reader = LiveReader::new();
/// let mut last = None;
/// for piece in bytes.chunks(100) {
///     for event in reader.feed(piece) {
///         if let LiveEvent::Finalised { frame } = event {
///             last = Some(frame);
///         }
///     }
/// }
/// assert!(reader.is_done());
/// assert_eq!(last, reader.frames().and_then(|frames| frames.last_frame()));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct LiveReader {
    stage: Stage,
    /// Bytes that have arrived but are not consumed yet, from `used` on.
    buffer: Vec<u8>,
    used: usize,
    /// Number of bytes before the buffer.
    before: u64,
    stated_length: u32,
    is_bare: bool,
    payloads: Payloads,
    sizes: SizeTable,
    start: Option<Box<Start>>,
    builder: Option<Builder>,
    raw_end: u64,
    elements: Pairs,
    pending: VecDeque<LiveEvent>,
    /// The last frame reported as final, and the frame being received.
    finalised: Option<i32>,
    current: Option<i32>,
    has_bookends: bool,
}

impl Default for LiveReader {
    fn default() -> Self {
        Self::new()
    }
}

impl LiveReader {
    /// A reader without any data.
    pub fn new() -> Self {
        let payloads = Payloads::default();
        Self {
            stage: Stage::Prefix,
            buffer: Vec::new(),
            used: 0,
            before: 0,
            stated_length: 0,
            is_bare: false,
            sizes: payloads.table(),
            payloads,
            start: None,
            builder: None,
            raw_end: 0,
            elements: Pairs::new(),
            pending: VecDeque::new(),
            finalised: None,
            current: None,
            has_bookends: false,
        }
    }

    /// Appends the next bytes of the file.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.used > 1 << 16 {
            self.buffer.drain(..self.used);
            self.before += self.used as u64;
            self.used = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// The next event, if it has arrived completely.
    pub fn next_event(&mut self) -> Option<LiveEvent> {
        loop {
            if let Some(event) = self.pending.pop_front() {
                return Some(event);
            }
            match self.step() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    self.stage = Stage::Broken;
                    let problem = error.problem().to_string();
                    return Some(LiveEvent::Broken {
                        offset: self.offset(),
                        problem,
                    });
                }
            }
        }
    }

    /// Appends the next bytes of the file, and returns the events that are complete with them.
    ///
    /// Events that the caller does not take are returned by the next call.
    pub fn feed(&mut self, bytes: &[u8]) -> impl Iterator<Item = LiveEvent> {
        self.push(bytes);
        std::iter::from_fn(|| self.next_event())
    }

    /// True when the recording is complete.
    pub fn is_done(&self) -> bool {
        self.stage == Stage::Done
    }

    /// True when the rest of the data cannot be read.
    pub fn is_broken(&self) -> bool {
        self.stage == Stage::Broken
    }

    /// The settings of the game, once they have arrived.
    pub fn start(&self) -> Option<&Start> {
        self.start.as_deref()
    }

    /// The frames so far; the last of them may be incomplete.
    pub fn frames(&self) -> Option<&Frames> {
        self.builder.as_ref().map(Builder::frames)
    }

    /// The row of a frame's last computation so far.
    pub fn row_of(&self, frame: i32) -> Option<usize> {
        self.frames()?.ids.iter().rposition(|&id| id == frame)
    }

    /// Number of bytes consumed.
    pub fn offset(&self) -> u64 {
        self.before + self.used as u64
    }

    /// Everything that has arrived, as a replay. For a complete recording it equals the result of reading the whole
    /// file at once. `None` before the game's start has arrived.
    pub fn finish(self) -> Option<Replay> {
        let offset = self.offset();
        let rest = self.buffer.get(self.used..).unwrap_or_default();
        let is_closed = self.stage == Stage::Done;
        let (remains, trailing) = if is_closed {
            (&[][..], rest)
        } else {
            (rest, &[][..])
        };
        let events_at = if self.is_bare { 0 } else { EVENTS_AT as u64 };
        let raw_end = if is_closed {
            self.raw_end
        } else {
            offset + remains.len() as u64
        };
        let built = self.builder?.finish();
        let is_stated = u64::from(self.stated_length) == raw_end - events_at || self.is_bare;
        Some(Replay {
            is_bare: self.is_bare,
            stated_length: (!is_stated).then_some(self.stated_length),
            payloads: self.payloads,
            start: *self.start?,
            before: built.before,
            frames: Some(built.frames),
            after: built.after,
            remains: remains.into(),
            elements: self.elements,
            is_closed,
            trailing: trailing.into(),
            gaps: Vec::new(),
            header_last_frame: None,
        })
    }

    /// Takes one step; returns false if it needs more data.
    fn step(&mut self) -> Result<bool, Error> {
        let rest = self.buffer.get(self.used..).unwrap_or_default();
        let mut reader =
            ByteReader::<Big>::with_base(rest, self.before + self.used as u64, Space::File);
        match self.stage {
            Stage::Prefix => {
                // The oldest files start directly with the game's start.
                if rest.first() == Some(&code::START) {
                    self.is_bare = true;
                    self.has_payloads(Payloads::of_bare_files());
                    return Ok(true);
                }
                let known = rest.len().min(PREFIX.len());
                if rest.get(..known) != PREFIX.get(..known) {
                    return Err(reader.invalid("not a Slippi replay"));
                }
                if rest.len() < EVENTS_AT {
                    return Ok(false);
                }
                reader.seek(PREFIX.len());
                self.stated_length = reader.u32()?;
                self.used += EVENTS_AT;
                self.stage = Stage::Payloads;
            }
            Stage::Payloads => {
                let Some(payloads) = whole(Payloads::read(&mut reader))? else {
                    return Ok(false);
                };
                self.used += reader.position();
                self.pending
                    .push_back(LiveEvent::Payloads(payloads.clone()));
                self.has_payloads(payloads);
            }
            Stage::Start => {
                let Some(&event) = rest.first() else {
                    return Ok(false);
                };
                let (code::START, Some(size)) = (event, self.payloads.size(code::START)) else {
                    return Err(reader.invalid(format!(
                        "the second event is {event:#04x}, not the game's start"
                    )));
                };
                if rest.len() <= size {
                    return Ok(false);
                }
                reader.u8()?;
                let start: Start = read_payload(reader.sub(size)?)?;
                self.used += 1 + size;
                self.start = Some(Box::new(start.clone()));
                self.builder = Some(Builder::new(&self.payloads));
                self.pending.push_back(LiveEvent::Start(Box::new(start)));
                self.stage = Stage::Events;
            }
            Stage::Events => return self.event(),
            Stage::Elements => {
                let budget = Limits::default().budget(self.buffer.len());
                let Some(elements) = whole(ubjson::read_members(&mut reader, &budget))? else {
                    return Ok(false);
                };
                self.raw_end = self.offset();
                self.used += reader.position();
                self.elements = elements.clone();
                self.pending.push_back(LiveEvent::Elements { elements });
                self.stage = Stage::Done;
            }
            Stage::Done | Stage::Broken => return Ok(false),
        }
        Ok(true)
    }

    fn has_payloads(&mut self, payloads: Payloads) {
        self.sizes = payloads.table();
        self.has_bookends = payloads.size(code::BOOKEND).is_some();
        self.payloads = payloads;
        self.stage = Stage::Start;
    }

    /// Takes one event after the first two.
    fn event(&mut self) -> Result<bool, Error> {
        let stated_end = EVENTS_AT as u64 + u64::from(self.stated_length);
        if self.stated_length > 0 && self.offset() >= stated_end {
            self.stage = Stage::Elements;
            return Ok(true);
        }
        let rest = self.buffer.get(self.used..).unwrap_or_default();
        let Some((&event, rest)) = rest.split_first() else {
            return Ok(false);
        };
        let Some(size) = self.sizes.get(event) else {
            // Key lengths and closing brackets are not events: the elements begin, or the data is broken.
            self.stage = Stage::Elements;
            if matches!(event, b'U' | b'}' | b'i' | b'I' | b'l') {
                return Ok(true);
            }
            return Err(Error::invalid(format!(
                "event {event:#04x} was not declared"
            )));
        };
        let Some(payload) = rest.get(..size) else {
            return Ok(false);
        };
        if let Some(builder) = &mut self.builder {
            if builder.is_flooded() {
                let message = format!("more than {LOOSE_EVENTS} events outside of frames");
                return Err(Error::invalid(message));
            }
            builder.event(event, payload);
        }
        let typed = typed(
            event,
            payload,
            self.frames().is_some_and(|frames| frames.is_combined),
        );
        self.used += 1 + size;
        self.announce(typed);
        Ok(true)
    }

    /// Queues an event, and before or after it the frames that became final.
    fn announce(&mut self, events: Vec<LiveEvent>) {
        for event in events {
            let frame = event.frame();
            if let Some(frame) = frame
                && self.current != Some(frame)
            {
                // Without frame ends, only the start of the next frame shows that one is complete.
                if !self.has_bookends
                    && let Some(last) = self.current.filter(|&last| last < frame)
                {
                    self.finalise(last);
                }
                self.current = Some(frame);
            }
            let finalised = match &event {
                LiveEvent::Bookend { frame, fields } => {
                    Some(fields.finalised.map_or(*frame, |last| last.min(*frame)))
                }
                LiveEvent::Message {
                    message: Message::End { .. },
                } => self.frames().and_then(|frames| frames.last_frame()),
                _ => None,
            };
            self.pending.push_back(event);
            if let Some(frame) = finalised {
                self.finalise(frame);
            }
        }
    }

    fn finalise(&mut self, frame: i32) {
        // At the start, recorders declare frames final that are before the first one.
        let first = self.frames().and_then(|frames| frames.ids.first().copied());
        let is_there = first.is_some_and(|first| first <= frame);
        if is_there && self.finalised.is_none_or(|last| last < frame) {
            self.finalised = Some(frame);
            self.pending.push_back(LiveEvent::Finalised { frame });
        }
    }
}

/// Filters out errors that only mean that more data is needed.
fn whole<T>(result: Result<T, Error>) -> Result<Option<T>, Error> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) => match error.problem() {
            Problem::EndsEarly { .. } => Ok(None),
            _ => Err(error),
        },
    }
}

/// An event by its code; the first recorders' combined event becomes two.
fn typed(event: u8, payload: &[u8], is_combined: bool) -> Vec<LiveEvent> {
    if is_combined
        && event == code::POST
        && let Some((pre, post)) = super::builder::combined::split(payload)
    {
        return [typed_one(code::PRE, &pre), typed_one(code::POST, &post)]
            .into_iter()
            .flatten()
            .collect();
    }
    let other = || LiveEvent::Message {
        message: Message::new(event, payload.to_vec()),
    };
    vec![typed_one(event, payload).unwrap_or_else(other)]
}

fn typed_one(event: u8, payload: &[u8]) -> Option<LiveEvent> {
    let frame = i32::from_be_bytes(*payload.first_chunk()?);
    let key = || Some((*payload.get(4)?, *payload.get(5)?));
    Some(match event {
        code::FRAME_START => LiveEvent::FrameStart {
            frame,
            fields: FrameStartRow::read(payload)?,
        },
        code::PRE => {
            let (port, follower) = key()?;
            LiveEvent::Pre {
                frame,
                port,
                follower,
                fields: PreRow::read(payload)?,
            }
        }
        code::POST => {
            let (port, follower) = key()?;
            LiveEvent::Post {
                frame,
                port,
                follower,
                fields: PostRow::read(payload)?,
            }
        }
        code::ITEM => LiveEvent::Item {
            frame,
            fields: ItemRow::read(payload)?,
        },
        code::BOOKEND => LiveEvent::Bookend {
            frame,
            fields: BookendRow::read(payload)?,
        },
        code::FOD_PLATFORM => LiveEvent::FodPlatform {
            frame,
            fields: FodPlatformRow::read(payload)?,
        },
        code::WHISPY => LiveEvent::Whispy {
            frame,
            fields: WhispyRow::read(payload)?,
        },
        code::STADIUM => LiveEvent::Stadium {
            frame,
            fields: StadiumRow::read(payload)?,
        },
        _ => return None,
    })
}

impl LiveEvent {
    /// The frame it belongs to.
    pub fn frame(&self) -> Option<i32> {
        match self {
            Self::FrameStart { frame, .. }
            | Self::Pre { frame, .. }
            | Self::Post { frame, .. }
            | Self::Item { frame, .. }
            | Self::FodPlatform { frame, .. }
            | Self::Whispy { frame, .. }
            | Self::Stadium { frame, .. }
            | Self::Bookend { frame, .. } => Some(*frame),
            _ => None,
        }
    }
}
