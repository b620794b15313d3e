//! The second event: how the game was set up.

use super::payloads::Payloads;
use crate::error::{Error, Result};
use crate::slippi::codec::strings::FixedText;
use crate::wire::bytes::{Big, ByteReader, ByteWriter};
use crate::wire::json::{Bytes, json_by_serde};
use crate::wire::record::{BigBytes, Wire, record};

/// The payload's size, which alone decides what is in it.
#[derive(Clone, Copy, Debug)]
pub struct PayloadLength(pub usize);

record! {
    /// How the game was set up.
    pub struct Start: BigBytes(length: PayloadLength) {
        /// The version of the recorder: major, minor, build, and a byte nobody uses.
        pub version: [u8; 4],
        /// The block the game itself starts from.
        pub info: GameInfo,
        /// The random number generator's state before the game.
        pub random_seed: u32,
        /// Corrections of the controllers' readings, by port. From about version 3.9 on all ones whatever was in use.
        pub controller_fixes: Option<[ControllerFix; 4]> where length.0 >= 352,
        /// Name tags, by port; of people's ports with a tag only.
        pub nametags: Option<[FixedText<16>; 4]> where length.0 >= 416,
        /// 1 for the European game.
        pub is_pal: Option<u8> where length.0 >= 417,
        /// 1 when Pokémon Stadium stays as it is. Always 0 online before version 3.19.
        pub is_frozen_stadium: Option<u8> where length.0 >= 418,
        /// The scene within the major one.
        pub minor_scene: Option<u8> where length.0 >= 420,
        /// 2 local, 8 online, 15 target test, 32 home-run contest.
        pub major_scene: Option<u8> where length.0 >= 420,
        /// Display names, by port; online only.
        pub display_names: Option<[FixedText<31>; 4]> where length.0 >= 584,
        /// Connect codes, by port; online only.
        pub connect_codes: Option<[FixedText<10>; 4]> where length.0 >= 584,
        /// Account ids, by port; online only.
        pub user_ids: Option<[FixedText<29>; 4]> where length.0 >= 700,
        /// 0 Japanese, 1 English.
        pub language: Option<u8> where length.0 >= 701,
        /// Names the session: its mode and when it began. Empty offline.
        pub session_id: Option<FixedText<51>> where length.0 >= 760,
        /// Which game of the session, from 1.
        pub game_number: Option<u32> where length.0 >= 760,
        /// Which tiebreak of the game; 0 for the game itself.
        pub tiebreak_number: Option<u32> where length.0 >= 760,
        /// What a newer recorder put after that.
        #[serde(default, skip_serializing_if = "Tail::is_empty")]
        pub tail: Tail,
    }
}

record! {
    /// The block the game itself starts from. What has no name is unknown and kept.
    pub struct GameInfo: BigBytes {
        /// Timer, places in the display, mode.
        pub bits_1: u8,
        /// Friendly fire, single-player modes.
        pub bits_2: u8,
        /// Single-button mode, pause.
        pub bits_3: u8,
        /// What is shown during pause.
        pub bits_4: u8,
        /// Unknown.
        pub unknown_04: [u8; 2],
        /// Other than 0: bombs fall after 20 seconds.
        pub bomb_rain: u8,
        /// Unknown.
        pub unknown_07: u8,
        /// Other than 0: a team game.
        pub is_teams: u8,
        /// Unknown.
        pub unknown_09: [u8; 2],
        /// How often items appear, from 0; -1 never.
        pub item_frequency: i8,
        /// What a fall of one's own fault scores.
        pub self_destruct_score: i8,
        /// Unknown.
        pub unknown_0d: u8,
        /// The stage.
        pub stage: u16,
        /// The timer's start.
        pub timer_s: u32,
        /// Unknown.
        pub unknown_14: [u8; 15],
        /// Which items may appear, a bit each.
        pub item_bits: [u8; 5],
        /// Unknown.
        pub unknown_28: [u8; 8],
        /// Multiplies all damage.
        pub damage_ratio: f32,
        /// Unknown; from 0x40 on addresses in memory, which the recorder sets to zero.
        pub unknown_34: [[u8; 22]; 2],
        /// The players by port; the game has room for six.
        pub players: [PlayerInfo; 6],
    }
}

record! {
    /// How one player starts.
    #[derive(Copy, Default)]
    pub struct PlayerInfo: BigBytes {
        /// The character as the character selection counts them.
        pub character: u8,
        /// 0 person, 1 computer, 2 demo, 3 nobody.
        pub player_type: u8,
        /// Lives at the start.
        pub stocks: u8,
        /// Which costume; the colours differ by character.
        pub costume: u8,
        /// Unknown.
        pub unknown_04: [u8; 3],
        /// 0 normal, 1 light, 2 dark: tells equal characters of a team apart.
        pub team_shade: u8,
        /// The handicap.
        pub handicap: u8,
        /// 0 red, 1 blue, 2 green; in team games only.
        pub team: u8,
        /// Unknown.
        pub unknown_0a: [u8; 2],
        /// Stamina, silent, low gravity, invisible, black icon, metal, warp-in platform, rumble.
        pub bits: u8,
        /// Unknown.
        pub unknown_0d: [u8; 2],
        /// The computer's level; people have one too.
        pub cpu_level: u8,
        /// The first life starts with this damage.
        pub damage_start: u16,
        /// Every life starts with this damage.
        pub damage_spawn: u16,
        /// Unknown.
        pub unknown_14: [u8; 4],
        /// Multiplies the knockback dealt.
        pub offense_ratio: f32,
        /// Multiplies the knockback taken.
        pub defense_ratio: f32,
        /// The size of the character's model.
        pub model_scale: f32,
    }
}

record! {
    /// Corrections of one controller's readings: 0 none, 1 UCF, 2 Dween.
    #[derive(Copy, Default)]
    pub struct ControllerFix: BigBytes {
        /// Of turning into a dash.
        pub dashback: u32,
        /// Of dropping through platforms while shielding.
        pub shield_drop: u32,
    }
}

record! {
    /// How the game ended.
    pub struct End: BigBytes(length: PayloadLength) {
        /// 0 unresolved, 1 time, 2 game, 3 resolved or a team's game, 7 no contest; others in single-player modes.
        pub method: u8,
        /// The port of who quit; -1 for nobody.
        pub quitter: Option<i8> where length.0 >= 2,
        /// Each port's place from 0; -1 for nobody. No result where the game was quit.
        pub placements: Option<[i8; 4]> where length.0 >= 6,
        /// What a newer recorder put after that.
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

    /// The ports in use: who is a person, a computer or a demo.
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

    /// The text of a port from one of the lists of names, folded to half width; empty where there is none.
    pub fn name_in<const N: usize>(names: &Option<[FixedText<N>; 4]>, port: u8) -> String {
        let names = names
            .as_ref()
            .and_then(|names| names.get(usize::from(port)));
        names.map(FixedText::folded).unwrap_or_default()
    }
}

/// What a newer recorder put after the fields known here.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Tail(pub Bytes);

impl Tail {
    /// True when there is nothing.
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

/// Writes an event with its code; its payload has to have the size declared for it.
///
/// # Errors
/// When it has another size, or none was declared.
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
