//! Numbers about a Slippi replay. How each is found is described in `docs/statistics.md`.
//!
//! - `game`: the frames that count
//! - [`actions`], [`inputs`], [`position`], [`punish`], [`stocks`]: followed frame by frame
//! - [`overall`]: sums and ratios of these
//! - `report`, `timing`: all of it as named numbers

pub mod actions;
pub(crate) mod game;
pub mod inputs;
pub mod overall;
pub mod position;
pub mod punish;
mod report;
pub mod stocks;
mod timing;

use super::edgeguards::{Edgeguard, edgeguards_of};
use super::hits::{self, Hit};
use super::techniques::{self, Technique};
use crate::slippi::Replay;
use crate::slippi::codec::model::frames::{Copies, FIRST_FRAME, FIRST_PLAYABLE_FRAME};
use crate::slippi::stages::bounds;
use crate::slippi::tables::set;
use actions::{ActionCounts, Deed};
use game::{Game, Snap, Snaps};
use inputs::InputCounts;
use overall::Overall;
use position::PositionCounts;
use punish::{Kind, Punish, STUN};
use stocks::Stock;

pub use report::stats;
pub(crate) use report::stats_of;

/// All that statistics find in a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analysis {
    /// The number of the last frame in the file; one less than the first where there is none.
    pub last_frame: i32,
    /// Frames since players can act.
    pub playable_frames: u32,
    /// The file tells how the game ended.
    pub is_complete: bool,
    /// How many frames were looked at.
    pub frames: usize,
    /// The players, by port.
    pub players: Vec<Player>,
    /// Lives, in the order in which they began.
    pub stocks: Vec<Stock>,
    /// Conversions, in the order in which they began.
    pub conversions: Vec<Punish>,
    /// Combos, in the order in which they began.
    pub combos: Vec<Punish>,
    /// Hits taken, in order. Since 2.0.
    pub hits: Vec<Hit>,
    /// Techniques, in order.
    pub techniques: Vec<Technique>,
    /// Fights over the way back to the stage, in order.
    pub edgeguards: Vec<Edgeguard>,
    /// Single deeds, in order.
    pub deeds: Vec<Moment>,
}

/// The numbers of one player.
#[derive(Clone, Debug, PartialEq)]
pub struct Player {
    /// The port, from 0.
    pub port: u8,
    /// The team, in team games.
    pub team: Option<u8>,
    /// What they did.
    pub actions: ActionCounts,
    /// What they pressed.
    pub inputs: InputCounts,
    /// Where they were.
    pub position: PositionCounts,
    /// Sums and ratios.
    pub overall: Overall,
    /// Percent taken from the own team.
    pub team_damage_taken: f64,
}

/// What a player did in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// The frame's number.
    pub frame: i32,
    /// The player's port.
    pub port: u8,
    /// What it was.
    pub deed: Deed,
    /// Where it was, in the game's units.
    pub position_uu: [f32; 2],
}

/// One player while the frames go by.
struct Following {
    actions: actions::Tracker,
    position: position::Tracker,
    open_stock: Option<usize>,
    team_damage_taken: f64,
}

/// Finds everything. Games without frames or players give an empty result.
pub fn analyse(replay: &Replay) -> Analysis {
    analyse_rows(replay, &final_rows(replay))
}

/// The rows with the last computation of each frame.
pub(crate) fn final_rows(replay: &Replay) -> Vec<usize> {
    let frames = replay.frames.as_ref();
    frames.map_or_else(Vec::new, |frames| frames.rows(Copies::Final))
}

/// The same for who has the rows with the last computation of each frame.
pub(crate) fn analyse_rows(replay: &Replay, rows: &[usize]) -> Analysis {
    let frames = replay.frames.as_ref();
    let last_row = frames.and_then(|frames| frames.ids.last().copied());
    let last_frame = last_row.unwrap_or(FIRST_FRAME - 1);
    let mut analysis = Analysis {
        last_frame,
        playable_frames: u32::try_from(i64::from(last_frame) - i64::from(FIRST_PLAYABLE_FRAME))
            .unwrap_or(0),
        is_complete: replay.end().is_some(),
        ..Analysis::default()
    };
    let Some(game) = Game::new(replay, rows) else {
        return analysis;
    };
    let mut all: Vec<Following> = Vec::new();
    all.resize_with(game.fighters.len(), || Following {
        actions: actions::Tracker::new(),
        position: position::Tracker::default(),
        open_stock: None,
        team_damage_taken: 0.0,
    });
    // Alone there is nobody to fight: what remains is what one does oneself.
    let mut conversions = punish::Tracker::new(Kind::Conversion, all.len());
    let mut combos = punish::Tracker::new(Kind::Combo, all.len());
    let bounds = bounds(replay.start.info.stage);
    let mut attackers = vec![None; all.len()];
    analysis.frames = game.frames;
    let mut snaps = Snaps::new(&game);
    for (index, frame) in (FIRST_FRAME..).take(game.frames).enumerate() {
        let Some((before, now)) = snaps.at(index) else {
            break;
        };
        let is_anybody_stunned = now.iter().flatten().any(|snap| snap.sets & STUN != 0);
        punish::find_attackers(&game, before, now, &mut attackers);
        for punishes in [&mut conversions, &mut combos] {
            if !punishes.may_skip(is_anybody_stunned) {
                punishes.step(&game, frame, before, now, &attackers);
            }
        }
        for (player, (following, fighter)) in all.iter_mut().zip(&game.fighters).enumerate() {
            let Some(snap) = snap_of(now, player) else {
                continue;
            };
            let was = snap_of(before, player);
            let mut add = |deed| {
                analysis.deeds.push(Moment {
                    frame,
                    port: fighter.port,
                    deed,
                    position_uu: [snap.x, snap.y],
                });
            };
            let lost_stock = game.lost_stock(was, snap);
            if was.is_some_and(|was| was.stocks > snap.stocks) && !lost_stock {
                add(Deed::StockShared);
            }
            let enemies = Enemies {
                game: &game,
                player,
                now,
            };
            following
                .actions
                .step(fighter, snap, || enemies.nearest_x(snap.x), &mut add);
            stocks::step(
                &mut analysis.stocks,
                &mut following.open_stock,
                fighter.port,
                frame,
                was,
                snap,
                lost_stock,
            );
            if frame >= FIRST_PLAYABLE_FRAME {
                let end = following.position.step(
                    bounds,
                    fighter,
                    was,
                    snap,
                    lost_stock,
                    enemies.nearest_centre(),
                );
                if let Some(end) = end {
                    add(Deed::Recovery(end));
                }
            }
            if let (true, Some(was)) = (game.is_teams, was) {
                let by_team = attackers
                    .get(player)
                    .copied()
                    .flatten()
                    .is_some_and(|attacker| !game.are_enemies(attacker, player));
                let damage = f64::from(snap.percent) - f64::from(was.percent);
                if by_team && damage > 0.0 {
                    following.team_damage_taken += damage;
                }
            }
        }
    }
    conversions.find_openings(&game);
    analysis.techniques = techniques::find(replay, rows);
    analysis.edgeguards = edgeguards_of(replay, rows);
    analysis.hits = hits::find(replay, rows, &analysis.stocks);
    analysis.conversions = conversions.list;
    analysis.combos = combos.list;
    analysis.players = all
        .into_iter()
        .enumerate()
        .filter_map(|(index, following)| {
            let fighter = game.fighters.get(index)?;
            let inputs = InputCounts::of(fighter, game.frames);
            Some(Player {
                port: fighter.port,
                team: fighter.team,
                overall: Overall::of(
                    &game,
                    index,
                    &analysis.conversions,
                    &inputs,
                    analysis.playable_frames,
                ),
                actions: following.actions.counts,
                inputs,
                position: following.position.counts,
                team_damage_taken: following.team_damage_taken,
            })
        })
        .collect();
    analysis
}

/// A player in a frame.
#[inline]
fn snap_of(snaps: &[Option<Snap>], player: usize) -> Option<&Snap> {
    snaps.get(player)?.as_ref()
}

/// A player's enemies in a frame.
struct Enemies<'a> {
    game: &'a Game<'a>,
    player: usize,
    now: &'a [Option<Snap>],
}

impl Enemies<'_> {
    #[inline]
    fn iter(&self) -> impl Iterator<Item = &Snap> {
        let enemies = self.game.enemies(self.player).iter();
        enemies.filter_map(|&enemy| snap_of(self.now, enemy))
    }

    /// Where the one nearest to a place is.
    fn nearest_x(&self, x: f32) -> Option<f32> {
        let distance = |enemy: &f32| (enemy - x).abs();
        self.iter().map(|enemy| enemy.x).reduce(|nearest, enemy| {
            match distance(&enemy) < distance(&nearest) {
                true => enemy,
                false => nearest,
            }
        })
    }

    /// The least distance from the stage's middle of those in play.
    #[inline]
    fn nearest_centre(&self) -> Option<f32> {
        self.iter()
            .filter(|enemy| enemy.sets & set::OUT_OF_PLAY == 0)
            .map(|enemy| enemy.x.abs())
            .reduce(f32::min)
    }
}
