//! What to call the players where each needs a name of its own.

use super::Replay;
use super::summary::{character_name, name};

/// A player's name with the character.
pub(super) fn player_name(replay: &Replay, port: u8) -> String {
    let character = replay.starting_character(port).unwrap_or_default();
    format!("{} ({})", name(replay, port), character_name(character))
}
