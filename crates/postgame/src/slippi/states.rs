//! The meaning of action states and attacks: the action they count as, and their phase of play.

use std::borrow::Cow;

use super::names;
use super::tables;

/// An action that is counted when its action state starts.
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
    /// Number of actions.
    pub const COUNT: usize = Self::PowerShield as usize + 1;
}

/// The phase of play of a character; every action state belongs to one phase.
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
    /// All phases with their names, in order.
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

    /// The phase of an action state; a character's own states are specials.
    #[inline]
    pub fn of(state: u16) -> Self {
        let phase = tables::STATE_PHASES.get(usize::from(state));
        phase.copied().unwrap_or(Self::Special)
    }
}

/// The sets an action state belongs to, one bit each as in [`tables::set`].
#[inline]
pub fn sets(state: u16) -> u16 {
    let sets = tables::STATE_SETS.get(usize::from(state));
    sets.copied().unwrap_or(0)
}

/// The action that a character's action state (by the engine's number) counts as when it starts.
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
}
