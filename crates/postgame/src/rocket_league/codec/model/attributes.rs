//! Attributes with several fields: one record each.

use super::ids::UniqueId;
use super::text::Text;
use super::values::{Reference, Rotation, Vector};
use super::versions::Era;
use crate::error::{Error, Result};
use crate::wire::bits::{BitReader, BitWriter};
use crate::wire::json::json_by_serde;
use crate::wire::record::{Bits, Wire, record};
use serde::{Deserialize, Serialize};

/// A number of a few bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Small<const WIDTH: u32>(pub u8);

impl<C: ?Sized, const WIDTH: u32> Wire<Bits, C> for Small<WIDTH> {
    fn read(reader: &mut BitReader<'_>, _: &C) -> Result<Self> {
        reader.bits(WIDTH).map(|bits| Self(bits as u8))
    }

    fn write(&self, writer: &mut BitWriter, _: &C) -> Result<()> {
        if u64::from(self.0) >> WIDTH != 0 {
            return Err(Error::unwritable(format!(
                "{} does not fit into {WIDTH} bits",
                self.0
            )));
        }
        writer.bits(self.0.into(), WIDTH);
        Ok(())
    }
}

json_by_serde!(Small<1>, Small<3>, Small<6>);

/// State of a seat: 0 none, 1 reserved, 2 joining, 3 in the game. Two bits before 868.12, then eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seat(pub u8);

impl Seat {
    pub(crate) fn width(era: &Era) -> u32 {
        if era.versions.at_least(868, 12, 0) {
            8
        } else {
            2
        }
    }
}

impl Wire<Bits, Era> for Seat {
    fn read(reader: &mut BitReader<'_>, era: &Era) -> Result<Self> {
        reader.bits(Self::width(era)).map(|bits| Self(bits as u8))
    }

    fn write(&self, writer: &mut BitWriter, era: &Era) -> Result<()> {
        let width = Self::width(era);
        if u64::from(self.0) >> width != 0 {
            return Err(Error::unwritable(format!(
                "{} does not fit into {width} bits",
                self.0
            )));
        }
        writer.bits(self.0.into(), width);
        Ok(())
    }
}

json_by_serde!(Seat);

/// A server's id: a number; text since 2.23.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ServerId {
    /// Before 2.23.
    Number(u64),
    /// Since 2.23.
    Text(Text),
}

impl Wire<Bits, Era> for ServerId {
    fn read(reader: &mut BitReader<'_>, era: &Era) -> Result<Self> {
        if era.server_id_is_text {
            Wire::<Bits, Era>::read(reader, era).map(Self::Text)
        } else {
            reader.bits(64).map(Self::Number)
        }
    }

    fn write(&self, writer: &mut BitWriter, era: &Era) -> Result<()> {
        match self {
            Self::Text(text) => Wire::<Bits, Era>::write(text, writer, era),
            Self::Number(number) => {
                writer.bits(*number, 64);
                Ok(())
            }
        }
    }
}

json_by_serde!(ServerId);

record! {
    /// Damage to the floor in Dropshot.
    pub struct AppliedDamage: Bits(era: Era) {
        /// A counter.
        pub id: u8,
        /// Position.
        pub position: Vector,
        /// Damage.
        pub damage_index: i32,
        /// Total damage.
        pub total_damage: i32,
    }
}

record! {
    /// The state of a tile in Dropshot.
    pub struct DamageState: Bits(era: Era) {
        /// 0 whole, 1 damaged, 2 open.
        pub state: u8,
        /// The player responsible.
        pub causer: Reference,
        /// Position of the ball.
        pub position: Vector,
        /// Whether this is the tile that was hit.
        pub direct: bool,
        /// Whether the usual delay is skipped.
        pub immediate: bool,
    }
}

record! {
    /// A player's camera.
    pub struct CameraSettings: Bits(era: Era) {
        /// Field of view, degrees.
        pub fov: f32,
        /// Height above the car.
        pub height: f32,
        /// Pitch, degrees.
        pub pitch: f32,
        /// Distance from the car.
        pub distance: f32,
        /// Stiffness, 0 to 1.
        pub stiffness: f32,
        /// Speed of the swivel.
        pub swivel: f32,
        /// Speed of the transition between car and ball camera.
        pub transition: Option<f32> where era.versions.at_least(868, 20, 0),
        /// How fast a free look starts.
        pub acceleration: Option<f32> where era.versions.at_least(868, 34, 12),
        /// How fast a free look stops.
        pub deceleration: Option<f32> where era.versions.at_least(868, 34, 12),
        /// Speed of a free look.
        pub free_look_speed: Option<f32> where era.versions.at_least(868, 34, 12),
        /// Whether a free look may turn all the way around.
        pub unconstrained: Option<bool> where era.versions.at_least(868, 34, 12),
        /// Whether a free look is smoothed.
        pub smoothed: Option<bool> where era.versions.at_least(868, 34, 12),
    }
}

record! {
    /// The colours of a club.
    pub struct ClubColors: Bits {
        /// The team's colour; 255 for none.
        pub team_color: u8,
        /// The custom colour; 255 for none.
        pub custom_color: u8,
        /// Whether the team's colour is set.
        pub has_team_color: bool,
        /// Whether the custom colour is set.
        pub has_custom_color: bool,
    }
}

record! {
    /// One car destroys another.
    pub struct Demolish: Bits(era: Era) {
        /// The attacking car; none if it no longer exists.
        pub attacker: Reference,
        /// The destroyed car.
        pub victim: Reference,
        /// The attacker's velocity.
        pub attacker_velocity: Vector,
        /// The victim's velocity.
        pub victim_velocity: Vector,
    }
}

record! {
    /// One car destroys another, with an effect or a goal explosion.
    pub struct DemolishFx: Bits(era: Era) {
        /// The effect, or the owner of the goal explosion.
        pub effect: Reference,
        /// The attacking car.
        pub attacker: Reference,
        /// The destroyed car.
        pub victim: Reference,
        /// The attacker's velocity.
        pub attacker_velocity: Vector,
        /// The victim's velocity.
        pub victim_velocity: Vector,
    }
}

record! {
    /// One car destroys another, since 2.46.
    pub struct DemolishExtended: Bits(era: Era) {
        /// The attacking player.
        pub attacker_player: Reference,
        /// The effect if a car destroys itself.
        pub self_effect: Reference,
        /// Whether a car destroyed itself.
        pub is_self: bool,
        /// The owner of the goal explosion.
        pub explosion_owner: Reference,
        /// The attacking car.
        pub attacker: Reference,
        /// The destroyed car.
        pub victim: Reference,
        /// The attacker's velocity.
        pub attacker_velocity: Vector,
        /// The victim's velocity.
        pub victim_velocity: Vector,
    }
}

record! {
    /// The ball explodes in a goal.
    pub struct Explosion: Bits(era: Era) {
        /// The goal, an object.
        pub goal: Reference,
        /// Position.
        pub location: Vector,
    }
}

record! {
    /// The ball explodes in a goal, with the scorer.
    pub struct ExplosionExtended: Bits(era: Era) {
        /// The goal, an object.
        pub goal: Reference,
        /// Position.
        pub location: Vector,
        /// The player who scored.
        pub scorer: Reference,
    }
}

record! {
    /// Two players who duel for honour.
    pub struct HonorDuel: Bits(era: Era) {
        /// The challenger.
        pub challenger: UniqueId,
        /// The player who accepted.
        pub defender: UniqueId,
    }
}

record! {
    /// A byte of an array.
    pub struct HistoryKey: Bits {
        /// Index, 0 to 63.
        pub index: Small<6>,
        /// The byte.
        pub value: u8,
    }
}

record! {
    /// A push.
    pub struct Impulse: Bits {
        /// Direction, packed.
        pub rotation: i32,
        /// Magnitude.
        pub speed: f32,
    }
}

record! {
    /// A team's logo.
    pub struct LogoData: Bits {
        /// The logo.
        pub logo: i32,
        /// Whether its colours are swapped.
        pub swap_colors: bool,
    }
}

record! {
    /// A piece of music.
    pub struct MusicStinger: Bits {
        /// The music, an object.
        pub cue: Reference,
        /// A counter.
        pub trigger: u8,
    }
}

record! {
    /// A boost pad, in old files.
    pub struct Pickup: Bits {
        /// The car that took it; none if the pad is available again.
        pub instigator: Reference,
        /// Whether it is taken.
        pub is_taken: bool,
    }
}

record! {
    /// A boost pad.
    pub struct PickupNew: Bits {
        /// The car that took it; none if the pad is available again.
        pub instigator: Reference,
        /// A counter: odd if the pad is taken, even if it is available again.
        pub count: u8,
    }
}

impl PickupNew {
    /// True if the pad is taken.
    pub fn is_taken(&self) -> bool {
        self.count % 2 == 1
    }
}

record! {
    /// The power-ups a player can have.
    pub struct PickupInfo: Bits {
        /// The first.
        pub first: Reference,
        /// The second.
        pub second: Reference,
        /// The third.
        pub third: Reference,
        /// Whether they are only shown, not given.
        pub are_previews: bool,
    }
}

record! {
    /// A private match.
    pub struct PrivateMatchSettings: Bits {
        /// The mutators, as text.
        pub mutators: Text,
        /// The map, an index into the names.
        pub map: i32,
        /// Maximum number of players.
        pub max_players: i32,
        /// The game's name.
        pub game_name: Text,
        /// The password.
        pub password: Text,
        /// Whether everyone may join.
        pub is_public: bool,
    }
}

record! {
    /// A car's boost, since 2.39.
    pub struct ReplicatedBoost: Bits {
        /// A counter.
        pub grant_count: u8,
        /// Boost left, 0 to 255.
        pub amount: u8,
        /// Unused.
        pub unused_1: u8,
        /// Unused.
        pub unused_2: u8,
    }
}

record! {
    /// A reserved seat.
    pub struct Reservation: Bits(era: Era) {
        /// Index.
        pub index: Small<3>,
        /// The player's id.
        pub player: UniqueId,
        /// The player's name.
        pub name: Text,
        /// State.
        pub status: Seat,
    }
}

record! {
    /// A player's rank.
    pub struct SkillTier: Bits {
        /// The tier.
        pub tier: u8,
        /// Whether it is known.
        pub is_replicated: bool,
    }
}

record! {
    /// A title for a player's feats in a match.
    pub struct StatTitle: Bits {
        /// Index, 0 or 1.
        pub index: Small<1>,
        /// The title.
        pub name: Text,
        /// The counted statistic, an object.
        pub stat: Reference,
        /// The count.
        pub value: u32,
    }
}

record! {
    /// The colours of a car.
    pub struct TeamPaint: Bits {
        /// The team.
        pub team: u8,
        /// The team colour.
        pub team_color: u8,
        /// The custom colour.
        pub custom_color: u8,
        /// The finish of the team colour.
        pub team_finish: u32,
        /// The finish of the custom colour.
        pub custom_finish: u32,
    }
}

record! {
    /// A title in a party.
    pub struct TitleStat: Bits {
        /// The kind, an object.
        pub category: Reference,
        /// The title, an object.
        pub title: Reference,
        /// Points.
        pub points: i32,
        /// The count.
        pub count: i32,
        /// The player.
        pub member: Reference,
    }
}

record! {
    /// The state of a vote.
    pub struct VoteCounts: Bits {
        /// Number of votes for each answer; the order of the answers is not known.
        pub counts: [i32; 3],
    }
}

record! {
    /// A body that is attached to another.
    pub struct Welded: Bits(era: Era) {
        /// The other body.
        pub to: Reference,
        /// Position relative to it.
        pub offset: Vector,
        /// Its mass.
        pub mass: f32,
        /// Rotation.
        pub rotation: Rotation,
    }
}
