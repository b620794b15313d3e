//! The second event: the settings of the game.

use super::payloads::Payloads;
use crate::error::{Error, Result};
use crate::slippi::codec::strings::FixedText;
use crate::wire::bytes::{Big, ByteReader, ByteWriter};
use crate::wire::json::{Bytes, json_by_serde};
use crate::wire::record::{BigBytes, Wire, record};

/// The payload's size, which alone decides its fields.
#[derive(Clone, Copy, Debug)]
pub struct PayloadLength(pub usize);

impl crate::limits::Charge for PayloadLength {}

record! {
    /// The settings of the game.
    pub struct Start: BigBytes(length: PayloadLength) {
        /// The version of the recorder: major, minor, build, and an unused byte.
        pub version: [u8; 4],
        /// The game info block, from which the game itself starts.
        pub info: GameInfo,
        /// The state of the random number generator before the game.
        pub random_seed: u32,
        /// Controller fixes, by port. All 1 from about version 3.9 on, regardless of the fix in use.
        pub controller_fixes: Option<[ControllerFix; 4]> where length.0 >= 352,
        /// Name tags, by port; only for human players with a tag.
        pub nametags: Option<[FixedText<16>; 4]> where length.0 >= 416,
        /// 1 for the PAL version of the game.
        pub is_pal: Option<u8> where length.0 >= 417,
        /// 1 if Pokémon Stadium does not transform. Always 0 online before version 3.19.
        pub is_frozen_stadium: Option<u8> where length.0 >= 418,
        /// The scene within the major one.
        pub minor_scene: Option<u8> where length.0 >= 420,
        /// 2 local, 8 online, 15 target test, 32 home-run contest.
        pub major_scene: Option<u8> where length.0 >= 420,
        /// Display names, by port; only online.
        pub display_names: Option<[FixedText<31>; 4]> where length.0 >= 584,
        /// Connect codes, by port; only online.
        pub connect_codes: Option<[FixedText<10>; 4]> where length.0 >= 584,
        /// Account ids, by port; only online.
        pub user_ids: Option<[FixedText<29>; 4]> where length.0 >= 700,
        /// 0 Japanese, 1 English.
        pub language: Option<u8> where length.0 >= 701,
        /// The session id, made of its mode and start time. Empty offline.
        pub session_id: Option<FixedText<51>> where length.0 >= 760,
        /// The number of the game in the session, from 1.
        pub game_number: Option<u32> where length.0 >= 760,
        /// The number of the tiebreak; 0 for the game itself.
        pub tiebreak_number: Option<u32> where length.0 >= 760,
        /// The bytes that a newer recorder added.
        #[serde(default, skip_serializing_if = "Tail::is_empty")]
        pub tail: Tail,
    }
}

record! {
    /// The game info block, from which the game itself starts. Fields without a name are unknown and kept.
    pub struct GameInfo: BigBytes {
        /// Timer, places in the display, mode.
        pub bits_1: u8,
        /// Friendly fire, single-player modes.
        pub bits_2: u8,
        /// Single-button mode, pause.
        pub bits_3: u8,
        /// Elements shown during pause.
        pub bits_4: u8,
        /// Unknown.
        pub unknown_04: [u8; 2],
        /// If not 0, bombs fall after 20 seconds.
        pub bomb_rain: u8,
        /// Unknown.
        pub unknown_07: u8,
        /// If not 0, this is a team game.
        pub is_teams: u8,
        /// Unknown.
        pub unknown_09: [u8; 2],
        /// Frequency of items, from 0; -1 for never.
        pub item_frequency: i8,
        /// Score of a self-destruct.
        pub self_destruct_score: i8,
        /// Unknown.
        pub unknown_0d: u8,
        /// The stage.
        pub stage: u16,
        /// The initial time, in seconds.
        pub timer_s: u32,
        /// Unknown.
        pub unknown_14: [u8; 15],
        /// The items that may appear, one bit each.
        pub item_bits: [u8; 5],
        /// Unknown.
        pub unknown_28: [u8; 8],
        /// Damage multiplier.
        pub damage_ratio: f32,
        /// Unknown; from 0x40 on memory addresses, which the recorder sets to zero.
        pub unknown_34: [[u8; 22]; 2],
        /// The players by port; the block has room for six.
        pub players: [PlayerInfo; 6],
    }
}

record! {
    /// The settings of one player.
    #[derive(Copy, Default)]
    pub struct PlayerInfo: BigBytes {
        /// The character, by its number on the character selection screen.
        pub character: u8,
        /// 0 human, 1 CPU, 2 demo, 3 empty.
        pub player_type: u8,
        /// Stocks at the start.
        pub stocks: u8,
        /// The costume; its colours depend on the character.
        pub costume: u8,
        /// Unknown.
        pub unknown_04: [u8; 3],
        /// 0 normal, 1 light, 2 dark: distinguishes equal characters of a team.
        pub team_shade: u8,
        /// The handicap.
        pub handicap: u8,
        /// 0 red, 1 blue, 2 green; only in team games.
        pub team: u8,
        /// Unknown.
        pub unknown_0a: [u8; 2],
        /// Stamina, silent, low gravity, invisible, black icon, metal, warp-in platform, rumble.
        pub bits: u8,
        /// Unknown.
        pub unknown_0d: [u8; 2],
        /// The CPU level; set for human players, too.
        pub cpu_level: u8,
        /// Damage at the start of the first stock.
        pub damage_start: u16,
        /// Damage at the start of every stock.
        pub damage_spawn: u16,
        /// Unknown.
        pub unknown_14: [u8; 4],
        /// Multiplier of the knockback dealt.
        pub offense_ratio: f32,
        /// Multiplier of the knockback taken.
        pub defense_ratio: f32,
        /// The size of the character's model.
        pub model_scale: f32,
    }
}

record! {
    /// Controller fixes of one port: 0 none, 1 UCF, 2 Dween.
    #[derive(Copy, Default)]
    pub struct ControllerFix: BigBytes {
        /// For dashback.
        pub dashback: u32,
        /// For shield drops.
        pub shield_drop: u32,
    }
}

record! {
    /// The end of the game.
    pub struct End: BigBytes(length: PayloadLength) {
        /// 0 unresolved, 1 time, 2 game, 3 resolved or a team game, 7 no contest; others in single-player modes.
        pub method: u8,
        /// The port of the player who quit; -1 for none.
        pub quitter: Option<i8> where length.0 >= 2,
        /// Each port's place, from 0; -1 for an empty port. Meaningless if a player quit.
        pub placements: Option<[i8; 4]> where length.0 >= 6,
        /// The bytes that a newer recorder added.
        #[serde(default, skip_serializing_if = "Tail::is_empty")]
        pub tail: Tail,
    }
}

impl Start {
    /// The version of the recorder, without the unused byte.
    pub fn version(&self) -> [u8; 3] {
        let [major, minor, build, _] = self.version;
        [major, minor, build]
    }

    /// The ports in use: those of human, CPU and demo players.
    pub fn ports(&self) -> impl Iterator<Item = (u8, &PlayerInfo)> {
        (0..)
            .zip(self.info.players.iter().take(4))
            .filter(|(_, player)| player.player_type != 3)
    }

    /// True for a team game.
    pub fn is_teams(&self) -> bool {
        self.info.is_teams != 0
    }

    /// True for a game over the network, in which frames may be computed again.
    pub fn is_online(&self) -> bool {
        self.major_scene == Some(8)
    }

    /// The text of a port from one of the lists of names, folded to half width; empty if there is none.
    pub fn name_in<const N: usize>(names: &Option<[FixedText<N>; 4]>, port: u8) -> String {
        let names = names
            .as_ref()
            .and_then(|names| names.get(usize::from(port)));
        names.map(FixedText::folded).unwrap_or_default()
    }
}

/// The bytes that a newer recorder added after the known fields.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Tail(pub Bytes);

impl Tail {
    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

json_by_serde!(Tail);

impl<C: ?Sized> Wire<BigBytes, C> for Tail {
    fn read(reader: &mut ByteReader<'_, Big>, _: &C) -> Result<Self> {
        let rest = reader.rest();
        reader.bytes(rest.len()).map(|rest| Self(rest.into()))
    }

    fn write(&self, writer: &mut ByteWriter<Big>, _: &C) -> Result<()> {
        writer.bytes(&self.0.0);
        Ok(())
    }
}

/// Reads a whole payload.
///
/// # Errors
/// When it is shorter than the oldest version of the event.
pub fn read_payload<T: Wire<BigBytes, PayloadLength>>(
    mut reader: ByteReader<'_, Big>,
) -> Result<T> {
    let length = PayloadLength(reader.left());
    T::read(&mut reader, &length)
}

/// Writes an event with its code; its payload must have the declared size.
///
/// # Errors
/// When it has another size, or no size was declared.
pub fn write_event<T: Wire<BigBytes, PayloadLength>>(
    event: &T,
    code: u8,
    payloads: &Payloads,
    writer: &mut ByteWriter<Big>,
) -> Result<()> {
    let Some(size) = payloads.size(code) else {
        return Err(Error::unwritable(format!(
            "there is no payload size for event {code:#04x}"
        )));
    };
    writer.u8(code);
    let start = writer.position();
    event.write(writer, &PayloadLength(size))?;
    match writer.position() - start {
        written if written == size => Ok(()),
        written => Err(Error::unwritable(format!(
            "event {code:#04x} has {written} bytes, not the declared {size}"
        ))),
    }
}
