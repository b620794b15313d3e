//! Looks up the game's names.

use crate::slippi::tables;

/// A character, by its number on the selection screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Character {
    /// Its number in the engine.
    pub internal: u8,
    /// Its name.
    pub name: &'static str,
    /// A short name.
    pub short: &'static str,
    /// Its costumes by number.
    pub costumes: &'static [&'static str],
}

/// The blast zones and ledges of a stage, in the game's units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The stage's id.
    pub stage: u16,
    /// Left blast zone.
    pub left: f32,
    /// Right blast zone.
    pub right: f32,
    /// Upper blast zone.
    pub top: f32,
    /// Lower blast zone.
    pub bottom: f32,
    /// Position of a character hanging on the right ledge; the left one is opposite.
    pub ledge: f32,
    /// Right end of the ground.
    pub edge: f32,
}

/// A platform, in the game's units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Platform {
    /// The stage's id.
    pub stage: u16,
    /// Its height.
    pub y: f32,
    /// Its left end.
    pub left: f32,
    /// Its right end.
    pub right: f32,
}

/// The size of an event's payload, starting with a version of the recorder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PayloadSize {
    /// The event's code.
    pub code: u8,
    /// The first version, major and minor.
    pub since: [u8; 2],
    /// The payload's size in bytes, without the code.
    pub size: u16,
}

/// A character by its number on the selection screen.
pub fn character(number: u8) -> Option<&'static Character> {
    tables::CHARACTERS.get(usize::from(number))
}

/// A character's name by its number in the engine.
pub fn internal_character(number: u8) -> Option<&'static str> {
    tables::INTERNAL_CHARACTERS
        .get(usize::from(number))
        .copied()
}

/// A costume's name, by the character's number on the selection screen.
pub fn costume(character_number: u8, costume: u8) -> Option<&'static str> {
    character(character_number)?
        .costumes
        .get(usize::from(costume))
        .copied()
}

/// A stage's name.
pub fn stage(id: u16) -> Option<&'static str> {
    find(tables::STAGES, id)
}

/// The name of an item or projectile.
pub fn item(id: u16) -> Option<&'static str> {
    find(tables::ITEMS, id)
}

/// The name of an attack.
pub fn attack(id: u8) -> Option<&'static str> {
    let index = tables::MOVES
        .binary_search_by_key(&u16::from(id), |entry| entry.0)
        .ok()?;
    tables::MOVES.get(index).map(|entry| entry.1)
}

/// The name of an action state; from 341 on each character has its own.
pub fn action_state(internal_character: u8, state: u16) -> Option<&'static str> {
    if let Some(name) = tables::ACTION_STATES.get(usize::from(state)) {
        return Some(name);
    }
    let key = (internal_character, state);
    let index = tables::SPECIAL_STATES
        .binary_search_by_key(&key, |entry| (entry.0, entry.1))
        .ok()?;
    tables::SPECIAL_STATES.get(index).map(|entry| entry.2)
}

fn find(table: &'static [(u16, &'static str)], id: u16) -> Option<&'static str> {
    let index = table.binary_search_by_key(&id, |entry| entry.0).ok()?;
    table.get(index).map(|entry| entry.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found() {
        assert_eq!(
            character(2).map(|fox| (fox.internal, fox.name)),
            Some((1, "Fox"))
        );
        assert_eq!(
            (internal_character(11), internal_character(200)),
            (Some("Nana"), None)
        );
        assert_eq!((costume(2, 3), costume(2, 4)), (Some("Green"), None));
        assert_eq!(
            (stage(31), stage(285), stage(0)),
            (Some("Battlefield"), Some("Multi Man Melee"), None)
        );
        assert_eq!(
            (item(54), item(0), item(u16::MAX)),
            (Some("Fox Laser"), Some("Capsule"), None)
        );
        assert_eq!((attack(17), attack(0)), (Some("Down Air"), None));
        assert_eq!(
            (action_state(1, 14), action_state(1, 0x154)),
            (Some("Wait"), Some("BarrelCannonWait"))
        );
        assert_ne!(action_state(2, 347), action_state(5, 347));
        assert_eq!(action_state(1, 9999), None);
    }
}
