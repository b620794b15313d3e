//! Encodes frames as events.

use super::builder::combined;
use super::container::{EVENTS_AT, PREFIX};
use super::model::columns::{Columns, LONGEST, Shape};
use super::model::frames::{Character, Frames, Many, Sparse, rank};
use super::model::messages::{Message, expect_size};
use super::model::payloads::{Payloads, code};
use super::model::start::write_event;
use super::model::{Gap, Replay};
use super::ubjson;
use crate::error::{Context, Error, Result};
use crate::wire::bytes::{Big, ByteWriter};

/// Writes a replay.
pub(crate) fn write(replay: &Replay) -> Result<Vec<u8>> {
    let Replay {
        is_bare,
        stated_length,
        payloads,
        start,
        before,
        frames,
        after,
        remains,
        gaps,
        elements,
        is_closed,
        trailing,
        header_last_frame: _,
    } = replay;
    let Some(frames) = frames else {
        return Err(Error::unwritable("only the header was read"));
    };
    let rows = RowWriter::new(frames, payloads).field("frames")?;
    let size = |messages: &[Message]| -> usize {
        let sizes = messages
            .iter()
            .map(|one| payloads.size(one.code()).unwrap_or(0));
        sizes.map(|size| 1 + size).sum()
    };
    let mut writer = ByteWriter::<Big>::with_capacity(EVENTS_AT + 1024 + size(before));
    if !*is_bare {
        writer.bytes(PREFIX);
        writer.u32(0);
        payloads.write(&mut writer).field("payloads")?;
    } else if *payloads != Payloads::of_bare_files() {
        let error = Error::unwritable("a bare file has no room for payload sizes");
        return Err(error.in_field("payloads"));
    }
    write_event(start, code::START, payloads, &mut writer).field("start")?;
    for (index, message) in before.iter().enumerate() {
        message
            .write(payloads, &mut writer)
            .index(index)
            .field("before")?;
    }
    let more = size(after) + remains.0.len() + trailing.0.len() + 1024;
    let mut writer = rows.write(writer, more).field("frames")?;
    for (index, message) in after.iter().enumerate() {
        message
            .write(payloads, &mut writer)
            .index(index)
            .field("after")?;
    }
    writer.bytes(&remains.0);
    if !gaps.is_empty() {
        let events_at = if *is_bare { 0 } else { EVENTS_AT };
        writer = with_gaps(&writer.into_bytes(), events_at, gaps).into();
    }
    if !*is_bare {
        let length = match stated_length {
            Some(length) => *length,
            None => u32::try_from(writer.position() - EVENTS_AT)
                .map_err(|_| Error::unwritable("the events are longer than 32 bits can say"))?,
        };
        writer.patch(PREFIX.len(), &length.to_be_bytes());
    }
    ubjson::write_members(elements, &mut writer).field("elements")?;
    if *is_closed {
        writer.u8(b'}');
    }
    writer.bytes(&trailing.0);
    Ok(writer.into_bytes())
}

/// Inserts the gaps at their original places between the events.
fn with_gaps(written: &[u8], events_at: usize, gaps: &[Gap]) -> Vec<u8> {
    let gap_bytes: usize = gaps.iter().map(|gap| gap.bytes.0.len()).sum();
    let mut bytes = Vec::with_capacity(written.len() + gap_bytes);
    let mut rest = written;
    for gap in gaps {
        let offset = usize::try_from(gap.offset).unwrap_or(usize::MAX);
        let before = events_at.saturating_add(offset).saturating_sub(bytes.len());
        let (events, after) = rest.split_at(before.min(rest.len()));
        bytes.extend_from_slice(events);
        bytes.extend_from_slice(&gap.bytes.0);
        rest = after;
    }
    bytes.extend_from_slice(rest);
    bytes
}

/// Writes rows, each event from its columns.
struct RowWriter<'a> {
    frames: &'a Frames,
    payloads: &'a Payloads,
    /// By slot.
    characters: [Option<&'a Character>; Character::MOST],
    shapes: Shapes,
    /// Size of all rows in bytes.
    total: usize,
}

/// The payloads of each kind of event, as formed by its columns.
#[derive(Default)]
struct Shapes {
    pre: [Shape; Character::MOST],
    post: [Shape; Character::MOST],
    start: Shape,
    bookend: Shape,
    item: Shape,
    fod_platform: Shape,
    whispy: Shape,
    stadium: Shape,
}

/// The writer's position in each list that is not looked up by row, and the number of single events written.
#[derive(Default)]
struct Cursors {
    item: usize,
    fod_platform: usize,
    whispy: usize,
    stadium: usize,
    other: usize,
    single: usize,
}

impl<'a> RowWriter<'a> {
    /// Checks that all columns fit the declared sizes, and sums up their sizes.
    fn new(frames: &'a Frames, payloads: &'a Payloads) -> Result<Self> {
        let mut total = 0;
        let mut shape_of = |event: u8, shape: Result<Shape>, count: usize| -> Result<Shape> {
            let shape = shape?;
            if count > 0 && !frames.is_combined {
                expect_size(payloads, event, shape.known + shape.tail)?;
            }
            total += count * (1 + shape.known + shape.tail);
            Ok(shape)
        };
        let Frames {
            starts,
            bookends,
            items,
            fod_platforms,
            whispy,
            stadium,
            ..
        } = frames;
        let mut shapes = Shapes {
            start: shape_of(code::FRAME_START, single_shape(starts), starts.len())
                .field("starts")?,
            bookend: shape_of(code::BOOKEND, single_shape(bookends), bookends.len())
                .field("bookends")?,
            item: shape_of(code::ITEM, many_shape(items), items.len()).field("items")?,
            fod_platform: shape_of(
                code::FOD_PLATFORM,
                many_shape(fod_platforms),
                fod_platforms.len(),
            )
            .field("fod_platforms")?,
            whispy: shape_of(code::WHISPY, many_shape(whispy), whispy.len()).field("whispy")?,
            stadium: shape_of(code::STADIUM, many_shape(stadium), stadium.len())
                .field("stadium")?,
            ..Shapes::default()
        };
        let mut characters = [None; Character::MOST];
        for (index, character) in frames.characters.iter().enumerate() {
            let context = |error: Error| error.in_index(index).in_field("characters");
            let slot = usize::from(character.slot());
            let (Some(place), Some(pre), Some(post), true) = (
                characters.get_mut(slot),
                shapes.pre.get_mut(slot),
                shapes.post.get_mut(slot),
                character.follower < 2,
            ) else {
                return Err(context(Error::unwritable(
                    "there are ports 0 to 7, each with follower 0 or 1",
                )));
            };
            *pre = shape_of(code::PRE, single_shape(&character.pre), character.pre.len())
                .map_err(context)?;
            *post = shape_of(
                code::POST,
                single_shape(&character.post),
                character.post.len(),
            )
            .map_err(context)?;
            if place.replace(character).is_some() {
                return Err(context(Error::unwritable("the character is there twice")));
            }
        }
        total += frames
            .others
            .iter()
            .map(|other| 1 + other.payload.0.len())
            .sum::<usize>();
        Ok(Self {
            frames,
            payloads,
            characters,
            shapes,
            total,
        })
    }

    /// Appends all rows to the output, with room for `more` bytes.
    fn write(&self, written: ByteWriter<Big>, more: usize) -> Result<ByteWriter<Big>> {
        let frames = self.frames;
        let mut cursors = Cursors::default();
        let mut stage = Stage::new(written, self.total, more);
        let mut orders = frames.orders.iter().peekable();
        for (row, &id) in frames.ids.iter().enumerate() {
            match orders.next_if(|odd| odd.row as usize == row) {
                Some(odd) => {
                    for &rank in &odd.order {
                        self.event(rank, row, id, &mut cursors, &mut stage)
                            .index(row)?;
                    }
                }
                None => self
                    .usual_row(row, id, &mut cursors, &mut stage)
                    .index(row)?,
            }
        }
        // Events that were not reached belong to no row, or are missing from a row's unusual order.
        let Cursors {
            item,
            fod_platform,
            whispy,
            stadium,
            other,
            single,
        } = cursors;
        let pre_count = |one: &Character| if frames.is_combined { 0 } else { one.pre.len() };
        let singles: usize = frames
            .characters
            .iter()
            .map(|one| pre_count(one) + one.post.len())
            .sum();
        let left_out = [
            (item, frames.items.len(), "items"),
            (fod_platform, frames.fod_platforms.len(), "fod_platforms"),
            (whispy, frames.whispy.len(), "whispy"),
            (stadium, frames.stadium.len(), "stadium"),
            (other, frames.others.len(), "others"),
            (
                single,
                frames.starts.len() + frames.bookends.len() + singles,
                "events of frames and characters",
            ),
        ];
        match left_out
            .into_iter()
            .find(|(written, count, _)| written != count)
        {
            Some((written, count, name)) => Err(Error::unwritable(format!(
                "{written} of {count} {name} belong to a row"
            ))),
            None if orders.next().is_some() => {
                Err(Error::unwritable("an odd order belongs to no row"))
            }
            None => Ok(stage.finish()),
        }
    }

    #[inline]
    fn usual_row(
        &self,
        row: usize,
        id: i32,
        cursors: &mut Cursors,
        stage: &mut Stage,
    ) -> Result<()> {
        let frames = self.frames;
        self.single(&frames.starts, row, id, self.start(), cursors, stage);
        if frames.is_combined {
            for character in &frames.characters {
                if character.post.at(row).is_some() {
                    self.event(rank::POST + character.slot(), row, id, cursors, stage)?;
                }
            }
        } else {
            for character in &frames.characters {
                if let Some(kind) = self.pre(character) {
                    self.single(&character.pre, row, id, kind, cursors, stage);
                }
            }
        }
        let has = |rows: &[u32], at: usize| rows.get(at).is_some_and(|&next| next as usize == row);
        while has(&frames.fod_platforms.rows, cursors.fod_platform) {
            self.event(rank::FOD_PLATFORM, row, id, cursors, stage)?;
        }
        while has(&frames.whispy.rows, cursors.whispy) {
            self.event(rank::WHISPY, row, id, cursors, stage)?;
        }
        while has(&frames.stadium.rows, cursors.stadium) {
            self.event(rank::STADIUM, row, id, cursors, stage)?;
        }
        while has(&frames.items.rows, cursors.item) {
            self.event(rank::ITEM, row, id, cursors, stage)?;
        }
        if !frames.is_combined {
            for character in &frames.characters {
                if let Some(kind) = self.post(character) {
                    self.single(&character.post, row, id, kind, cursors, stage);
                }
            }
        }
        self.single(&frames.bookends, row, id, self.bookend(), cursors, stage);
        while frames
            .others
            .get(cursors.other)
            .is_some_and(|other| other.row as usize == row)
        {
            self.event(rank::OTHER, row, id, cursors, stage)?;
        }
        Ok(())
    }

    /// Writes the event of a row that has at most one of a kind; `None` if it has none.
    #[inline]
    fn single<C: Columns>(
        &self,
        events: &Sparse<C>,
        row: usize,
        id: i32,
        kind: EventKind,
        cursors: &mut Cursors,
        stage: &mut Stage,
    ) -> Option<()> {
        let index = events.at(row)?;
        cursors.single += 1;
        stage.put(&events.columns, index, id, kind);
        Some(())
    }

    fn start(&self) -> EventKind {
        EventKind::of_frame(code::FRAME_START, self.shapes.start)
    }

    fn bookend(&self) -> EventKind {
        EventKind::of_frame(code::BOOKEND, self.shapes.bookend)
    }

    #[inline]
    fn pre(&self, character: &Character) -> Option<EventKind> {
        EventKind::of_character(code::PRE, character, &self.shapes.pre)
    }

    #[inline]
    fn post(&self, character: &Character) -> Option<EventKind> {
        EventKind::of_character(code::POST, character, &self.shapes.post)
    }

    /// Writes the next event of a rank in a row.
    fn event(
        &self,
        rank: u8,
        row: usize,
        id: i32,
        cursors: &mut Cursors,
        stage: &mut Stage,
    ) -> Result<()> {
        let Self { frames, shapes, .. } = self;
        let absent = || Error::unwritable(format!("the row has no event of rank {rank:#04x}"));
        let written = match rank {
            rank::START => self.single(&frames.starts, row, id, self.start(), cursors, stage),
            rank::BOOKEND => self.single(&frames.bookends, row, id, self.bookend(), cursors, stage),
            0x10..=0x1f | 0x30..=0x3f => {
                let slot = usize::from(rank & 0x0f);
                let character = self.characters.get(slot).copied().flatten();
                let character = character.ok_or_else(absent)?;
                if frames.is_combined {
                    cursors.single += 1;
                    self.combined(character, row, id, stage)
                } else if rank < rank::POST {
                    let kind = self.pre(character).ok_or_else(absent)?;
                    self.single(&character.pre, row, id, kind, cursors, stage)
                } else {
                    let kind = self.post(character).ok_or_else(absent)?;
                    self.single(&character.post, row, id, kind, cursors, stage)
                }
            }
            rank::ITEM => {
                let kind = EventKind::of_frame(code::ITEM, shapes.item);
                stage.put_next(&frames.items, &mut cursors.item, id, kind)
            }
            rank::FOD_PLATFORM => {
                let kind = EventKind::of_frame(code::FOD_PLATFORM, shapes.fod_platform);
                stage.put_next(&frames.fod_platforms, &mut cursors.fod_platform, id, kind)
            }
            rank::WHISPY => {
                let kind = EventKind::of_frame(code::WHISPY, shapes.whispy);
                stage.put_next(&frames.whispy, &mut cursors.whispy, id, kind)
            }
            rank::STADIUM => {
                let kind = EventKind::of_frame(code::STADIUM, shapes.stadium);
                stage.put_next(&frames.stadium, &mut cursors.stadium, id, kind)
            }
            rank::OTHER => {
                let other = frames.others.get(cursors.other).ok_or_else(absent)?;
                cursors.other += 1;
                expect_size(self.payloads, other.code, other.payload.0.len())?;
                stage.raw(other.code, &other.payload.0);
                Some(())
            }
            _ => None,
        };
        written.ok_or_else(absent)
    }

    /// Writes the first recorders' one event for a character.
    #[cold]
    fn combined(
        &self,
        character: &Character,
        row: usize,
        id: i32,
        stage: &mut Stage,
    ) -> Option<()> {
        let pre = Stage::alone(&character.pre, row, id, self.pre(character)?)?;
        let post = Stage::alone(&character.post, row, id, self.post(character)?)?;
        stage.raw(code::POST, &combined::join(pre.get(1..)?, post.get(1..)?)?);
        Some(())
    }
}

/// The properties that all events of a kind share.
#[derive(Clone, Copy)]
struct EventKind {
    code: u8,
    /// Port and follower. For events without them, fields overwrite these bytes.
    key: [u8; 2],
    shape: Shape,
}

impl EventKind {
    fn of_frame(code: u8, shape: Shape) -> Self {
        Self {
            code,
            key: [0; 2],
            shape,
        }
    }

    #[inline]
    fn of_character(
        code: u8,
        character: &Character,
        shapes: &[Shape; Character::MOST],
    ) -> Option<Self> {
        Some(Self {
            code,
            key: [character.port, character.follower],
            shape: *shapes.get(usize::from(character.slot()))?,
        })
    }
}

fn single_shape<C: Columns>(events: &Sparse<C>) -> Result<Shape> {
    events.columns.shape(events.len())
}

fn many_shape<C: Columns>(events: &Many<C>) -> Result<Shape> {
    if !events.rows.is_sorted() {
        return Err(Error::unwritable("the rows are not in order"));
    }
    events.columns.shape(events.len())
}

/// Events are assembled in place in the output, which is allocated for all of them at the start.
struct Stage {
    output: Vec<u8>,
    used: usize,
}

impl Stage {
    /// Appends to existing output, with room for `total` bytes of events and `more` bytes after them.
    fn new(written: ByteWriter<Big>, total: usize, more: usize) -> Self {
        let written = written.into_bytes();
        // Fresh memory is zero already, so this costs no more than reserving it. An event is assembled in a space that
        // is longer than itself.
        let mut output = vec![0; written.len() + total + more + LONGEST];
        if let Some(beginning) = output.get_mut(..written.len()) {
            beginning.copy_from_slice(&written);
        }
        Self {
            output,
            used: written.len(),
        }
    }

    /// Returns the output.
    fn finish(mut self) -> ByteWriter<Big> {
        self.output.truncate(self.used);
        self.output.into()
    }

    /// Space for an event; `None` for events that were not counted, which the writer finally rejects.
    #[inline]
    fn room(&mut self) -> Option<&mut [u8; LONGEST]> {
        self.output.get_mut(self.used..)?.first_chunk_mut()
    }

    /// One event by itself.
    fn alone<C: Columns>(
        events: &Sparse<C>,
        row: usize,
        id: i32,
        kind: EventKind,
    ) -> Option<Vec<u8>> {
        let mut stage = Self::new(ByteWriter::new(), LONGEST, 0);
        stage.put(&events.columns, events.at(row)?, id, kind);
        Some(stage.finish().into_bytes())
    }

    /// The next of the events that a row may have many of; `None` after the last.
    fn put_next<C: Columns>(
        &mut self,
        events: &Many<C>,
        cursor: &mut usize,
        id: i32,
        kind: EventKind,
    ) -> Option<()> {
        let index = *cursor;
        *cursor += 1;
        self.put(&events.columns, index, id, kind);
        (index < events.len()).then_some(())
    }

    /// An event from its columns.
    #[inline]
    fn put<C: Columns>(&mut self, columns: &C, index: usize, id: i32, kind: EventKind) {
        let Some(room) = self.room() else { return };
        let EventKind { code, key, shape } = kind;
        room[0] = code;
        room[1..5].copy_from_slice(&id.to_be_bytes());
        room[5..7].copy_from_slice(&key);
        columns.put(index, room);
        self.used += 1 + shape.known;
        if shape.tail > 0 {
            let start = index * shape.tail;
            let tail = columns.tail().get(start..start + shape.tail);
            self.bytes(tail.unwrap_or_default());
        }
    }

    #[cold]
    fn raw(&mut self, event: u8, payload: &[u8]) {
        self.bytes(&[event]);
        self.bytes(payload);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        let end = self.used + bytes.len();
        if let Some(room) = self.output.get_mut(self.used..end) {
            room.copy_from_slice(bytes);
        }
        self.used = end;
    }
}
