//! What to call the players where each needs a name of its own.

use crate::slippi::Replay;
use crate::slippi::codec::summary::{character_name, name};

/// A player's name with the character, and with the port where that is not enough to tell players apart.
pub(in crate::slippi) fn player_name(replay: &Replay, port: u8) -> String {
    let plain = |port: u8| {
        let character = replay.starting_character(port).unwrap_or_default();
        format!("{} ({})", name(replay, port), character_name(character))
    };
    let own = plain(port);
    let mut others = replay.start.ports().filter(|(other, _)| *other != port);
    if others.any(|(other, _)| plain(other) == own) {
        format!("{own} P{}", u16::from(port) + 1)
    } else {
        own
    }
}
