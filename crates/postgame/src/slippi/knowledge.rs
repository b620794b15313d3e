//! What the game's states mean to statistics, where stages end, and what moves by itself.

use std::borrow::Cow;

use super::names::{self, Bounds};
use super::tables;

/// An action that is counted when its action state begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)] // the names are the documentation
pub enum Action {
    Roll,
    SpotDodge,
    AirDodge,
    LedgeGrab,
    Taunt,
    Jab1,
    Jab2,
    Jab3,
    JabRapid,
    DashAttack,
    ForwardTilt,
    UpTilt,
    DownTilt,
    ForwardSmash,
    UpSmash,
    DownSmash,
    NeutralAir,
    ForwardAir,
    BackAir,
    UpAir,
    DownAir,
    ThrowForward,
    ThrowBack,
    ThrowUp,
    ThrowDown,
    TechMissed,
    TechInPlace,
    TechForward,
    TechBackward,
    WallTech,
    WallTechMissed,
    WallJumpTech,
    CeilingTech,
    ShieldBreak,
    GetUpStand,
    GetUpAttack,
    GetUpForward,
    GetUpBackward,
    PowerShield,
}

impl Action {
    /// How many there are.
    pub const COUNT: usize = Self::PowerShield as usize + 1;
}

/// What a character is doing, roughly; every action state is in one phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)] // the names are the documentation
pub enum Phase {
    Dying,
    Dead,
    Respawning,
    Entering,
    Grounded,
    Crouching,
    JumpSquat,
    Airborne,
    Helpless,
    Landing,
    GroundAttack,
    AerialAttack,
    AerialLanding,
    Special,
    Grabbing,
    Shielding,
    ShieldBroken,
    Rolling,
    SpotDodging,
    AirDodging,
    Damaged,
    Tumbling,
    Grabbed,
    Down,
    Teching,
    Ledge,
    Taunting,
    Item,
}

impl Phase {
    /// All of them with their names, in order.
    pub const ALL: [(Self, &'static str); 28] = [
        (Self::Dying, "dying"),
        (Self::Dead, "dead"),
        (Self::Respawning, "respawning"),
        (Self::Entering, "entering"),
        (Self::Grounded, "grounded"),
        (Self::Crouching, "crouching"),
        (Self::JumpSquat, "jump_squat"),
        (Self::Airborne, "airborne"),
        (Self::Helpless, "helpless"),
        (Self::Landing, "landing"),
        (Self::GroundAttack, "ground_attack"),
        (Self::AerialAttack, "aerial_attack"),
        (Self::AerialLanding, "aerial_landing"),
        (Self::Special, "special"),
        (Self::Grabbing, "grabbing"),
        (Self::Shielding, "shielding"),
        (Self::ShieldBroken, "shield_broken"),
        (Self::Rolling, "rolling"),
        (Self::SpotDodging, "spot_dodging"),
        (Self::AirDodging, "air_dodging"),
        (Self::Damaged, "damaged"),
        (Self::Tumbling, "tumbling"),
        (Self::Grabbed, "grabbed"),
        (Self::Down, "down"),
        (Self::Teching, "teching"),
        (Self::Ledge, "ledge"),
        (Self::Taunting, "taunting"),
        (Self::Item, "item"),
    ];

    /// The phase of an action state; states of one character are specials.
    #[inline]
    pub fn of(state: u16) -> Self {
        let phase = tables::STATE_PHASES.get(usize::from(state));
        phase.copied().unwrap_or(Self::Special)
    }
}

/// A straight part of the path of the cloud on Yoshi's Story.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RandallLeg {
    /// Its first frame, modulo the period.
    pub first: i32,
    /// Its last frame.
    pub last: i32,
    /// The height at its first frame.
    pub y_uu: f32,
    /// What each frame adds to it.
    pub y_step_uu: f32,
    /// The left end at its first frame.
    pub left_uu: f32,
    /// What each frame adds to it.
    pub left_step_uu: f32,
}

/// Numbers of stages with moving parts.
pub mod stage {
    /// Fountain of Dreams.
    pub const FOUNTAIN: u16 = 2;
    /// Pokémon Stadium.
    pub const STADIUM: u16 = 3;
    /// Yoshi's Story.
    pub const YOSHIS_STORY: u16 = 8;
    /// Dream Land.
    pub const DREAM_LAND: u16 = 28;
}

/// How wide the cloud on Yoshi's Story is.
pub const RANDALL_WIDTH_UU: f32 = 11.9;

/// After how many frames it is where it was.
pub const RANDALL_PERIOD: i32 = 1200;

/// Height and left end of the cloud on Yoshi's Story.
pub fn randall(frame: i32) -> Option<(f32, f32)> {
    let frame = frame.rem_euclid(RANDALL_PERIOD);
    let after = tables::RANDALL.partition_point(|leg| leg.first <= frame);
    let leg = tables::RANDALL.get(after.checked_sub(1)?)?;
    let step = (frame - leg.first) as f32;
    Some((
        leg.y_uu + leg.y_step_uu * step,
        leg.left_uu + leg.left_step_uu * step,
    ))
}

/// Where a stage ends; known for the stages of tournaments.
pub fn bounds(stage: u16) -> Option<&'static Bounds> {
    tables::BOUNDS.iter().find(|bounds| bounds.stage == stage)
}

/// The sets an action state is in, a bit each as in [`tables::set`].
#[inline]
pub fn sets(state: u16) -> u16 {
    let sets = tables::STATE_SETS.get(usize::from(state));
    sets.copied().unwrap_or(0)
}

/// What an action state of a character (by the engine's number) counts as when it begins.
#[inline]
pub fn action(character: u8, state: u16) -> Option<Action> {
    match tables::STATE_ACTIONS.get(usize::from(state)) {
        Some(action) => *action,
        None => find(tables::SPECIAL_ACTIONS, &(character, state)).copied(),
    }
}

/// The name of an attack.
pub fn attack_name(attack: u8) -> Cow<'static, str> {
    match names::attack(attack) {
        Some(name) => name.into(),
        None if attack == 0 => "None".into(),
        None => format!("Attack {attack}").into(),
    }
}

/// Looks a key up in a sorted table.
fn find<'a, K: Ord, V>(table: &'a [(K, V)], key: &K) -> Option<&'a V> {
    let at = table
        .binary_search_by(|(candidate, _)| candidate.cmp(key))
        .ok()?;
    table.get(at).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_and_agree() {
        assert!(tables::SPECIAL_ACTIONS.is_sorted_by(|a, b| a.0 < b.0));
        assert!(tables::RANDALL.is_sorted_by(|a, b| a.last < b.first));
        assert_eq!(tables::ACTION_STATES.len(), tables::STATE_SETS.len());
        for (index, (phase, _)) in Phase::ALL.iter().enumerate() {
            assert_eq!(*phase as usize, index);
        }
    }

    #[test]
    fn names_are_found() {
        assert_eq!(attack_name(17), "Down Air");
        assert_eq!(attack_name(200), "Attack 200");
        assert_eq!(action(24, 345), Some(Action::DownTilt));
        assert_eq!(action(1, 345), None);
    }

    #[test]
    fn the_cloud_moves_without_jumps() {
        for frame in 0..RANDALL_PERIOD {
            let (y, left) = randall(frame).unwrap();
            let (next_y, next_left) = randall(frame + 1).unwrap();
            let step = (next_y - y).hypot(next_left - left);
            assert!(step < 0.75, "frame {frame}: {step}");
        }
    }
}
