//! The frames that count, by player: the last computation of each frame, without gaps, in reach of every statistic.

use crate::slippi::Replay;
use crate::slippi::knowledge::sets;
use crate::slippi::model::frames::{Copies, FIRST_FRAME, Frames, Rows};
use crate::slippi::model::updates::{Post, Pre};
use crate::slippi::tables::set;

/// Recorders up to this one mark no ends of frames; a frame is over when the next one begins.
const LAST_WITHOUT_BOOKENDS: [u8; 3] = [2, 2, 0];

/// Recorders before this one need the second frame to tell who plays Sheik; without it nothing is told.
const SHEIK_IS_RIGHT: [u8; 3] = [1, 6, 0];

/// The most frames that are computed again over the network.
const MOST_ROLLED_BACK: i32 = 7;

/// In place of an index: this frame has none.
pub(crate) const ABSENT: u32 = u32::MAX;

/// The players of a game and the frames to look at, which begin at [`FIRST_FRAME`].
pub(crate) struct Game<'a> {
    /// The players in the order of their ports.
    pub fighters: Vec<Fighter<'a>>,
    /// How many frames can be looked at.
    pub frames: usize,
    /// Teams play against each other.
    pub is_teams: bool,
}

/// One player's leading character.
pub(crate) struct Fighter<'a> {
    /// The port, from 0.
    pub port: u8,
    /// The team, in team games.
    pub team: Option<u8>,
    post: Option<&'a Post>,
    pre: Option<&'a Pre>,
    post_at: Vec<u32>,
    pre_at: Vec<u32>,
}

/// What statistics look at of a character after a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Snap {
    pub character: u8,
    pub state: u16,
    pub x: f32,
    pub y: f32,
    pub facing: f32,
    pub percent: f32,
    pub attack_landed: u8,
    pub last_hit_by: u8,
    pub stocks: u8,
    /// Not a number where the version has none, so that no comparison holds.
    pub age: f32,
    pub is_airborne: Option<bool>,
    /// 0 where the version has none.
    pub l_cancel: u8,
    pub instance: Option<u16>,
    pub instance_hit_by: Option<u16>,
}

/// What statistics look at of a controller before a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input {
    pub buttons: u16,
    pub stick: [f32; 2],
    pub cstick: [f32; 2],
    pub triggers: [f32; 2],
}

impl<'a> Game<'a> {
    /// The frames that count; `None` without frames.
    pub fn new(replay: &'a Replay) -> Option<Self> {
        let frames = replay.frames.as_ref()?;
        let rows = contiguous(frames, replay);
        let is_teams = replay.start.is_teams();
        let mut fighters = Vec::new();
        for (port, player) in replay.start.ports() {
            // A file may break off before anybody appears.
            let character = frames.character(port, false);
            let at = |events: Option<&Rows>| match events {
                Some(events) => indices(events, &rows, frames.len()),
                None => Vec::new(),
            };
            fighters.push(Fighter {
                port,
                team: is_teams.then_some(player.team),
                post: character.map(|character| &character.post.columns),
                pre: character.map(|character| &character.pre.columns),
                post_at: at(character.map(|character| &character.post.rows)),
                pre_at: at(character.map(|character| &character.pre.rows)),
            });
        }
        let mut count = rows.len();
        if fighters.len() <= 2 {
            // A frame that lacks somebody was not recorded whole; with more players it means that somebody is out.
            let whole = |frame: &usize| fighters.iter().all(|one| one.snap(*frame).is_some());
            count = (0..count).take_while(whole).count();
        }
        Some(Self {
            fighters,
            frames: count,
            is_teams,
        })
    }

    /// True when a stock was lost. A partner's stock can be taken over: who gives it has one less and lives on.
    pub fn lost_stock(&self, before: Option<&Snap>, now: &Snap) -> bool {
        let has_less = before.is_some_and(|before| before.stocks > now.stocks);
        has_less && (!self.is_teams || sets(now.state) & set::DEAD != 0)
    }

    /// True when two players are enemies.
    pub fn are_enemies(&self, one: usize, other: usize) -> bool {
        let team = |index: usize| self.fighters.get(index).and_then(|fighter| fighter.team);
        one != other && (!self.is_teams || team(one) != team(other))
    }
}

impl Fighter<'_> {
    /// The character after a frame.
    #[inline]
    pub fn snap(&self, frame: usize) -> Option<Snap> {
        let index = *self.post_at.get(frame)?;
        if index == ABSENT {
            return None;
        }
        let (index, post) = (index as usize, self.post?);
        Some(Snap {
            character: *post.character.get(index)?,
            state: *post.action_state.get(index)?,
            x: *post.x.get(index)?,
            y: *post.y.get(index)?,
            facing: *post.facing.get(index)?,
            percent: *post.percent.get(index)?,
            attack_landed: *post.last_attack_landed.get(index)?,
            last_hit_by: *post.last_hit_by.get(index)?,
            stocks: *post.stocks.get(index)?,
            age: post.state_age.get(index).copied().unwrap_or(f32::NAN),
            is_airborne: post.airborne.get(index).map(|airborne| *airborne != 0),
            l_cancel: post.l_cancel.get(index).copied().unwrap_or(0),
            instance: post.instance.get(index).copied(),
            instance_hit_by: post.instance_hit_by.get(index).copied(),
        })
    }

    /// The controller before a frame.
    #[inline]
    pub fn input(&self, frame: usize) -> Option<Input> {
        let index = *self.pre_at.get(frame)?;
        if index == ABSENT {
            return None;
        }
        let (index, pre) = (index as usize, self.pre?);
        Some(Input {
            buttons: *pre.physical_buttons.get(index)?,
            stick: [*pre.joystick_x.get(index)?, *pre.joystick_y.get(index)?],
            cstick: [*pre.cstick_x.get(index)?, *pre.cstick_y.get(index)?],
            triggers: [*pre.physical_l.get(index)?, *pre.physical_r.get(index)?],
        })
    }
}

/// The index of each row's event.
pub(crate) fn indices(events: &Rows, rows: &[usize], count: usize) -> Vec<u32> {
    let mut of_row = vec![ABSENT; count];
    for (index, row) in events.iter().enumerate() {
        if let Some(place) = of_row.get_mut(row) {
            *place = index as u32;
        }
    }
    if rows.len() == count && rows.last().is_none_or(|&last| last + 1 == count) {
        // Every row counts, as in all games that were not played over the network.
        return of_row;
    }
    rows.iter()
        .map(|&row| of_row.get(row).copied().unwrap_or(ABSENT))
        .collect()
}

/// The rows of the frames from the first one on, up to a gap or to what may still change.
fn contiguous(frames: &Frames, replay: &Replay) -> Vec<usize> {
    let final_frame = final_frame(frames, replay);
    let mut rows = frames.rows(Copies::Final);
    let before = rows
        .iter()
        .take_while(|&&row| frame_of(frames, row) < FIRST_FRAME);
    let before = before.count();
    rows.drain(..before);
    let is_next = |(frame, row): (i32, &usize)| {
        frame_of(frames, *row) == frame && i64::from(frame) <= final_frame
    };
    let count = (FIRST_FRAME..)
        .zip(&rows)
        .take_while(|&next| is_next(next))
        .count();
    rows.truncate(count);
    rows
}

fn frame_of(frames: &Frames, row: usize) -> i32 {
    frames.ids.get(row).copied().unwrap_or(i32::MIN)
}

/// The last frame that will not be computed again, as far as can be told. A game that has ended does not change.
fn final_frame(frames: &Frames, replay: &Replay) -> i64 {
    let last = frames.ids.last().copied().unwrap_or(i32::MIN);
    let version = replay.start.version();
    if version < SHEIK_IS_RIGHT && last <= FIRST_FRAME {
        return i64::MIN;
    }
    if replay.end().is_some() {
        return i64::from(last);
    }
    if version <= LAST_WITHOUT_BOOKENDS {
        return i64::from(last) - 1;
    }
    let finals = frames.bookends.rows.iter().map(|row| {
        let finalised = frames.finalised(row).filter(|&frame| frame >= FIRST_FRAME);
        match finalised {
            Some(frame) if replay.start.is_online() => frame,
            _ => frame_of(frames, row).saturating_sub(MOST_ROLLED_BACK),
        }
    });
    finals.max().map_or(i64::MIN, i64::from)
}
