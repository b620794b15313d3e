//! From frames to events.

use super::builder::combined;
use super::container::{EVENTS_AT, PREFIX};
use super::model::Replay;
use super::model::columns::{Columns, LONGEST, Shape};
use super::model::frames::{Character, Frames, Many, Sparse, rank};
use super::model::messages::{Message, expect_size};
use super::model::payloads::{Payloads, code};
use super::model::start::write_event;
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

/// Writes rows, each event from its columns.
struct RowWriter<'a> {
    frames: &'a Frames,
    payloads: &'a Payloads,
    /// By slot.
    characters: [Option<&'a Character>; Character::MOST],
    shapes: Shapes,
    /// How many bytes all rows take.
    total: usize,
}

/// The payloads of each kind of event, as its columns make them.
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

/// How far the writer is in each list that is not looked up by row, and how many single events it wrote.
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
    /// Checks that all columns fit the declared sizes, and adds up what they take.
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

    /// Writes all rows after what was written, with room for `more` bytes.
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
        // Whatever was not reached belongs to no row, or a row's odd order left it out.
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
        let Self { frames, shapes, .. } = self;
        if let Some(index) = frames.starts.at(row) {
            cursors.single += 1;
            stage.put(
                &frames.starts.columns,
                index,
                code::FRAME_START,
                id,
                [0; 2],
                shapes.start,
            );
        }
        if frames.is_combined {
            for character in &frames.characters {
                if character.post.at(row).is_some() {
                    self.event(rank::POST + character.slot(), row, id, cursors, stage)?;
                }
            }
        } else {
            for character in &frames.characters {
                if let Some(index) = character.pre.at(row)
                    && let Some(shape) = shapes.pre.get(usize::from(character.slot()))
                {
                    cursors.single += 1;
                    stage.put(
                        &character.pre.columns,
                        index,
                        code::PRE,
                        id,
                        key(character),
                        *shape,
                    );
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
                if let Some(index) = character.post.at(row)
                    && let Some(shape) = shapes.post.get(usize::from(character.slot()))
                {
                    cursors.single += 1;
                    stage.put(
                        &character.post.columns,
                        index,
                        code::POST,
                        id,
                        key(character),
                        *shape,
                    );
                }
            }
        }
        if let Some(index) = frames.bookends.at(row) {
            cursors.single += 1;
            stage.put(
                &frames.bookends.columns,
                index,
                code::BOOKEND,
                id,
                [0; 2],
                shapes.bookend,
            );
        }
        while frames
            .others
            .get(cursors.other)
            .is_some_and(|other| other.row as usize == row)
        {
            self.event(rank::OTHER, row, id, cursors, stage)?;
        }
        Ok(())
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
        let slot = usize::from(rank & 0x0f);
        match rank {
            rank::START => {
                cursors.single += 1;
                let index = frames.starts.at(row).ok_or_else(absent)?;
                stage.put(
                    &frames.starts.columns,
                    index,
                    code::FRAME_START,
                    id,
                    [0; 2],
                    shapes.start,
                );
            }
            rank::BOOKEND => {
                cursors.single += 1;
                let index = frames.bookends.at(row).ok_or_else(absent)?;
                stage.put(
                    &frames.bookends.columns,
                    index,
                    code::BOOKEND,
                    id,
                    [0; 2],
                    shapes.bookend,
                );
            }
            0x10..=0x1f | 0x30..=0x3f => {
                let character = self
                    .characters
                    .get(slot)
                    .copied()
                    .flatten()
                    .ok_or_else(absent)?;
                cursors.single += 1;
                if frames.is_combined {
                    self.combined(character, slot, row, id, stage)
                        .ok_or_else(absent)?;
                } else if rank < rank::POST {
                    let index = character.pre.at(row).ok_or_else(absent)?;
                    let shape = shapes.pre.get(slot).ok_or_else(absent)?;
                    stage.put(
                        &character.pre.columns,
                        index,
                        code::PRE,
                        id,
                        key(character),
                        *shape,
                    );
                } else {
                    let index = character.post.at(row).ok_or_else(absent)?;
                    let shape = shapes.post.get(slot).ok_or_else(absent)?;
                    stage.put(
                        &character.post.columns,
                        index,
                        code::POST,
                        id,
                        key(character),
                        *shape,
                    );
                }
            }
            rank::ITEM => {
                let index = step(&mut cursors.item);
                stage.put(
                    &frames.items.columns,
                    index,
                    code::ITEM,
                    id,
                    [0; 2],
                    shapes.item,
                );
            }
            rank::FOD_PLATFORM => {
                let (columns, index) = (
                    &frames.fod_platforms.columns,
                    step(&mut cursors.fod_platform),
                );
                stage.put(
                    columns,
                    index,
                    code::FOD_PLATFORM,
                    id,
                    [0; 2],
                    shapes.fod_platform,
                );
            }
            rank::WHISPY => {
                let index = step(&mut cursors.whispy);
                stage.put(
                    &frames.whispy.columns,
                    index,
                    code::WHISPY,
                    id,
                    [0; 2],
                    shapes.whispy,
                );
            }
            rank::STADIUM => {
                let index = step(&mut cursors.stadium);
                stage.put(
                    &frames.stadium.columns,
                    index,
                    code::STADIUM,
                    id,
                    [0; 2],
                    shapes.stadium,
                );
            }
            rank::OTHER => {
                let other = frames
                    .others
                    .get(step(&mut cursors.other))
                    .ok_or_else(absent)?;
                expect_size(self.payloads, other.code, other.payload.0.len())?;
                stage.raw(other.code, &other.payload.0);
            }
            _ => return Err(absent()),
        }
        Ok(())
    }

    /// Writes the first recorders' one event for a character.
    #[cold]
    fn combined(
        &self,
        character: &Character,
        slot: usize,
        row: usize,
        id: i32,
        stage: &mut Stage,
    ) -> Option<()> {
        let part = |write: &dyn Fn(&mut Stage)| {
            let mut stage = Stage::new(ByteWriter::new(), LONGEST, 0);
            write(&mut stage);
            stage.finish().into_bytes()
        };
        let (pre_index, post_index) = (character.pre.at(row)?, character.post.at(row)?);
        let (pre_shape, post_shape) = (*self.shapes.pre.get(slot)?, *self.shapes.post.get(slot)?);
        let pre = part(&|stage| {
            stage.put(
                &character.pre.columns,
                pre_index,
                code::PRE,
                id,
                key(character),
                pre_shape,
            );
        });
        let post = part(&|stage| {
            stage.put(
                &character.post.columns,
                post_index,
                code::POST,
                id,
                key(character),
                post_shape,
            );
        });
        stage.raw(code::POST, &combined::join(pre.get(1..)?, post.get(1..)?)?);
        Some(())
    }
}

fn key(character: &Character) -> [u8; 2] {
    [character.port, character.follower]
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

fn step(cursor: &mut usize) -> usize {
    *cursor += 1;
    *cursor - 1
}

/// Events are put together where they belong in the output, which has room for all of them from the beginning.
struct Stage {
    output: Vec<u8>,
    used: usize,
}

impl Stage {
    /// Goes on after what was written, with room for `total` bytes of events and `more` after them.
    fn new(written: ByteWriter<Big>, total: usize, more: usize) -> Self {
        let written = written.into_bytes();
        // Fresh memory is zero already: this costs no more than reserving it. An event is put together in a room
        // that is longer than itself.
        let mut output = vec![0; written.len() + total + more + LONGEST];
        if let Some(beginning) = output.get_mut(..written.len()) {
            beginning.copy_from_slice(&written);
        }
        Self {
            output,
            used: written.len(),
        }
    }

    /// All that was written.
    fn finish(mut self) -> ByteWriter<Big> {
        self.output.truncate(self.used);
        self.output.into()
    }

    /// Room for an event; `None` for events that were not counted, which the writer refuses in the end.
    #[inline]
    fn room(&mut self) -> Option<&mut [u8; LONGEST]> {
        self.output.get_mut(self.used..)?.first_chunk_mut()
    }

    /// An event from its columns. Events without port and follower overwrite their key with fields.
    #[inline]
    fn put<C: Columns>(
        &mut self,
        columns: &C,
        index: usize,
        event: u8,
        id: i32,
        key: [u8; 2],
        shape: Shape,
    ) {
        let Some(room) = self.room() else { return };
        room[0] = event;
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
