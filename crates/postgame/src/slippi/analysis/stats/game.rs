//! The frames that count, by player: the last computation of each frame, without gaps, in reach of every statistic.

use std::borrow::Cow;
use std::ops::Range;

use crate::slippi::Replay;
use crate::slippi::codec::model::frames::{FIRST_FRAME, Frames, Rows};
use crate::slippi::codec::model::updates::{Post, Pre};
use crate::slippi::states::sets;
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
    /// Whom each player plays against.
    enemies: Vec<Vec<usize>>,
}

/// One player's leading character.
pub(crate) struct Fighter<'a> {
    /// The port, from 0.
    pub port: u8,
    /// The team, in team games.
    pub team: Option<u8>,
    post: Option<&'a Post>,
    pre: Option<&'a Pre>,
    post_at: Places,
    pre_at: Places,
}

/// What statistics look at of a character after every frame. What they ask now and then, [`Fighter`] tells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Snap {
    /// The index of the event.
    at: usize,
    pub state: u16,
    /// What the state is, by the bits of `tables::set`: nearly every statistic asks.
    pub sets: u16,
    pub x: f32,
    pub y: f32,
    pub percent: f32,
    /// Not a number where the version has none, so that no comparison holds.
    pub age: f32,
    pub stocks: u8,
}

/// What statistics look at of a controller before a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input {
    pub buttons: u16,
    pub stick: [f32; 2],
    pub cstick: [f32; 2],
    pub triggers: [f32; 2],
}

/// The same of several frames, by column.
#[derive(Clone, Debug)]
pub(crate) struct Inputs<'a> {
    pub buttons: Cow<'a, [u16]>,
    pub stick: [Cow<'a, [f32]>; 2],
    pub cstick: [Cow<'a, [f32]>; 2],
    pub triggers: [Cow<'a, [f32]>; 2],
}

impl<'a> Game<'a> {
    /// The frames that count; `None` without frames. `rows` are the last computations of each frame.
    pub fn new(replay: &'a Replay, rows: &[usize]) -> Option<Self> {
        let frames = replay.frames.as_ref()?;
        let rows = contiguous(frames, replay, rows);
        // As in all games that were not played over the network.
        let is_every_row = rows.len() == frames.len() && rows.is_sorted();
        let is_teams = replay.start.is_teams();
        let mut fighters = Vec::new();
        for (port, player) in replay.start.ports() {
            // A file may break off before anybody appears.
            let character = frames.character(port, false);
            let at = |events: Option<&Rows>| match events {
                Some(events) => Places::new(events, &rows, frames.len(), is_every_row),
                None => Places::Listed(Vec::new()),
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
            let whole = |frame: &usize| fighters.iter().all(|one| one.is_there(*frame));
            count = (0..count).take_while(whole).count();
        }
        let teams: Vec<Option<u8>> = fighters.iter().map(|fighter| fighter.team).collect();
        let enemies = |one: usize| {
            let others = (0..teams.len()).filter(|&other| other != one);
            others
                .filter(|&other| !is_teams || teams.get(one) != teams.get(other))
                .collect()
        };
        Some(Self {
            enemies: (0..teams.len()).map(enemies).collect(),
            fighters,
            frames: count,
            is_teams,
        })
    }

    /// True when a stock was lost. A partner's stock can be taken over: who gives it has one less and lives on.
    pub fn lost_stock(&self, before: Option<&Snap>, now: &Snap) -> bool {
        let has_less = before.is_some_and(|before| before.stocks > now.stocks);
        has_less && (!self.is_teams || now.sets & set::DEAD != 0)
    }

    /// Whom a player plays against.
    #[inline]
    pub fn enemies(&self, player: usize) -> &[usize] {
        self.enemies.get(player).map_or(&[], Vec::as_slice)
    }

    /// True when two players are enemies.
    #[inline]
    pub fn are_enemies(&self, one: usize, other: usize) -> bool {
        self.enemies(one).contains(&other)
    }
}

impl<'a> Fighter<'a> {
    /// The character after a frame.
    #[inline]
    pub fn snap(&self, frame: usize) -> Option<Snap> {
        let at = self.post_at.index(frame)?;
        let post = self.post?;
        let state = *post.action_state.get(at)?;
        Some(Snap {
            at,
            state,
            sets: sets(state),
            x: *post.x.get(at)?,
            y: *post.y.get(at)?,
            percent: *post.percent.get(at)?,
            age: post.state_age.get(at).copied().unwrap_or(f32::NAN),
            stocks: *post.stocks.get(at)?,
        })
    }

    /// The character after each of some frames.
    fn fill<'s>(&self, frames: Range<usize>, places: impl Iterator<Item = &'s mut Option<Snap>>) {
        match self.straight(frames.clone()) {
            Some(snaps) => {
                for (place, snap) in places.zip(snaps) {
                    *place = Some(snap);
                }
            }
            None => {
                for (place, frame) in places.zip(frames) {
                    *place = self.snap(frame);
                }
            }
        }
    }

    /// The same where the character was there all the time, without looking up each value.
    #[inline]
    fn straight(&self, frames: Range<usize>) -> Option<impl Iterator<Item = Snap>> {
        let Places::Straight { .. } = self.post_at else {
            return None;
        };
        let post = self.post?;
        let first = self.post_at.index(frames.start)?;
        let events = first..self.post_at.index(frames.end.checked_sub(1)?)? + 1;
        let column = |column: &'a [f32]| Some(column.get(events.clone())?.iter().copied());
        let states = post.action_state.get(events.clone())?.iter().copied();
        let stocks = post.stocks.get(events.clone())?.iter().copied();
        let places = column(&post.x)?.zip(column(&post.y)?);
        let mut ages = column(&post.state_age);
        let values = states.zip(stocks).zip(places).zip(column(&post.percent)?);
        let snap = move |(at, (((state, stocks), (x, y)), percent))| Snap {
            at,
            state,
            sets: sets(state),
            x,
            y,
            percent,
            age: ages.as_mut().and_then(Iterator::next).unwrap_or(f32::NAN),
            stocks,
        };
        Some((first..).zip(values).map(snap))
    }

    /// True when the character was there in a frame.
    pub fn is_there(&self, frame: usize) -> bool {
        self.post_at.index(frame).is_some()
    }

    /// A column's value; `None` where the version has no such column.
    #[inline]
    fn value<T: Copy>(&self, snap: &Snap, column: impl Fn(&Post) -> &[T]) -> Option<T> {
        column(self.post?).get(snap.at).copied()
    }

    /// Who is played, by the game's inner number.
    pub fn character(&self, snap: &Snap) -> u8 {
        self.value(snap, |post| &post.character).unwrap_or(u8::MAX)
    }

    /// 1 to the right, -1 to the left.
    pub fn facing(&self, snap: &Snap) -> f32 {
        self.value(snap, |post| &post.facing).unwrap_or(0.0)
    }

    /// The attack that last hit somebody.
    pub fn attack_landed(&self, snap: &Snap) -> u8 {
        self.value(snap, |post| &post.last_attack_landed)
            .unwrap_or(0)
    }

    /// The port of who last hit this one.
    pub fn last_hit_by(&self, snap: &Snap) -> Option<u8> {
        self.value(snap, |post| &post.last_hit_by)
    }

    /// Off the ground; `None` where the version does not say.
    pub fn is_airborne(&self, snap: &Snap) -> Option<bool> {
        let airborne = self.value(snap, |post| &post.airborne)?;
        Some(airborne != 0)
    }

    /// The result of an L-cancel: 1 done, 2 missed, 0 none or not on record.
    pub fn l_cancel(&self, snap: &Snap) -> u8 {
        self.value(snap, |post| &post.l_cancel).unwrap_or(0)
    }

    /// The number of what this one does.
    pub fn instance(&self, snap: &Snap) -> Option<u16> {
        self.value(snap, |post| &post.instance)
    }

    /// The number of what hit this one.
    pub fn instance_hit_by(&self, snap: &Snap) -> Option<u16> {
        self.value(snap, |post| &post.instance_hit_by)
    }

    /// The controller before a frame.
    pub fn input(&self, frame: usize) -> Option<Input> {
        let index = self.pre_at.index(frame)?;
        let inputs = self.inputs_at(index..index + 1)?;
        let of = |[x, y]: [Cow<'_, [f32]>; 2]| Some([*x.first()?, *y.first()?]);
        Some(Input {
            buttons: *inputs.buttons.first()?,
            stick: of(inputs.stick)?,
            cstick: of(inputs.cstick)?,
            triggers: of(inputs.triggers)?,
        })
    }

    /// The controller before each of many frames, where the player was there in all of them.
    pub fn inputs(&self, frames: Range<usize>) -> Option<Inputs<'a>> {
        let last = frames.end.checked_sub(1)?;
        match (&self.pre_at, &self.post_at) {
            (Places::Straight { .. }, Places::Straight { .. }) => {
                let start = self.pre_at.index(frames.start)?;
                let end = self.pre_at.index(last)? + 1;
                let is_there = self.is_there(frames.start) && self.is_there(last);
                self.inputs_at(start..end).filter(|_| is_there)
            }
            (Places::Listed(pre), Places::Listed(post)) => {
                let is_absent = post.get(frames.clone())?.contains(&ABSENT);
                let inputs = self.inputs_of(pre.get(frames)?)?;
                (!is_absent).then_some(inputs)
            }
            _ => None,
        }
    }

    fn inputs_at(&self, events: Range<usize>) -> Option<Inputs<'a>> {
        let pre = self.pre?;
        let column = |column: &'a [f32]| Some(Cow::Borrowed(column.get(events.clone())?));
        Some(Inputs {
            buttons: pre.physical_buttons.get(events.clone())?.into(),
            stick: [column(&pre.joystick_x)?, column(&pre.joystick_y)?],
            cstick: [column(&pre.cstick_x)?, column(&pre.cstick_y)?],
            triggers: [column(&pre.physical_l)?, column(&pre.physical_r)?],
        })
    }

    /// The same of events that are not in a row; `None` where one is missing.
    fn inputs_of(&self, events: &[u32]) -> Option<Inputs<'a>> {
        fn gather<'a, T: Copy>(column: &[T], events: &[u32]) -> Option<Cow<'a, [T]>> {
            let values = events.iter().map(|&at| column.get(at as usize).copied());
            Some(Cow::Owned(values.collect::<Option<_>>()?))
        }
        let pre = self.pre?;
        let column = |column: &[f32]| gather(column, events);
        Some(Inputs {
            buttons: gather(&pre.physical_buttons, events)?,
            stick: [column(&pre.joystick_x)?, column(&pre.joystick_y)?],
            cstick: [column(&pre.cstick_x)?, column(&pre.cstick_y)?],
            triggers: [column(&pre.physical_l)?, column(&pre.physical_r)?],
        })
    }
}

/// All players in one frame.
type Row<'a> = &'a [Option<Snap>];

/// The snaps of all players, some frames at a time: columns are read in one go.
pub(crate) struct Snaps<'a> {
    game: &'a Game<'a>,
    /// By frame, then by player; the first frame is the one before those that were filled in.
    list: Vec<Option<Snap>>,
    /// The frames that were filled in.
    filled: Range<usize>,
}

impl<'a> Snaps<'a> {
    /// How many frames are filled in at once: few enough to stay in the processor's nearest memory.
    const BLOCK: usize = 64;

    pub fn new(game: &'a Game<'a>) -> Self {
        Self {
            game,
            list: vec![None; (Self::BLOCK + 1) * game.fighters.len()],
            filled: 0..0,
        }
    }

    /// All players before and after a frame. Frames are asked for one after the other.
    #[inline]
    pub fn at(&mut self, frame: usize) -> Option<(Row<'_>, Row<'_>)> {
        let players = self.game.fighters.len();
        if frame >= self.filled.end {
            self.fill(frame);
        }
        let start = frame.checked_sub(self.filled.start)? * players;
        let both = self.list.get(start..start + 2 * players)?;
        both.split_at_checked(players)
    }

    fn fill(&mut self, frame: usize) {
        let players = self.game.fighters.len();
        // The last frame so far is the one before.
        let last = self.filled.len() * players;
        if self.list.len() >= last + players {
            self.list.copy_within(last..last + players, 0);
        }
        self.filled = frame..self.game.frames.min(frame + Self::BLOCK);
        for (player, fighter) in self.game.fighters.iter().enumerate() {
            let places = self.list.iter_mut().skip(players + player);
            fighter.fill(self.filled.clone(), places.step_by(players));
        }
    }
}

/// The index of each frame's event.
enum Places {
    /// Every row counts and has one from some frame on.
    Straight { first: usize, count: usize },
    /// By frame.
    Listed(Vec<u32>),
}

impl Places {
    fn new(events: &Rows, rows: &[usize], count: usize, is_every_row: bool) -> Self {
        let mut runs = events.runs();
        match (runs.next(), runs.next()) {
            (Some((first, run)), None) if is_every_row => Self::Straight {
                first,
                count: run.len(),
            },
            _ => Self::Listed(indices(events, rows, count)),
        }
    }

    #[inline]
    fn index(&self, frame: usize) -> Option<usize> {
        match self {
            Self::Straight { first, count } => {
                frame.checked_sub(*first).filter(|index| index < count)
            }
            Self::Listed(list) => {
                let index = *list.get(frame)?;
                (index != ABSENT).then_some(index as usize)
            }
        }
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
    if rows.len() == count && rows.is_sorted() {
        // Every row counts, as in all games that were not played over the network.
        return of_row;
    }
    rows.iter()
        .map(|&row| of_row.get(row).copied().unwrap_or(ABSENT))
        .collect()
}

/// The rows of the frames from the first one on, up to a gap or to what may still change.
fn contiguous(frames: &Frames, replay: &Replay, rows: &[usize]) -> Vec<usize> {
    let final_frame = final_frame(frames, replay);
    let before = rows
        .iter()
        .take_while(|&&row| frame_of(frames, row) < FIRST_FRAME);
    let before = before.count();
    let rows = rows.get(before..).unwrap_or_default();
    let is_next = |(frame, row): (i32, &usize)| {
        frame_of(frames, *row) == frame && i64::from(frame) <= final_frame
    };
    let count = (FIRST_FRAME..)
        .zip(rows)
        .take_while(|&next| is_next(next))
        .count();
    rows.iter().take(count).copied().collect()
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
