//! Derives starting characters and winners from the data.

use std::cmp::Reverse;

use super::model::Replay;
use super::model::frames::{Copies, Frames};
use super::model::start::End;

/// The kinds of game end, by [`End::method`].
pub mod method {
    /// Before 2.0: no winner.
    pub const UNRESOLVED: u8 = 0;
    /// Time ran out.
    pub const TIME: u8 = 1;
    /// A player won.
    pub const GAME: u8 = 2;
    /// Before 2.0: a player won. Since then: a team won, or a single-player mode ended.
    pub const RESOLVED: u8 = 3;
    /// A player quit.
    pub const NO_CONTEST: u8 = 7;
}

/// Zelda and Sheik, by their numbers on the selection screen and in the engine.
const ZELDA: (u8, u8) = (18, 19);
const SHEIK: (u8, u8) = (19, 7);

impl Replay {
    /// The character a port starts with, as the character selection counts them. A start as Sheik is selected as Zelda;
    /// the first frame tells.
    pub fn starting_character(&self, port: u8) -> Option<u8> {
        let stated = self.start.info.players.get(usize::from(port))?.character;
        if stated != ZELDA.0 && stated != SHEIK.0 {
            return Some(stated);
        }
        let first = || {
            let character = self.frames.as_ref()?.character(port, false)?;
            character.post.columns.character.first().copied()
        };
        Some(match first() {
            Some(internal) if internal == ZELDA.1 => ZELDA.0,
            Some(internal) if internal == SHEIK.1 => SHEIK.0,
            _ => stated,
        })
    }

    /// The ports that won, ascending; empty if there is no winner or the file does not tell. Needs the frames for games
    /// that were decided by time or recorded before placements (3.13).
    ///
    /// A port that quits loses to the only other one. A two-player game that ran out of time is won by the player with
    /// more stocks, then with less damage in whole percent. Otherwise placements decide, and without them, remaining
    /// stocks.
    pub fn winners(&self) -> Vec<u8> {
        let Some(end) = self.end() else {
            return Vec::new();
        };
        let ports: Vec<u8> = self.start.ports().map(|(port, _)| port).collect();
        if ports.len() < 2 {
            return Vec::new();
        }
        if matches!(end.method, method::NO_CONTEST | method::UNRESOLVED) {
            let quitter = end.quitter.and_then(|port| u8::try_from(port).ok());
            return match (&ports[..], quitter) {
                (&[one, other], Some(quitter)) if quitter == one => vec![other],
                (&[one, other], Some(quitter)) if quitter == other => vec![one],
                _ => Vec::new(),
            };
        }
        let standings = self.standings(&ports);
        if let (Some(&[one, other]), false) = (standings.as_deref(), self.start.is_teams())
            && (end.method == method::TIME || one.score() == other.score())
        {
            return match one.score().cmp(&other.score()) {
                std::cmp::Ordering::Greater => vec![one.port],
                std::cmp::Ordering::Less => vec![other.port],
                std::cmp::Ordering::Equal => Vec::new(),
            };
        }
        match self
            .first_placed(end)
            .or_else(|| self.last_standing(end, standings.as_deref()?))
        {
            Some(port) => self.with_team(port, &ports),
            None => Vec::new(),
        }
    }

    /// The ports that are ahead at the end of the recording: more stocks, then less damage in whole percent. Several if
    /// they are level, none without opponents. Needs the frames.
    pub fn leaders(&self) -> Vec<u8> {
        let ports: Vec<u8> = self.start.ports().map(|(port, _)| port).collect();
        let standings = self.standings(&ports).unwrap_or_default();
        let best = standings.iter().map(|standing| standing.score()).max();
        if ports.len() < 2 {
            return Vec::new();
        }
        let is_ahead = |standing: &&Standing| Some(standing.score()) == best;
        let ahead = standings.iter().filter(is_ahead);
        let mut ahead: Vec<u8> = ahead
            .flat_map(|standing| self.with_team(standing.port, &ports))
            .collect();
        ahead.sort_unstable();
        ahead.dedup();
        ahead
    }

    /// The port placed first.
    fn first_placed(&self, end: &End) -> Option<u8> {
        let first = end
            .placements?
            .iter()
            .position(|&placement| placement == 0)?;
        u8::try_from(first).ok()
    }

    /// The only port, or the first of the only team, with stocks left.
    fn last_standing(&self, end: &End, standings: &[Standing]) -> Option<u8> {
        if !matches!(end.method, method::GAME | method::RESOLVED) {
            return None;
        }
        let mut alive = standings.iter().filter(|standing| standing.stocks > 0);
        let first = alive.next()?.port;
        let with_first = self.with_team(
            first,
            &standings.iter().map(|one| one.port).collect::<Vec<u8>>(),
        );
        alive
            .all(|standing| with_first.contains(&standing.port))
            .then_some(first)
    }

    /// A port and, in a team game, the others of its team.
    fn with_team(&self, winner: u8, ports: &[u8]) -> Vec<u8> {
        let team = |port: u8| {
            self.start
                .info
                .players
                .get(usize::from(port))
                .map(|player| player.team)
        };
        let is_winner =
            |port: &u8| *port == winner || self.start.is_teams() && team(*port) == team(winner);
        ports.iter().copied().filter(is_winner).collect()
    }

    /// The state of the ports at the end; `None` without frames. A port that is gone has no stocks.
    fn standings(&self, ports: &[u8]) -> Option<Vec<Standing>> {
        let frames = self.frames.as_ref()?;
        let row = *frames.rows(Copies::Final).last()?;
        Some(
            ports
                .iter()
                .map(|&port| Standing::at(frames, port, row))
                .collect(),
        )
    }
}

#[derive(Clone, Copy)]
struct Standing {
    port: u8,
    stocks: u8,
    percent: i64,
}

impl Standing {
    fn at(frames: &Frames, port: u8, row: usize) -> Self {
        let facts = || {
            let post = &frames.character(port, false)?.post;
            let index = post.at(row)?;
            Some((
                *post.columns.stocks.get(index)?,
                *post.columns.percent.get(index)?,
            ))
        };
        let (stocks, percent) = facts().unwrap_or((0, 0.0));
        Self {
            port,
            stocks,
            percent: percent as i64,
        }
    }

    /// A larger value is better.
    fn score(&self) -> (u8, Reverse<i64>) {
        (self.stocks, Reverse(self.percent))
    }
}
