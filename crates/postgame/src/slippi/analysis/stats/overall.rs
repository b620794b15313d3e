//! Sums and ratios of what a player made of openings.

use super::game::Game;
use super::inputs::InputCounts;
use super::punish::{Opening, Punish};

/// Frames in a minute.
const FRAMES_PER_MINUTE: f64 = 3600.0;

/// A part of a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ratio {
    /// The part.
    pub count: f64,
    /// The whole.
    pub total: f64,
}

impl Ratio {
    fn new(count: impl Into<f64>, total: impl Into<f64>) -> Self {
        Self {
            count: count.into(),
            total: total.into(),
        }
    }

    /// The part divided by the whole; `None` where there is none.
    pub fn ratio(&self) -> Option<f64> {
        (self.total != 0.0).then(|| self.count / self.total)
    }
}

/// Sums and ratios of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overall {
    /// Openings made.
    pub conversions: u32,
    /// Percent dealt in them.
    pub total_damage: f64,
    /// Stocks taken.
    pub kills: u32,
    /// Openings that led to more than one attack, of all.
    pub successful_conversions: Ratio,
    /// All inputs, by minutes.
    pub inputs_per_minute: Ratio,
    /// Buttons, by minutes.
    pub digital_inputs_per_minute: Ratio,
    /// Openings by kills.
    pub openings_per_kill: Ratio,
    /// Percent by openings.
    pub damage_per_opening: Ratio,
    /// Own openings out of neutral play, of everybody's.
    pub neutral_wins: Ratio,
    /// Own openings while being punished, of everybody's.
    pub counter_hits: Ratio,
    /// Trades this player got more out of, of all.
    pub beneficial_trades: Ratio,
}

impl Overall {
    pub(crate) fn of(
        game: &Game<'_>,
        player: usize,
        conversions: &[Punish],
        inputs: &InputCounts,
        playable_frames: u32,
    ) -> Self {
        let Some(port) = game.fighters.get(player).map(|fighter| fighter.port) else {
            return Self::default();
        };
        let mine = || conversions.iter().filter(|one| one.opener == port);
        let successful = mine().filter(|one| {
            one.moves.len() > 1 && one.moves.first().is_some_and(|first| first.port == port)
        });
        // A partner's attacks within somebody's opening are the partner's damage.
        let moves = conversions.iter().flat_map(|one| &one.moves);
        let total_damage = moves
            .filter(|one| one.port == port)
            .fold(0.0, |sum, one| sum + one.damage);
        let kills = conversions
            .iter()
            .filter(|one| one.did_kill && one.last_hit_by == port);
        let (count, kills) = (mine().count() as u32, kills.count() as u32);
        let minutes = f64::from(playable_frames) / FRAMES_PER_MINUTE;
        let openings = |opening: Opening| {
            let of = |wanted: &dyn Fn(u8) -> bool| {
                conversions
                    .iter()
                    .filter(|one| one.opening == opening)
                    .filter(|one| one.moves.first().is_some_and(|first| wanted(first.port)))
                    .count() as u32
            };
            let mine = of(&|by| by == port);
            let theirs = of(&|by| is_enemy_port(game, player, by));
            Ratio::new(mine, mine + theirs)
        };
        Self {
            conversions: count,
            total_damage,
            kills,
            successful_conversions: Ratio::new(successful.count() as u32, count),
            inputs_per_minute: Ratio::new(inputs.total(), minutes),
            digital_inputs_per_minute: Ratio::new(inputs.buttons, minutes),
            openings_per_kill: Ratio::new(count, kills),
            damage_per_opening: Ratio::new(total_damage, count),
            neutral_wins: openings(Opening::NeutralWin),
            counter_hits: openings(Opening::CounterAttack),
            beneficial_trades: trades(game, player, port, conversions),
        }
    }
}

fn is_enemy_port(game: &Game<'_>, player: usize, port: u8) -> bool {
    let index = game.fighters.iter().position(|one| one.port == port);
    index.is_some_and(|index| game.are_enemies(player, index))
}

/// Trades whose kill only this player got, or that dealt more than they took.
fn trades(game: &Game<'_>, player: usize, port: u8, conversions: &[Punish]) -> Ratio {
    let by = |wanted: &dyn Fn(u8) -> bool| -> Vec<&Punish> {
        conversions
            .iter()
            .filter(|one| one.opening == Opening::Trade)
            .filter(|one| one.moves.first().is_some_and(|first| wanted(first.port)))
            .collect()
    };
    let mine = by(&|by| by == port);
    let theirs = by(&|by| is_enemy_port(game, player, by));
    let damage = |one: &Punish| one.current_percent - one.start_percent;
    let is_good = |(index, one): (usize, &&Punish)| {
        // Two players' trades come in pairs. Among more, a pair is two that hit each other in the same frame.
        let other = if game.fighters.len() == 2 {
            theirs.get(index).copied()
        } else {
            let is_pair = |other: &&&Punish| {
                other.start_frame == one.start_frame
                    && (other.victim, one.victim) == (one.opener, other.opener)
            };
            theirs.iter().find(is_pair).copied()
        };
        other.is_some_and(|other| (one.did_kill && !other.did_kill) || damage(one) > damage(other))
    };
    let good = mine
        .iter()
        .enumerate()
        .filter(|&pair| is_good(pair))
        .count();
    Ratio::new(good as u32, mine.len() as u32)
}
