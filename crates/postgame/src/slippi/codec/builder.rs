//! Builds frames from events: the one place that decides where a frame begins.

use super::model::columns::Columns;
use super::model::frames::{Character, Frames, Many, OddOrder, Other, Sparse, rank};
use super::model::messages::Message;
use super::model::payloads::{Payloads, SizeTable, code};
use super::model::updates::{
    Bookends, FodPlatforms, FrameStarts, Items, Post, Pre, Stadium, Whispy,
};
use crate::limits::LOOSE_EVENTS;
use crate::wire::json::Bytes;

/// No character is in this slot.
const NOBODY: u8 = u8::MAX;

/// Collects the events after the first two, one by one.
pub(crate) struct Builder {
    frames: Frames,
    /// The index of each slot's character in the list.
    places: [u8; Character::MOST],
    /// Events outside of frames: before the first row, and after the last one.
    before: Vec<(u8, Vec<u8>)>,
    after: Vec<(u8, Vec<u8>)>,
    /// Number of these events, including those that were moved into a row.
    loose: usize,
    /// State of the current row: its frame, the ranks of its events in order, the kinds seen, and whether their order
    /// is unusual.
    id: i32,
    order: Vec<u8>,
    seen: u128,
    is_odd: bool,
}

/// The result of a builder.
pub(crate) struct Built {
    pub before: Vec<Message>,
    pub frames: Frames,
    pub after: Vec<Message>,
}

impl Builder {
    pub fn new(payloads: &Payloads) -> Self {
        // The first recorders had no event before a frame, and stored everything in the one after it.
        let is_combined =
            payloads.size(code::PRE).is_none() && payloads.size(code::POST) == Some(combined::SIZE);
        Self {
            frames: Frames {
                is_combined,
                ..Frames::default()
            },
            places: [NOBODY; Character::MOST],
            before: Vec::new(),
            after: Vec::new(),
            loose: 0,
            id: 0,
            order: Vec::with_capacity(64),
            seen: 0,
            is_odd: false,
        }
    }

    /// The frames built so far.
    pub fn frames(&self) -> &Frames {
        &self.frames
    }

    /// Adds one event.
    #[inline]
    pub fn event(&mut self, event: u8, payload: &[u8]) {
        match event {
            code::PRE => self.pre(payload),
            code::POST => self.post(payload),
            code::FRAME_START => {
                if let Some(row) = self.place::<FrameStarts>(rank::START, true, payload) {
                    one(&mut self.frames.starts, row, payload);
                    return;
                }
                self.other(event, payload);
            }
            code::BOOKEND => {
                if let Some(row) = self.place::<Bookends>(rank::BOOKEND, true, payload) {
                    one(&mut self.frames.bookends, row, payload);
                    return;
                }
                self.other(event, payload);
            }
            code::ITEM => {
                if let Some(row) = self.place::<Items>(rank::ITEM, false, payload) {
                    many(&mut self.frames.items, row, payload);
                    return;
                }
                self.other(event, payload);
            }
            code::FOD_PLATFORM => {
                if let Some(row) = self.place::<FodPlatforms>(rank::FOD_PLATFORM, false, payload) {
                    many(&mut self.frames.fod_platforms, row, payload);
                    return;
                }
                self.other(event, payload);
            }
            code::WHISPY => {
                if let Some(row) = self.place::<Whispy>(rank::WHISPY, false, payload) {
                    many(&mut self.frames.whispy, row, payload);
                    return;
                }
                self.other(event, payload);
            }
            code::STADIUM => {
                if let Some(row) = self.place::<Stadium>(rank::STADIUM, false, payload) {
                    many(&mut self.frames.stadium, row, payload);
                    return;
                }
                self.other(event, payload);
            }
            _ => self.other(event, payload),
        }
    }

    #[inline]
    fn pre(&mut self, payload: &[u8]) {
        if let Some(slot) = slot(payload)
            && !self.frames.is_combined
            && let Some(row) = self.place::<Pre>(rank::PRE + slot, true, payload)
            && let Some(character) = self.character(slot)
        {
            one(&mut character.pre, row, payload);
        } else {
            self.other(code::PRE, payload);
        }
    }

    #[inline]
    fn post(&mut self, payload: &[u8]) {
        if self.frames.is_combined {
            return self.combined(payload);
        }
        if let Some(slot) = slot(payload)
            && let Some(row) = self.place::<Post>(rank::POST + slot, true, payload)
            && let Some(character) = self.character(slot)
        {
            one(&mut character.post, row, payload);
        } else {
            self.other(code::POST, payload);
        }
    }

    #[cold]
    fn combined(&mut self, payload: &[u8]) {
        if let Some((pre, post)) = combined::split(payload)
            && let Some(slot) = slot(&post)
            && let Some(row) = self.place::<Post>(rank::POST + slot, true, &post)
            && let Some(character) = self.character(slot)
        {
            one(&mut character.pre, row, &pre);
            one(&mut character.post, row, &post);
        } else {
            self.other(code::POST, payload);
        }
    }

    /// The character of a slot, added to the list at its first event.
    #[inline]
    fn character(&mut self, slot: u8) -> Option<&mut Character> {
        let place = self.places.get_mut(usize::from(slot))?;
        if *place == NOBODY {
            *place = self.frames.characters.len() as u8;
            let character = Character {
                port: slot / 2,
                follower: slot % 2,
                ..Character::default()
            };
            self.frames.characters.push(character);
        }
        self.frames.characters.get_mut(usize::from(*place))
    }

    /// The row of an event; `None` if the event is too short for its kind.
    ///
    /// A row begins with a frame start, with another frame number, or with an event that the current row already has.
    #[inline]
    fn place<C: Columns>(&mut self, rank: u8, is_single: bool, payload: &[u8]) -> Option<u32> {
        let id = i32::from_be_bytes(*payload.first_chunk()?);
        if payload.len() < C::SHORTEST {
            return None;
        }
        let is_taken = is_single && self.seen >> rank & 1 != 0;
        if !self.after.is_empty() {
            self.take_in();
        }
        if rank == rank::START || id != self.id || is_taken || self.frames.ids.is_empty() {
            self.close_row();
            self.id = id;
            self.frames.ids.push(id);
        }
        self.note(rank);
        Some(self.frames.ids.len() as u32 - 1)
    }

    #[inline]
    fn note(&mut self, rank: u8) {
        self.is_odd |= self.order.last().is_some_and(|&last| rank < last);
        self.order.push(rank);
        self.seen |= 1 << rank;
    }

    /// Moves events that seemed to follow the last frame into a row after all.
    #[cold]
    fn take_in(&mut self) {
        let Some(row) = self.frames.ids.len().checked_sub(1) else {
            return;
        };
        for (code, payload) in std::mem::take(&mut self.after) {
            self.frames.others.push(Other {
                row: row as u32,
                code,
                payload: Bytes(payload),
            });
            self.note(rank::OTHER);
        }
    }

    #[inline]
    fn close_row(&mut self) {
        if self.is_odd {
            let row = self.frames.ids.len() as u32 - 1;
            self.frames.orders.push(OddOrder {
                row,
                order: self.order.clone(),
            });
        }
        self.order.clear();
        self.seen = 0;
        self.is_odd = false;
    }

    /// True when there are too many events outside of frames to continue.
    pub fn is_flooded(&self) -> bool {
        self.loose >= LOOSE_EVENTS
    }

    #[cold]
    fn other(&mut self, event: u8, payload: &[u8]) {
        self.loose += 1;
        let list = if self.frames.ids.is_empty() {
            &mut self.before
        } else {
            &mut self.after
        };
        list.push((event, payload.to_vec()));
    }

    /// Returns the result.
    pub fn finish(mut self) -> Built {
        self.close_row();
        // Memory was reserved for every port that events name, but an event can still turn out to be invalid.
        self.frames
            .characters
            .retain(|one| !one.pre.is_empty() || !one.post.is_empty());
        self.frames.characters.sort_by_key(Character::slot);
        let typed = |list: Vec<(u8, Vec<u8>)>| {
            list.into_iter()
                .map(|(code, payload)| Message::new(code, payload))
                .collect()
        };
        Built {
            before: typed(self.before),
            frames: self.frames,
            after: typed(self.after),
        }
    }

    /// Walks the events once without decoding, to reserve exactly the memory they need.
    pub fn reserve(&mut self, events: &[u8], sizes: &SizeTable) {
        let mut counts = [0usize; 256];
        let (mut pre, mut post) = ([0usize; Character::MOST], [0usize; Character::MOST]);
        let mut rest = events;
        while let Some((&event, after)) = rest.split_first()
            && let Some((payload, after)) = sizes
                .get(event)
                .and_then(|size| after.split_at_checked(size))
        {
            let by_slot = |payload| slot(payload).map(usize::from);
            let count = match event {
                code::PRE => by_slot(payload).and_then(|slot| pre.get_mut(slot)),
                code::POST if self.frames.is_combined => {
                    by_slot(payload.get(4..).unwrap_or_default())
                        .and_then(|slot| post.get_mut(slot))
                }
                code::POST => by_slot(payload).and_then(|slot| post.get_mut(slot)),
                _ => counts.get_mut(usize::from(event)),
            };
            if let Some(count) = count {
                *count += 1;
            }
            rest = after;
        }
        self.make_room(&counts, &pre, &post, sizes);
    }

    fn make_room(
        &mut self,
        counts: &[usize; 256],
        pre: &[usize],
        post: &[usize],
        sizes: &SizeTable,
    ) {
        let count = |code: u8| counts.get(usize::from(code)).copied().unwrap_or(0);
        let size = |code: u8| sizes.get(code).unwrap_or(0);
        let most = pre.iter().chain(post).copied().max().unwrap_or(0);
        let frames = &mut self.frames;
        frames.ids.reserve_exact(count(code::FRAME_START).max(most));
        frames
            .starts
            .columns
            .reserve(count(code::FRAME_START), size(code::FRAME_START));
        frames
            .bookends
            .columns
            .reserve(count(code::BOOKEND), size(code::BOOKEND));
        frames.items.rows.reserve_exact(count(code::ITEM));
        frames
            .items
            .columns
            .reserve(count(code::ITEM), size(code::ITEM));
        frames
            .fod_platforms
            .rows
            .reserve_exact(count(code::FOD_PLATFORM));
        frames
            .fod_platforms
            .columns
            .reserve(count(code::FOD_PLATFORM), size(code::FOD_PLATFORM));
        // A combined event counts as one of each.
        let is_combined = frames.is_combined;
        let (pre_size, post_size) = if is_combined {
            (58, 33)
        } else {
            (size(code::PRE), size(code::POST))
        };
        for (slot, (&pre, &post)) in (0..).zip(pre.iter().zip(post)) {
            if (pre > 0 || post > 0)
                && let Some(character) = self.character(slot)
            {
                character
                    .pre
                    .columns
                    .reserve(if is_combined { post } else { pre }, pre_size);
                character.post.columns.reserve(post, post_size);
            }
        }
    }
}

/// The slot of a character's event, by port and follower; `None` if it is out of range.
#[inline]
fn slot(payload: &[u8]) -> Option<u8> {
    let &[_, _, _, _, port, follower] = payload.first_chunk()?;
    (port < 8 && follower < 2).then(|| port * 2 + follower)
}

#[inline]
fn one<C: Columns>(events: &mut Sparse<C>, row: u32, payload: &[u8]) {
    events.rows.push(row);
    events
        .columns
        .push(payload.get(C::KEY..).unwrap_or_default());
}

#[inline]
fn many<C: Columns>(events: &mut Many<C>, row: u32, payload: &[u8]) {
    events.rows.push(row);
    events
        .columns
        .push(payload.get(C::KEY..).unwrap_or_default());
}

/// The first recorders' combined event for a character and frame: the fields of the two later events, shared ones only
/// once.
pub(crate) mod combined {
    /// The payload's size.
    pub const SIZE: usize = 71;

    /// Positions of fields in the combined payload and in the later ones: (combined, length, pre, post).
    const PARTS: &[(usize, usize, Option<usize>, Option<usize>)] = &[
        (0, 4, Some(0), Some(0)),    // frame
        (4, 4, Some(6), None),       // random seed
        (8, 2, Some(4), Some(4)),    // port, follower
        (10, 1, None, Some(6)),      // character
        (11, 2, Some(10), Some(7)),  // action state
        (13, 12, Some(12), Some(9)), // x, y, facing
        (25, 24, Some(24), None),    // sticks, trigger, buttons
        (49, 12, None, Some(21)), // percent, shield, last attack, combo count, last hit by, stocks
        (61, 10, Some(48), None), // physical buttons, physical triggers
    ];

    /// Splits the combined payload into the later ones.
    pub fn split(payload: &[u8]) -> Option<([u8; 58], [u8; 33])> {
        let (mut pre, mut post) = ([0; 58], [0; 33]);
        for &(at, length, to_pre, to_post) in PARTS {
            let part = payload.get(at..at + length)?;
            if let Some(to) = to_pre {
                pre.get_mut(to..to + length)?.copy_from_slice(part);
            }
            if let Some(to) = to_post {
                post.get_mut(to..to + length)?.copy_from_slice(part);
            }
        }
        Some((pre, post))
    }

    /// Joins the payloads again; `None` if the two contradict each other.
    pub fn join(pre: &[u8], post: &[u8]) -> Option<[u8; SIZE]> {
        let mut payload = [0; SIZE];
        for &(at, length, from_pre, from_post) in PARTS {
            let part = |from: Option<usize>, payload: &'_ [u8]| {
                from.map(|from| payload.get(from..from + length).map(<[u8]>::to_vec))
            };
            let part = match (part(from_pre, pre), part(from_post, post)) {
                (Some(one), Some(other)) if one != other => return None,
                (Some(part), _) | (None, Some(part)) => part?,
                (None, None) => return None,
            };
            payload.get_mut(at..at + length)?.copy_from_slice(&part);
        }
        Some(payload)
    }
}
