//! Conversions and combos: what a player makes of an opening.
//!
//! Both follow a victim from the hit that opens them to the kill, or to when the victim has been free for 45 frames. A
//! conversion ends when the victim could act for so long, a combo when it was out of hitstun, off the ground and out of
//! techs for so long. With two players the attacker is the other one. With more, each hit is given to whoever the game
//! says made it, and hits by the own team count for nothing here.

use super::game::{Game, Snap};
use super::snap_of;
use crate::slippi::tables::set;

/// How long a victim has to be free until it is over.
const RESET_FRAMES: u32 = 45;

/// A grab reaches no further than this, so the one who holds is not farther away.
const GRAB_REACH_UU: f32 = 40.0;

/// Being hit or held.
pub(crate) const STUN: u16 = set::DAMAGED | set::GRABBED | set::COMMAND_GRABBED;

/// How an opening came about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Opening {
    /// Not looked at: combos.
    #[default]
    Unknown,
    /// Nobody had the upper hand.
    NeutralWin,
    /// The attacker was being punished.
    CounterAttack,
    /// Both were hit in the same frame.
    Trade,
}

impl Opening {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::NeutralWin => "neutral-win",
            Self::CounterAttack => "counter-attack",
            Self::Trade => "trade",
        }
    }
}

/// An attack that hit, once or more.
#[derive(Clone, Debug, PartialEq)]
pub struct Move {
    /// The attacker's port.
    pub port: u8,
    /// The frame of the first hit.
    pub frame: i32,
    /// Which attack.
    pub attack: u8,
    /// How often it hit.
    pub hits: u32,
    /// What it did to the victim's percent, in all.
    pub damage: f64,
}

/// A conversion or a combo.
#[derive(Clone, Debug, PartialEq)]
pub struct Punish {
    /// The victim's port.
    pub victim: u8,
    /// The port of who opened it.
    pub opener: u8,
    /// The port of who hit last.
    pub last_hit_by: u8,
    /// The frame of the opening.
    pub start_frame: i32,
    /// The frame in which it was over; `None` when the recording ended before.
    pub end_frame: Option<i32>,
    /// The victim's percent before it.
    pub start_percent: f64,
    /// The victim's latest percent in it.
    pub current_percent: f64,
    /// The victim's percent just before the end.
    pub end_percent: Option<f64>,
    /// The attacks that hit.
    pub moves: Vec<Move>,
    /// The victim lost a stock.
    pub did_kill: bool,
    /// How it came about; of conversions only.
    pub opening: Opening,
}

/// What ends it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Conversion,
    Combo,
}

/// Follows all victims at once.
pub(crate) struct Tracker {
    kind: Kind,
    victims: Vec<Victim>,
    /// Something is going on.
    is_active: bool,
    pub list: Vec<Punish>,
}

#[derive(Clone, Default)]
struct Victim {
    /// Which of the list is going on.
    open: Option<usize>,
    /// An attack is known that further hits belong to.
    has_move: bool,
    reset_count: u32,
    /// What the attacker was doing when the last hit was made, until they do something else.
    hit_state: Option<u16>,
    attacker: Option<usize>,
}

impl Tracker {
    pub fn new(kind: Kind, players: usize) -> Self {
        Self {
            kind,
            victims: vec![Victim::default(); players],
            is_active: false,
            list: Vec::new(),
        }
    }

    /// True when a frame need not be looked at: nobody is hit and nothing goes on.
    #[inline]
    pub fn may_skip(&self, is_anybody_stunned: bool) -> bool {
        !is_anybody_stunned && !self.is_active
    }

    /// Looks at one frame. `attackers` says for each player who hits them, if somebody does.
    pub fn step(
        &mut self,
        game: &Game<'_>,
        frame: i32,
        before: &[Option<Snap>],
        now: &[Option<Snap>],
        attackers: &[Option<usize>],
    ) {
        // The last player is the first one's victim: with two, this is the order of attackers.
        for index in (0..self.victims.len()).rev() {
            let (Some(victim), Some(attacker)) =
                (self.victims.get_mut(index), attackers.get(index))
            else {
                continue;
            };
            if victim.is_resting() && !is_stunned(snap_of(now, index)) {
                continue;
            }
            let snaps = |index: usize| (snap_of(before, index), snap_of(now, index));
            victim.step(
                self.kind,
                &mut self.list,
                game,
                (index, *attacker),
                frame,
                snaps,
            );
        }
        self.is_active = !self.victims.iter().all(Victim::is_resting);
    }

    /// Says of each conversion how it came about.
    pub fn find_openings(&mut self, game: &Game<'_>) {
        let list = &mut self.list;
        let mut order: Vec<usize> = (0..list.len()).collect();
        order.sort_by_key(|&index| list.get(index).map(|punish| punish.start_frame));
        let is_duel = game.fighters.len() == 2;
        let mut last_ends: [Option<i32>; 256] = [None; 256];
        let mut openings = vec![Opening::Unknown; list.len()];
        for group in order.chunk_by(|&a, &b| {
            list.get(a).map(|one| one.start_frame) == list.get(b).map(|one| one.start_frame)
        }) {
            let group_of = || group.iter().filter_map(|&index| list.get(index));
            for &index in group {
                let Some(punish) = list.get(index) else {
                    continue;
                };
                last_ends[usize::from(punish.victim)] = punish.end_frame;
                let is_mutual =
                    |other: &Punish| other.victim == punish.opener && other.opener == punish.victim;
                let is_trade = match is_duel {
                    true => group.len() >= 2,
                    false => group_of().any(is_mutual),
                };
                // Without a known attack the victim itself is looked up; slippi-js does so.
                let attacker = punish.moves.last().map_or(punish.victim, |last| last.port);
                let end = last_ends[usize::from(attacker)].filter(|&end| end != 0);
                let opening = if is_trade {
                    Opening::Trade
                } else if end.is_some_and(|end| end > punish.start_frame) {
                    Opening::CounterAttack
                } else {
                    Opening::NeutralWin
                };
                if let Some(place) = openings.get_mut(index) {
                    *place = opening;
                }
            }
        }
        for (punish, opening) in list.iter_mut().zip(openings) {
            punish.opening = opening;
        }
    }
}

/// True when a player cannot act after a hit, or is held.
#[inline]
fn is_stunned(now: Option<&Snap>) -> bool {
    now.is_some_and(|now| now.sets & STUN != 0)
}

impl Victim {
    /// Nothing goes on that a frame without a hit could change.
    #[inline]
    fn is_resting(&self) -> bool {
        self.open.is_none() && self.hit_state.is_none()
    }

    /// One frame of one victim; `None` where there is nothing to do.
    fn step<'a>(
        &mut self,
        kind: Kind,
        list: &mut Vec<Punish>,
        game: &Game<'_>,
        (index, hitter): (usize, Option<usize>),
        frame: i32,
        snaps: impl Fn(usize) -> (Option<&'a Snap>, Option<&'a Snap>),
    ) -> Option<()> {
        let (before, now) = snaps(index);
        let Some(now) = now else {
            // Out of the game; whatever was going on is over.
            self.end(list, frame, before);
            return None;
        };
        let sets = now.sets;
        let is_stunned = sets & STUN != 0;
        let is_duel = game.fighters.len() == 2;
        if let Some((attacker_before, Some(attacker))) =
            (if is_duel { hitter } else { self.attacker }).map(&snaps)
        {
            let age_before = attacker_before.map_or(0.0, |before| before.age);
            if Some(attacker.state) != self.hit_state || attacker.age < age_before {
                self.hit_state = None;
            }
        }
        let percent_before = before.map_or(0.0, |before| f64::from(before.percent));
        let hitter = hitter.filter(|&hitter| game.are_enemies(hitter, index));
        if let (true, Some(hitter)) = (is_stunned, hitter) {
            let port = |index: usize| game.fighters.get(index).map(|fighter| fighter.port);
            let (victim_port, hitter_port) = (port(index)?, port(hitter)?);
            if self.open.is_none() {
                self.open = Some(list.len());
                list.push(Punish {
                    victim: victim_port,
                    opener: hitter_port,
                    last_hit_by: hitter_port,
                    start_frame: frame,
                    end_frame: None,
                    start_percent: percent_before,
                    current_percent: now.percent.into(),
                    end_percent: None,
                    moves: Vec::new(),
                    did_kill: false,
                    opening: Opening::Unknown,
                });
            }
            let punish = list.get_mut(self.open?)?;
            let damage = match before {
                Some(before) => f64::from(now.percent) - f64::from(before.percent),
                None => 0.0,
            };
            if damage != 0.0 {
                let (attacker_before, attacker) = snaps(hitter);
                if self.attacker != Some(hitter) && !is_duel {
                    self.hit_state = None;
                }
                if self.hit_state.is_none() {
                    punish.moves.push(Move {
                        port: hitter_port,
                        frame,
                        attack: attacker
                            .zip(game.fighters.get(hitter))
                            .map_or(0, |(attacker, fighter)| fighter.attack_landed(attacker)),
                        hits: 0,
                        damage: 0.0,
                    });
                    self.has_move = true;
                }
                if let (true, Some(current)) = (self.has_move, punish.moves.last_mut()) {
                    current.hits += 1;
                    current.damage += damage;
                }
                punish.last_hit_by = hitter_port;
                self.attacker = Some(hitter);
                self.hit_state = attacker_before.map(|before| before.state);
            }
        }
        let punish = list.get_mut(self.open?)?;
        let lost_stock = game.lost_stock(before, now);
        if !lost_stock {
            punish.current_percent = now.percent.into();
        }
        match kind {
            Kind::Conversion => {
                if is_stunned {
                    self.reset_count = 0;
                }
                if self.reset_count > 0 || sets & set::CONTROL != 0 {
                    self.reset_count += 1;
                }
            }
            Kind::Combo => {
                if sets & (STUN | set::TECH | set::DOWN | set::DEAD) != 0 {
                    self.reset_count = 0;
                } else {
                    self.reset_count += 1;
                }
            }
        }
        punish.did_kill |= lost_stock;
        if lost_stock || self.reset_count > RESET_FRAMES {
            self.end(list, frame, before);
        }
        None
    }

    fn end(&mut self, list: &mut [Punish], frame: i32, before: Option<&Snap>) {
        let Some(punish) = self.open.take().and_then(|open| list.get_mut(open)) else {
            return;
        };
        punish.end_frame = Some(frame);
        punish.end_percent = Some(before.map_or(0.0, |before| before.percent.into()));
        self.has_move = false;
    }
}

/// Who hits each player in a frame: with two players the other one, else whom the game names.
pub(crate) fn find_attackers(
    game: &Game<'_>,
    before: &[Option<Snap>],
    now: &[Option<Snap>],
    attackers: &mut [Option<usize>],
) {
    let players = game.fighters.len();
    for (index, attacker) in attackers.iter_mut().enumerate() {
        *attacker = if players == 2 {
            Some(1 - index)
        } else {
            let victim = snap_of(now, index).filter(|victim| victim.sets & STUN != 0);
            victim.and_then(|victim| find_attacker(game, index, victim, before, now))
        };
    }
}

/// Who hits a player when there are several candidates.
fn find_attacker(
    game: &Game<'_>,
    index: usize,
    victim: &Snap,
    before: &[Option<Snap>],
    now: &[Option<Snap>],
) -> Option<usize> {
    let others = || {
        now.iter()
            .enumerate()
            .filter(move |(other, _)| *other != index)
            .filter_map(|(other, snap)| Some((other, snap.as_ref()?)))
    };
    // Exact where the version has it: the attack's own number.
    let fighter = game.fighters.get(index)?;
    if let Some(instance) = fighter
        .instance_hit_by(victim)
        .filter(|&instance| instance != 0)
    {
        let is_it = |other: usize, snap: Option<&Snap>| {
            let fighter = game.fighters.get(other);
            let found = fighter
                .zip(snap)
                .and_then(|(fighter, snap)| fighter.instance(snap));
            found == Some(instance)
        };
        let found = others().find(|(other, snap)| {
            is_it(*other, Some(snap)) || is_it(*other, snap_of(before, *other))
        });
        if let Some((other, _)) = found {
            return Some(other);
        }
    }
    // Who holds somebody: pummels and grabs do not change who is on record as the last to hit.
    if victim.sets & set::GRABBED != 0 {
        let distance = |snap: &Snap| (snap.x - victim.x).hypot(snap.y - victim.y);
        let holder = others()
            .filter(|(_, snap)| snap.sets & set::HOLDS_GRAB != 0)
            .filter(|(_, snap)| distance(snap) <= GRAB_REACH_UU)
            .min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b)));
        if let Some((holder, _)) = holder {
            return Some(holder);
        }
    }
    let last = fighter.last_hit_by(victim);
    let by_port = |other: &super::game::Fighter<'_>| Some(other.port) == last;
    let found = game.fighters.iter().position(by_port);
    found.filter(|&other| other != index)
}
