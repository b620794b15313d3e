//! What a player does: attacks, grabs, techs, cancels, wavedashes, ledges.

use super::game::{Fighter, Snap};
use crate::slippi::states::{Action, action, sets};
use crate::slippi::tables::{self, set};

/// Action states that are looked at one by one.
mod state {
    pub const TURN: u16 = 18;
    pub const DASH: u16 = 20;
    pub const KNEE_BEND: u16 = 24;
    pub const FALL: u16 = 29;
    pub const LANDING_FALL_SPECIAL: u16 = 43;
    pub const ATTACK_DASH: u16 = 50;
    pub const LANDING_AIR_N: u16 = 70;
    pub const CATCH: u16 = 212;
    pub const CATCH_DASH: u16 = 214;
    pub const THROW_LW: u16 = 222;
    pub const ESCAPE_AIR: u16 = 236;
    pub const TEETER: u16 = 245;
    pub const CLIFF_CLIMB: u16 = 254;
    pub const CLIFF_ATTACK: u16 = 256;
    pub const CLIFF_ESCAPE: u16 = 258;
    pub const CLIFF_JUMP: u16 = 260;
    pub const CLIFF_LAST: u16 = 263;
}

/// How far back a wavedash's jump may be.
const WAVEDASH_FRAMES: usize = 15;

/// So many frames in the air are a jump to somewhere, if the height changed.
const TRAVEL_FRAMES: usize = 5;

/// The height changed when it differs by more.
const SAME_HEIGHT_UU: f64 = 0.1;

/// What somebody hanging at the ledge did next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum LedgeOption {
    /// Climbed up.
    Climb,
    /// Attacked.
    Attack,
    /// Rolled.
    Roll,
    /// Jumped with the ledge's own jump.
    Jump,
    /// Let go.
    Drop,
    /// Was hit.
    Hit,
    /// Died.
    Died,
}

impl LedgeOption {
    /// All of them with their names, in order.
    pub const ALL: [(Self, &'static str); 7] = [
        (Self::Climb, "climb"),
        (Self::Attack, "attack"),
        (Self::Roll, "roll"),
        (Self::Jump, "jump"),
        (Self::Drop, "drop"),
        (Self::Hit, "hit"),
        (Self::Died, "died"),
    ];
}

/// How often a player did what.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ActionCounts {
    /// By [`Action`]. An air dodge that became a wavedash or waveland is not one.
    pub actions: Vec<i32>,
    /// Air dodges into the ground out of a jump.
    pub wavedashes: i32,
    /// Other air dodges into the ground.
    pub wavelands: i32,
    /// Dash, turn, dash.
    pub dash_dances: i32,
    /// Grabs that caught somebody.
    pub grabs: i32,
    /// Grabs that did not.
    pub grabs_missed: i32,
    /// Landings with half the lag.
    pub l_cancels: i32,
    /// Landings with full lag; without those that slid off an edge in time.
    pub l_cancels_missed: i32,
    /// Landings out of an attack that slid off an edge, faster than an L-cancel.
    pub edge_cancels: i32,
    /// The same, faster than no L-cancel.
    pub edge_cancels_slow: i32,
    /// Techs that roll towards the opponent.
    pub techs_in: i32,
    /// Techs that roll away from the opponent.
    pub techs_away: i32,
    /// By [`LedgeOption`].
    pub ledge_options: [i32; LedgeOption::ALL.len()],
}

impl ActionCounts {
    /// How often an action began.
    pub fn of(&self, action: Action) -> i32 {
        self.actions.get(action as usize).copied().unwrap_or(0)
    }

    fn add(&mut self, action: Action, change: i32) {
        if let Some(count) = self.actions.get_mut(action as usize) {
            *count += change;
        }
    }
}

/// Something worth an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// An action began.
    Action(Action),
    /// A tech roll, towards the opponent or not.
    TechRoll {
        /// Towards the opponent.
        is_in: bool,
    },
    /// Landed out of an attack with an L-cancel, or failed to.
    LCancel(bool),
    /// A grab, which caught somebody or not.
    Grab(bool),
    /// An air dodge into the ground, out of a jump or not.
    Wavedash(bool),
    /// A landing that slid off an edge.
    EdgeCancel,
    /// The ledge was left.
    Ledge(LedgeOption),
    /// A stock was given to a partner.
    StockShared,
    /// A way back to the stage ended.
    Recovery(super::position::RecoveryEnd),
}

/// Follows one player.
pub(crate) struct Tracker {
    pub counts: ActionCounts,
    /// The latest states and heights; the newest is at `frames - 1`, modulo the size.
    states: [u16; 16],
    heights: [f32; 16],
    frames: usize,
    /// For how many frames the previous state has lasted.
    run: usize,
    age: f32,
    /// The last result of an L-cancel.
    l_cancel: u8,
}

impl Tracker {
    pub fn new() -> Self {
        Self {
            counts: ActionCounts {
                actions: vec![0; Action::COUNT],
                ..ActionCounts::default()
            },
            states: [0; 16],
            heights: [0.0; 16],
            frames: 0,
            run: 0,
            age: f32::NAN,
            l_cancel: 0,
        }
    }

    /// The state some frames ago; 0 is the newest.
    #[inline]
    fn state(&self, ago: usize) -> Option<u16> {
        let index = self.frames.checked_sub(1 + ago)?;
        Some(self.states[index % 16])
    }

    /// Looks at one frame; `opponent_x` tells where the nearest opponent is.
    #[inline]
    pub fn step(
        &mut self,
        fighter: &Fighter<'_>,
        now: &Snap,
        opponent_x: impl FnOnce() -> Option<f32>,
        deed: impl FnMut(Deed),
    ) {
        let previous = self.state(0);
        let age = std::mem::replace(&mut self.age, now.age);
        let run = self.run;
        self.states[self.frames % 16] = now.state;
        self.heights[self.frames % 16] = now.y;
        self.frames += 1;
        let is_same = previous == Some(now.state);
        self.run = if is_same { run + 1 } else { 1 };
        // The same state again shows by its age starting over.
        if is_same && (age.is_nan() || now.age.is_nan() || age <= now.age) {
            return;
        }
        self.begin(fighter, now, previous, run, opponent_x, deed);
    }

    /// An action begins.
    fn begin(
        &mut self,
        fighter: &Fighter<'_>,
        now: &Snap,
        previous: Option<u16>,
        run: usize,
        opponent_x: impl FnOnce() -> Option<f32>,
        mut deed: impl FnMut(Deed),
    ) {
        if [self.state(2), previous, Some(now.state)]
            == [state::DASH, state::TURN, state::DASH].map(Some)
        {
            self.counts.dash_dances += 1;
        }
        let (character, l_cancel) = (fighter.character(now), fighter.l_cancel(now));
        if let Some(action) = action(character, now.state) {
            self.counts.add(action, 1);
            match action {
                Action::TechForward | Action::TechBackward => {
                    let is_in = is_tech_in(now.x, fighter.facing(now), action, opponent_x());
                    *if is_in {
                        &mut self.counts.techs_in
                    } else {
                        &mut self.counts.techs_away
                    } += 1;
                    deed(Deed::TechRoll { is_in });
                }
                _ => deed(Deed::Action(action)),
            }
        }
        if now.state == state::CATCH_DASH && previous == Some(state::ATTACK_DASH) {
            // A dash attack that is cancelled into a grab at once was never meant.
            self.counts.add(Action::DashAttack, -1);
        }
        if matches!(previous, Some(state::CATCH | state::CATCH_DASH)) {
            let is_caught = now.state > state::CATCH
                && now.state <= state::THROW_LW
                && now.state != state::CATCH_DASH;
            *if is_caught {
                &mut self.counts.grabs
            } else {
                &mut self.counts.grabs_missed
            } += 1;
            deed(Deed::Grab(is_caught));
        }
        if now.sets & set::AERIAL_LANDING != 0 {
            match l_cancel {
                1 => self.counts.l_cancels += 1,
                2 => self.counts.l_cancels_missed += 1,
                _ => {}
            }
            if matches!(l_cancel, 1 | 2) {
                deed(Deed::LCancel(l_cancel == 1));
            }
        }
        self.edge_cancel(character, now.state, previous, run, &mut deed);
        self.wavedash(now.state, previous, &mut deed);
        if let Some(option) = previous.and_then(|previous| ledge_option(previous, now.state)) {
            self.counts.ledge_options[option as usize] += 1;
            deed(Deed::Ledge(option));
        }
        if l_cancel > 0 {
            self.l_cancel = l_cancel;
        }
    }

    /// Sliding off an edge ends the landing after an aerial attack.
    fn edge_cancel(
        &mut self,
        character: u8,
        now: u16,
        previous: Option<u16>,
        frames: usize,
        deed: &mut impl FnMut(Deed),
    ) {
        let Some(landing) = previous
            .filter(|&previous| sets(previous) & set::AERIAL_LANDING != 0)
            .filter(|_| matches!(now, state::FALL | state::TEETER))
        else {
            return;
        };
        let lags = tables::LANDING_LAGS.get(usize::from(character));
        let aerial = usize::from(landing.saturating_sub(state::LANDING_AIR_N));
        let Some(&(landing_lag, cancelled_lag)) = lags.and_then(|lags| lags.get(aerial)) else {
            return;
        };
        if frames < usize::from(cancelled_lag) {
            self.counts.edge_cancels += 1;
            deed(Deed::EdgeCancel);
        } else if frames < usize::from(landing_lag) {
            self.counts.edge_cancels_slow += 1;
            deed(Deed::EdgeCancel);
        }
        if frames <= usize::from(cancelled_lag) && self.l_cancel == 2 {
            self.counts.l_cancels_missed -= 1;
        }
    }

    /// An air dodge into the ground slides: out of a jump it is a wavedash.
    fn wavedash(&mut self, now: u16, previous: Option<u16>, deed: &mut impl FnMut(Deed)) {
        let is_start = |state: u16| {
            state == state::ESCAPE_AIR
                || (state::KNEE_BEND..=state::KNEE_BEND + 10).contains(&state)
        };
        if now != state::LANDING_FALL_SPECIAL || !previous.is_some_and(is_start) {
            return;
        }
        let recent = || (0..WAVEDASH_FRAMES).map_while(|ago| self.state(ago));
        let has = |wanted: u16| recent().any(|state| state == wanted);
        let other = recent().find(|&state| state != now);
        let is_only = recent().all(|state| state == now || Some(state) == other);
        let has_dodge = has(state::ESCAPE_AIR);
        if has_dodge && other.is_some() && is_only {
            // Nothing but the dodge, which is long: it was a dodge that happened to land.
            return;
        }
        let knee_bend = recent().position(|state| state == state::KNEE_BEND);
        let jump_frames = recent()
            .filter(|&state| sets(state) & set::JUMP != 0)
            .count();
        let height = |ago: usize| {
            let index = self.frames.checked_sub(1 + ago);
            index.map_or(0.0, |index| f64::from(self.heights[index % 16]))
        };
        let is_wavedash = knee_bend.is_some_and(|ago| {
            jump_frames < TRAVEL_FRAMES || (height(0) - height(ago)).abs() <= SAME_HEIGHT_UU
        });
        if has_dodge {
            self.counts.add(Action::AirDodge, -1);
        }
        *if is_wavedash {
            &mut self.counts.wavedashes
        } else {
            &mut self.counts.wavelands
        } += 1;
        deed(Deed::Wavedash(is_wavedash));
    }
}

fn is_tech_in(x: f32, facing: f32, action: Action, opponent_x: Option<f32>) -> bool {
    // Without an opponent the side is a matter of definition.
    let to_opponent = if opponent_x.is_some_and(|opponent_x| x > opponent_x) {
        -1.0
    } else {
        1.0
    };
    (facing == to_opponent) == (action == Action::TechForward)
}

fn ledge_option(previous: u16, now: u16) -> Option<LedgeOption> {
    if sets(previous) & set::LEDGE == 0 || sets(now) & set::LEDGE != 0 {
        return None;
    }
    Some(match now {
        state::CLIFF_CLIMB..state::CLIFF_ATTACK => LedgeOption::Climb,
        state::CLIFF_ATTACK..state::CLIFF_ESCAPE => LedgeOption::Attack,
        state::CLIFF_ESCAPE..state::CLIFF_JUMP => LedgeOption::Roll,
        state::CLIFF_JUMP..=state::CLIFF_LAST => LedgeOption::Jump,
        _ if sets(now) & super::punish::STUN != 0 => LedgeOption::Hit,
        _ if sets(now) & set::OUT_OF_PLAY != 0 => LedgeOption::Died,
        _ => LedgeOption::Drop,
    })
}
