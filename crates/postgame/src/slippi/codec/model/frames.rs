//! Frames as columns: a row for every computed frame, including those computed again after a rollback.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::columns::Columns;
use super::updates::{Bookends, FodPlatforms, FrameStarts, Items, Post, Pre, Stadium, Whispy};
use crate::wire::json::{Bytes, json_by_serde};

/// The first frame of a game; the timer starts at 0.
pub const FIRST_FRAME: i32 = -123;

/// The first frame in which players can act.
pub const FIRST_PLAYABLE_FRAME: i32 = -39;

/// All frames of a game. A row is one computation of a frame; after a rollback the same frame has several.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Frames {
    /// The frame number of every row.
    pub ids: Vec<i32>,
    /// Frame starts. Since 2.2.
    pub starts: Sparse<FrameStarts>,
    /// The characters, in the order of their ports; a follower comes after its leader.
    pub characters: Vec<Character>,
    /// Moving platforms of Fountain of Dreams. Since 3.18.
    #[serde(skip_serializing_if = "Many::is_empty")]
    pub fod_platforms: Many<FodPlatforms>,
    /// The wind of Dream Land. Since 3.18.
    #[serde(skip_serializing_if = "Many::is_empty")]
    pub whispy: Many<Whispy>,
    /// The transformation of Pokémon Stadium. Since 3.18.
    #[serde(skip_serializing_if = "Many::is_empty")]
    pub stadium: Many<Stadium>,
    /// Items and projectiles. Since 3.0.
    #[serde(skip_serializing_if = "Many::is_empty")]
    pub items: Many<Items>,
    /// Frame ends. Since 3.0.
    pub bookends: Sparse<Bookends>,
    /// Unknown events, and known ones in unexpected places.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Other>,
    /// Rows whose events are not in the usual order, which is that of [`rank`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub orders: Vec<OddOrder>,
    /// The first recorders wrote one event for `pre` and `post`; it is split when read, and joined again when written.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_combined: bool,
}

json_by_serde!(Frames);

/// Ranks of events within a row; the events of usual rows are sorted by them.
pub mod rank {
    /// The frame start.
    pub const START: u8 = 0x00;
    /// A character before the frame: add twice its port, plus 1 for a follower.
    pub const PRE: u8 = 0x10;
    /// A platform of Fountain of Dreams.
    pub const FOD_PLATFORM: u8 = 0x20;
    /// The wind of Dream Land.
    pub const WHISPY: u8 = 0x21;
    /// The transformation of Pokémon Stadium.
    pub const STADIUM: u8 = 0x22;
    /// An item.
    pub const ITEM: u8 = 0x23;
    /// A character after the frame: add twice its port, plus 1 for a follower.
    pub const POST: u8 = 0x30;
    /// The frame end.
    pub const BOOKEND: u8 = 0x40;
    /// Any other event.
    pub const OTHER: u8 = 0x50;
}

/// One character: a port's leader, or its follower (Nana).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Character {
    /// The port, from 0. Games with more than four players use 4 and 5 too.
    pub port: u8,
    /// 1 for the follower of two climbers.
    pub follower: u8,
    /// Its events before each frame.
    pub pre: Sparse<Pre>,
    /// Its events after each frame.
    pub post: Sparse<Post>,
}

impl Character {
    /// Number of character slots in a row: ports 0 to 7, each with a follower.
    pub const MOST: usize = 16;

    /// Its slot.
    pub fn slot(&self) -> u8 {
        self.port.saturating_mul(2).saturating_add(self.follower)
    }
}

/// Events that a row has at most one of.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(
    default,
    deny_unknown_fields,
    bound(deserialize = "T: Default + Deserialize<'de>")
)]
pub struct Sparse<T> {
    /// The rows that have one.
    pub rows: Rows,
    /// The events, without gaps.
    pub columns: T,
}

impl<T> Sparse<T> {
    /// The column index of a row's event.
    #[inline]
    pub fn at(&self, row: usize) -> Option<usize> {
        self.rows.index(row)
    }

    /// Number of events.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Drops the event of the last row.
fn drop_one<T: Columns>(events: &mut Sparse<T>, row: usize) {
    if events.at(row).is_some() {
        events.columns.pop(events.len());
        events.rows.pop();
    }
}

/// Drops the events of the last row.
fn drop_many<T: Columns>(events: &mut Many<T>, row: usize) {
    while events.rows.last().is_some_and(|&last| last as usize >= row) {
        events.columns.pop(events.rows.len());
        events.rows.pop();
    }
}

/// The rows that have an event, as runs of consecutive rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rows {
    /// The first row of each run and the index of its event.
    runs: Vec<[u32; 2]>,
    /// Number of events.
    count: u32,
}

impl Rows {
    /// Number of rows with an event.
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// True when no row has one.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The index of a row's event.
    #[inline]
    pub fn index(&self, row: usize) -> Option<usize> {
        let row = u32::try_from(row).ok()?;
        // Most characters are present from beginning to end.
        let (run, end) = match self.runs.as_slice() {
            [run] => (run, self.count),
            _ => self.run_of(row)?,
        };
        let index = run[1].checked_add(row.checked_sub(run[0])?)?;
        (index < end).then_some(index as usize)
    }

    /// The run that may contain a row, and the end of its events.
    fn run_of(&self, row: u32) -> Option<(&[u32; 2], u32)> {
        let after = self.runs.partition_point(|run| run[0] <= row);
        let end = self.runs.get(after).map_or(self.count, |run| run[1]);
        Some((self.runs.get(after.checked_sub(1)?)?, end))
    }

    /// Removes the last event.
    fn pop(&mut self) {
        self.count = self.count.saturating_sub(1);
        if self.runs.last().is_some_and(|run| run[1] >= self.count) {
            self.runs.pop();
        }
    }

    /// The first row of each run of rows with an event, and the indices of the events.
    pub fn runs(&self) -> impl Iterator<Item = (usize, Range<usize>)> {
        self.runs.iter().enumerate().map(|(run, &[row, index])| {
            let end = self.runs.get(run + 1).map_or(self.count, |next| next[1]);
            (row as usize, index as usize..end.max(index) as usize)
        })
    }

    /// The rows, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.runs()
            .flat_map(|(row, events)| row..row + events.len())
    }

    /// Adds the event of a row after all rows so far.
    #[inline]
    pub(crate) fn push(&mut self, row: u32) {
        match self.runs.last() {
            Some(&[first_row, first_index]) if row - first_row == self.count - first_index => {}
            _ => self.runs.push([row, self.count]),
        }
        self.count += 1;
    }
}

/// Collects rows in ascending order; skips a row that is not above its predecessors.
impl FromIterator<usize> for Rows {
    fn from_iter<I: IntoIterator<Item = usize>>(rows: I) -> Self {
        let mut list = Self::default();
        let mut next = 0;
        for row in rows {
            if let (true, Ok(row)) = (row >= next, u32::try_from(row)) {
                list.push(row);
                next = row as usize + 1;
            }
        }
        list
    }
}

/// Events that a row can have any number of.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(
    default,
    deny_unknown_fields,
    bound(deserialize = "T: Default + Deserialize<'de>")
)]
pub struct Many<T> {
    /// The row of each event, ascending.
    pub rows: Vec<u32>,
    /// The events.
    pub columns: T,
}

impl<T> Many<T> {
    /// The column indices of a row's events.
    pub fn of_row(&self, row: usize) -> Range<usize> {
        let start = self.rows.partition_point(|&at| (at as usize) < row);
        let end = self.rows.partition_point(|&at| at as usize <= row);
        start..end.max(start)
    }

    /// The start of each row's events, then their total number: offsets as in columnar formats.
    pub fn offsets(&self, rows: usize) -> Vec<u32> {
        let mut offsets = Vec::with_capacity(rows + 1);
        let mut at = 0;
        for row in 0..rows {
            offsets.push(at as u32);
            while self.rows.get(at).is_some_and(|&next| next as usize <= row) {
                at += 1;
            }
        }
        offsets.push(self.rows.len() as u32);
        offsets
    }

    /// Number of events.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

/// An event kept as bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Other {
    /// The row that contains it or precedes it.
    pub row: u32,
    /// Its code.
    pub code: u8,
    /// Its payload.
    pub payload: Bytes,
}

/// The order of a row's events, if it is not the usual one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OddOrder {
    /// The row.
    pub row: u32,
    /// The [`rank`] of each event.
    pub order: Vec<u8>,
}

/// Which computations of a frame to return.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Copies {
    /// All, in file order.
    All,
    /// The first computation of each frame: the one the player saw.
    First,
    /// The last computation of each frame: the one that counted.
    #[default]
    Final,
}

impl Frames {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The selected rows; sorted by frame unless all computations are selected.
    pub fn rows(&self, copies: Copies) -> Vec<usize> {
        let mut rows: Vec<usize> = (0..self.ids.len()).collect();
        if copies == Copies::All || self.ids.is_sorted_by(|a, b| a < b) {
            return rows;
        }
        if let Some(rows) = self.rows_of_rollbacks(copies) {
            return rows;
        }
        let id = |row: &usize| self.ids.get(*row).copied();
        // Stable, so that the computations of a frame stay in order.
        rows.sort_by_key(id);
        if copies == Copies::Final {
            rows.reverse();
        }
        rows.dedup_by_key(|row| id(row));
        if copies == Copies::Final {
            rows.reverse();
        }
        rows
    }

    /// The result of [`Self::rows`], computed in one pass if frames are computed again as the game does it: all frames
    /// from some frame on. `None` if the frames found that way have gaps.
    fn rows_of_rollbacks(&self, copies: Copies) -> Option<Vec<usize>> {
        let mut rows = Vec::with_capacity(self.ids.len());
        let mut last: Option<i32> = None;
        let mut keep = |row: usize, id: i32, is_new: fn(i32, i32) -> bool| {
            if last.is_none_or(|last| is_new(id, last)) {
                last = Some(id);
                rows.push(row);
            }
        };
        let ids = self.ids.iter().copied().enumerate();
        match copies {
            Copies::Final => {
                ids.rev()
                    .for_each(|(row, id)| keep(row, id, |id, last| id < last));
                rows.reverse();
            }
            _ => ids.for_each(|(row, id)| keep(row, id, |id, last| id > last)),
        }
        let (least, most) = (self.ids.iter().min()?, self.ids.iter().max()?);
        let count = i64::from(*most) - i64::from(*least) + 1;
        (rows.len() as i64 == count).then_some(rows)
    }

    /// The highest frame number.
    pub fn last_frame(&self) -> Option<i32> {
        self.ids.iter().copied().max()
    }

    /// Number of rows that repeat a frame of an earlier row.
    pub fn rolled_back_rows(&self) -> usize {
        self.len() - self.rows(Copies::Final).len()
    }

    /// The last final frame, as of a row.
    pub fn finalised(&self, row: usize) -> Option<i32> {
        self.bookends
            .columns
            .finalised
            .get(self.bookends.at(row)?)
            .copied()
    }

    /// Drops the last row with all of its events.
    pub(crate) fn drop_last_row(&mut self) {
        let Some(row) = self.ids.len().checked_sub(1) else {
            return;
        };
        let Self {
            ids,
            starts,
            characters,
            fod_platforms,
            whispy,
            stadium,
            items,
            bookends,
            others,
            orders,
            is_combined: _,
        } = self;
        ids.truncate(row);
        drop_one(starts, row);
        drop_one(bookends, row);
        for character in characters.iter_mut() {
            drop_one(&mut character.pre, row);
            drop_one(&mut character.post, row);
        }
        characters.retain(|one| !one.pre.is_empty() || !one.post.is_empty());
        drop_many(fod_platforms, row);
        drop_many(whispy, row);
        drop_many(stadium, row);
        drop_many(items, row);
        others.retain(|other| (other.row as usize) < row);
        orders.retain(|odd| (odd.row as usize) < row);
    }

    /// The character of a port.
    pub fn character(&self, port: u8, follower: bool) -> Option<&Character> {
        self.characters
            .iter()
            .find(|one| one.port == port && one.follower == u8::from(follower))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_with_gaps_are_found() {
        let mut rows = Rows::default();
        for row in [2, 3, 4, 7, 9, 10] {
            rows.push(row);
        }
        assert_eq!(rows.runs, [[2, 0], [7, 3], [9, 4]]);
        assert_eq!(rows.iter().collect::<Vec<_>>(), [2, 3, 4, 7, 9, 10]);
        let indices: Vec<_> = (0..12).map(|row| rows.index(row)).collect();
        let n = None;
        assert_eq!(
            indices,
            [
                n,
                n,
                Some(0),
                Some(1),
                Some(2),
                n,
                n,
                Some(3),
                n,
                Some(4),
                Some(5),
                n
            ]
        );
    }

    #[test]
    fn copies_of_a_frame() {
        let frames = Frames {
            ids: vec![5, 6, 7, 6, 7, 8, 8],
            ..Frames::default()
        };
        assert_eq!(frames.rows(Copies::All).len(), 7);
        assert_eq!(frames.rows(Copies::First), [0, 1, 2, 5]);
        assert_eq!(frames.rows(Copies::Final), [0, 3, 4, 6]);
        assert_eq!(frames.rolled_back_rows(), 3);
        let items = Many {
            rows: vec![1, 1, 3],
            columns: (),
        };
        assert_eq!(items.offsets(5), [0, 0, 2, 2, 3, 3]);
        assert_eq!((items.of_row(1), items.of_row(2).len()), (0..2, 0));
    }
}
