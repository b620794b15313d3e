//! From frames to events.

use super::builder::combined;
use super::container::{EVENTS_AT, PREFIX};
use super::model::Replay;
use super::model::columns::{Columns, LONGEST, Shape};
use super::model::frames::{Character, Frames, Many, Sparse, rank};
use super::model::messages::expect_size;
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
    let messages: usize = before
        .iter()
        .chain(after)
        .map(|one| 1 + payloads.size(one.code()).unwrap_or(0))
        .sum();
    let room = EVENTS_AT + 2048 + messages + rows.total + remains.0.len() + trailing.0.len();
    let mut writer = ByteWriter::<Big>::with_capacity(room);
    if !*is_bare {
        writer.bytes(PREFIX);
        writer.u32(0);
        payloads.write(&mut writer).field("payloads")?;
    } else if *payloads != Payloads::of_bare_files() {
        return Err(
            Error::unwritable("a bare file has no room for payload sizes").in_field("payloads"),
        );
    }
    write_event(start, code::START, payloads, &mut writer).field("start")?;
    for (index, message) in before.iter().enumerate() {
        message
            .write(payloads, &mut writer)
            .index(index)
            .field("before")?;
    }
    rows.write(&mut writer).field("frames")?;
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
    /// Payload sizes by kind of event, as the columns make them.
    sizes: Sizes,
    /// How many bytes all rows take.
    total: usize,
}

#[derive(Default)]
struct Sizes {
    pre: [Shape; Character::MOST],
    post: [Shape; Character::MOST],
    start: Shape,
    bookend: Shape,
    item: Shape,
    fod_platform: Shape,
    whispy: Shape,
    stadium: Shape,
}

/// How far the writer is in each list that is not looked up by row.
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
        let mut size_of = |event: u8, shape: Result<Shape>, count: usize| -> Result<Shape> {
            let shape = shape?;
            if count > 0 && !frames.is_combined {
                expect_size(payloads, event, shape.known + shape.tail)?;
            }
            total += count * (1 + shape.known + shape.tail);
            Ok(shape)
        };
        let mut sizes = Sizes {
            start: size_of(
                code::FRAME_START,
                single_size(&frames.starts),
                frames.starts.len(),
            )
            .field("starts")?,
            bookend: size_of(
                code::BOOKEND,
                single_size(&frames.bookends),
                frames.bookends.len(),
            )
            .field("bookends")?,
            item: size_of(code::ITEM, many_size(&frames.items), frames.items.len())
                .field("items")?,
            fod_platform: size_of(
                code::FOD_PLATFORM,
                many_size(&frames.fod_platforms),
                frames.fod_platforms.len(),
            )
            .field("fod_platforms")?,
            whispy: size_of(code::WHISPY, many_size(&frames.whispy), frames.whispy.len())
                .field("whispy")?,
            stadium: size_of(
                code::STADIUM,
                many_size(&frames.stadium),
                frames.stadium.len(),
            )
            .field("stadium")?,
            ..Sizes::default()
        };
        let mut characters = [None; Character::MOST];
        for (index, character) in frames.characters.iter().enumerate() {
            let slot = usize::from(character.port)
                .saturating_mul(2)
                .saturating_add(character.follower.into());
            let (Some(place), Some(pre), Some(post), true) = (
                characters.get_mut(slot),
                sizes.pre.get_mut(slot),
                sizes.post.get_mut(slot),
                character.follower < 2,
            ) else {
                return Err(
                    Error::unwritable("there are ports 0 to 7, each with follower 0 or 1")
                        .in_index(index)
                        .in_field("characters"),
                );
            };
            let context = |error: Error| error.in_index(index).in_field("characters");
            *pre = size_of(code::PRE, single_size(&character.pre), character.pre.len())
                .map_err(context)?;
            *post = size_of(
                code::POST,
                single_size(&character.post),
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
            sizes,
            total,
        })
    }

    fn write(&self, writer: &mut ByteWriter<Big>) -> Result<()> {
        let frames = self.frames;
        let mut cursors = Cursors::default();
        let mut orders = frames.orders.iter().peekable();
        for (row, &id) in frames.ids.iter().enumerate() {
            match orders.next_if(|odd| odd.row as usize == row) {
                Some(odd) => {
                    for &rank in &odd.order {
                        self.event(rank, row, id, &mut cursors, writer).index(row)?;
                    }
                }
                None => self.usual_row(row, id, &mut cursors, writer).index(row)?,
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
        let singles: usize = frames
            .characters
            .iter()
            .map(|one| self.pre_count(one) + one.post.len())
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
            None => Ok(()),
        }
    }

    /// Combined events have no separate part before the frame.
    fn pre_count(&self, character: &Character) -> usize {
        if self.frames.is_combined {
            0
        } else {
            character.pre.len()
        }
    }

    #[inline]
    fn usual_row(
        &self,
        row: usize,
        id: i32,
        cursors: &mut Cursors,
        writer: &mut ByteWriter<Big>,
    ) -> Result<()> {
        let frames = self.frames;
        let has = |rows: &[u32], at: usize| rows.get(at).is_some_and(|&next| next as usize == row);
        if frames.starts.at(row).is_some() {
            self.event(rank::START, row, id, cursors, writer)?;
        }
        if !frames.is_combined {
            for character in &frames.characters {
                if character.pre.at(row).is_some() {
                    self.event(rank::PRE + character.slot(), row, id, cursors, writer)?;
                }
            }
        }
        while has(&frames.fod_platforms.rows, cursors.fod_platform) {
            self.event(rank::FOD_PLATFORM, row, id, cursors, writer)?;
        }
        while has(&frames.whispy.rows, cursors.whispy) {
            self.event(rank::WHISPY, row, id, cursors, writer)?;
        }
        while has(&frames.stadium.rows, cursors.stadium) {
            self.event(rank::STADIUM, row, id, cursors, writer)?;
        }
        while has(&frames.items.rows, cursors.item) {
            self.event(rank::ITEM, row, id, cursors, writer)?;
        }
        for character in &frames.characters {
            if character.post.at(row).is_some() {
                self.event(rank::POST + character.slot(), row, id, cursors, writer)?;
            }
        }
        if frames.bookends.at(row).is_some() {
            self.event(rank::BOOKEND, row, id, cursors, writer)?;
        }
        while frames
            .others
            .get(cursors.other)
            .is_some_and(|other| other.row as usize == row)
        {
            self.event(rank::OTHER, row, id, cursors, writer)?;
        }
        Ok(())
    }

    /// Writes the next event of a rank in a row.
    #[inline]
    fn event(
        &self,
        rank: u8,
        row: usize,
        id: i32,
        cursors: &mut Cursors,
        writer: &mut ByteWriter<Big>,
    ) -> Result<()> {
        let Self { frames, sizes, .. } = self;
        let absent = || Error::unwritable(format!("the row has no event of rank {rank:#04x}"));
        let slot = usize::from(rank & 0x0f);
        match rank {
            rank::START => {
                cursors.single += 1;
                put(
                    &frames.starts.columns,
                    frames.starts.at(row).ok_or_else(absent)?,
                    code::FRAME_START,
                    id,
                    None,
                    sizes.start,
                    writer,
                );
            }
            rank::BOOKEND => {
                cursors.single += 1;
                put(
                    &frames.bookends.columns,
                    frames.bookends.at(row).ok_or_else(absent)?,
                    code::BOOKEND,
                    id,
                    None,
                    sizes.bookend,
                    writer,
                );
            }
            0x10..=0x1f | 0x30..=0x3f => {
                let character = self
                    .characters
                    .get(slot)
                    .copied()
                    .flatten()
                    .ok_or_else(absent)?;
                let key = Some([character.port, character.follower]);
                cursors.single += 1;
                if frames.is_combined {
                    self.combined(character, slot, row, id, writer)
                        .ok_or_else(absent)?;
                } else if rank < rank::POST {
                    let size = sizes.pre.get(slot).copied().unwrap_or_default();
                    put(
                        &character.pre.columns,
                        character.pre.at(row).ok_or_else(absent)?,
                        code::PRE,
                        id,
                        key,
                        size,
                        writer,
                    );
                } else {
                    let size = sizes.post.get(slot).copied().unwrap_or_default();
                    put(
                        &character.post.columns,
                        character.post.at(row).ok_or_else(absent)?,
                        code::POST,
                        id,
                        key,
                        size,
                        writer,
                    );
                }
            }
            rank::ITEM => put(
                &frames.items.columns,
                step(&mut cursors.item),
                code::ITEM,
                id,
                None,
                sizes.item,
                writer,
            ),
            rank::FOD_PLATFORM => {
                let index = step(&mut cursors.fod_platform);
                put(
                    &frames.fod_platforms.columns,
                    index,
                    code::FOD_PLATFORM,
                    id,
                    None,
                    sizes.fod_platform,
                    writer,
                );
            }
            rank::WHISPY => put(
                &frames.whispy.columns,
                step(&mut cursors.whispy),
                code::WHISPY,
                id,
                None,
                sizes.whispy,
                writer,
            ),
            rank::STADIUM => put(
                &frames.stadium.columns,
                step(&mut cursors.stadium),
                code::STADIUM,
                id,
                None,
                sizes.stadium,
                writer,
            ),
            rank::OTHER => {
                let other = frames
                    .others
                    .get(step(&mut cursors.other))
                    .ok_or_else(absent)?;
                expect_size(self.payloads, other.code, other.payload.0.len())?;
                writer.u8(other.code);
                writer.bytes(&other.payload.0);
            }
            _ => return Err(absent()),
        }
        Ok(())
    }

    #[cold]
    fn combined(
        &self,
        character: &Character,
        slot: usize,
        row: usize,
        id: i32,
        writer: &mut ByteWriter<Big>,
    ) -> Option<()> {
        let (mut pre, mut post) = (ByteWriter::<Big>::new(), ByteWriter::<Big>::new());
        let key = Some([character.port, character.follower]);
        put(
            &character.pre.columns,
            character.pre.at(row)?,
            code::PRE,
            id,
            key,
            *self.sizes.pre.get(slot)?,
            &mut pre,
        );
        put(
            &character.post.columns,
            character.post.at(row)?,
            code::POST,
            id,
            key,
            *self.sizes.post.get(slot)?,
            &mut post,
        );
        let payload = combined::join(pre.as_bytes().get(1..)?, post.as_bytes().get(1..)?)?;
        writer.u8(code::POST);
        writer.bytes(&payload);
        Some(())
    }
}

fn single_size<C: Columns>(events: &Sparse<C>) -> Result<Shape> {
    events.columns.shape(events.len())
}

fn many_size<C: Columns>(events: &Many<C>) -> Result<Shape> {
    if !events.rows.is_sorted() {
        return Err(Error::unwritable("the rows are not in order"));
    }
    events.columns.shape(events.len())
}

fn step(cursor: &mut usize) -> usize {
    *cursor += 1;
    *cursor - 1
}

/// Writes one event: everything known into a buffer of fixed size, then what a newer recorder added.
#[inline]
fn put<C: Columns>(
    columns: &C,
    index: usize,
    event: u8,
    id: i32,
    key: Option<[u8; 2]>,
    shape: Shape,
    writer: &mut ByteWriter<Big>,
) {
    let mut payload = [0; LONGEST];
    payload[..4].copy_from_slice(&id.to_be_bytes());
    if let Some(key) = key {
        payload[4..6].copy_from_slice(&key);
    }
    columns.put(index, &mut payload);
    writer.u8(event);
    writer.bytes(payload.get(..shape.known).unwrap_or_default());
    if shape.tail > 0 {
        let start = index * shape.tail;
        writer.bytes(
            columns
                .tail()
                .get(start..start + shape.tail)
                .unwrap_or_default(),
        );
    }
}
