//! All attribute layouts in one list: number, JSON name, type.

use serde::{Deserializer, Serialize, Serializer};

use super::attributes::*;
use super::ids::UniqueId;
use super::loadouts::{Loadout, LoadoutOnline, LoadoutsOnline, TeamLoadout};
use super::text::Text;
use super::values::{Reference, RigidBody, Rotation, Vector};
use super::versions::Era;
use crate::error::{Error, Result};
use crate::wire::bits::{BitReader, BitWriter};
use crate::wire::json::Json;
use crate::wire::record::{Bits, Wire};

macro_rules! kinds {
    (
        small {$($(#[$small_meta:meta])* $Small:ident $small_name:literal: $SmallType:ty;)*}
        records {$($(#[$meta:meta])* $Name:ident $name:literal: $Type:ty;)*}
    ) => {
        /// The layout of an attribute.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Kind {
            /// Unknown.
            Unknown,
            /// A remote call: declared like an attribute, but never in the stream.
            Function,
            $($(#[$small_meta])* $Small,)*
            $($(#[$meta])* $Name,)*
        }

        impl Kind {
            /// Its name in JSON.
            pub fn name(self) -> &'static str {
                match self {
                    Self::Unknown => "unknown",
                    Self::Function => "function",
                    $(Self::$Small => $small_name,)*
                    $(Self::$Name => $name,)*
                }
            }

            /// The kind with a name in JSON.
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($small_name => Some(Self::$Small),)*
                    $($name => Some(Self::$Name),)*
                    _ => None,
                }
            }
        }

        /// The value of an attribute with several fields, or without a fixed size.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum Attribute {
            $($(#[$meta])* $Name($Type),)*
        }

        impl Attribute {
            /// Its layout.
            pub fn kind(&self) -> Kind {
                match self {
                    $(Self::$Name(_) => Kind::$Name,)*
                }
            }

            /// Reads an attribute.
            pub(crate) fn read(kind: Kind, reader: &mut BitReader<'_>, era: &Era) -> Result<Self> {
                match kind {
                    $(Kind::$Name => <$Type as Wire<Bits, Era>>::read(reader, era).map(Self::$Name),)*
                    _ => Err(reader.invalid("its layout is not known")),
                }
            }

            /// Writes an attribute.
            pub(crate) fn write(&self, writer: &mut BitWriter, era: &Era) -> Result<()> {
                match self {
                    $(Self::$Name(value) => Wire::<Bits, Era>::write(value, writer, era),)*
                }
            }
        }

        /// A value of an attribute. `A` holds the larger values: [`Attribute`] or a reference to one.
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum Value<A = Attribute> {
            $($(#[$small_meta])* $Small($SmallType),)*
            /// An attribute with several fields, or without a fixed size.
            Attribute(A),
        }

        impl Value<&Attribute> {
            /// Its layout.
            pub fn kind(&self) -> Kind {
                match self {
                    $(Self::$Small(_) => Kind::$Small,)*
                    Self::Attribute(attribute) => attribute.kind(),
                }
            }
        }

        impl Value<&Attribute> {
            /// A copy that owns its attribute.
            pub fn to_owned(&self) -> Value {
                match self {
                    $(Self::$Small(value) => Value::$Small(*value),)*
                    Self::Attribute(attribute) => Value::Attribute((*attribute).clone()),
                }
            }
        }

        /// The value without its kind.
        impl Json for Value<&Attribute> {
            fn to_json<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $(Self::$Small(value) => value.to_json(serializer),)*
                    $(Self::Attribute(Attribute::$Name(value)) => value.to_json(serializer),)*
                }
            }

            fn from_json<'de, D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
                Err(serde::de::Error::custom("a value is read by its kind"))
            }
        }

        impl Serialize for Value<&Attribute> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.to_json(serializer)
            }
        }

        impl Value {
            /// Reads a value from JSON.
            pub(crate) fn from_json<'de, D: Deserializer<'de>>(
                kind: Kind,
                deserializer: D,
            ) -> Result<Self, D::Error> {
                match kind {
                    $(Kind::$Small => Json::from_json(deserializer).map(Self::$Small),)*
                    $(Kind::$Name => {
                        Json::from_json(deserializer).map(Attribute::$Name).map(Self::Attribute)
                    })*
                    Kind::Unknown | Kind::Function => {
                        Err(serde::de::Error::custom("a value of no known kind"))
                    }
                }
            }
        }
    };
}

kinds! {
    small {
        /// One bit.
        Boolean "boolean": bool;
        /// Eight bits.
        Byte "byte": u8;
        /// 32 bits, signed.
        Int "int": i32;
        /// 32 bits.
        Float "float": f32;
        /// 64 bits with a sign.
        Int64 "int64": i64;
        /// An actor, an object, or nothing.
        Reference "reference": Reference;
        /// An index into the names.
        NameIndex "name_index": i32;
        /// Two bits before 868.12, then eight.
        GameMode "game_mode": u8;
        /// A body's position and motion.
        RigidBody "rigid_body": RigidBody;
    }
    records {
        /// Text.
        String "string": Text;
        /// Three numbers.
        Vector "vector": Vector;
        /// Three angles.
        Rotation "rotation": Rotation;
        /// Damage to the floor.
        AppliedDamage "applied_damage": AppliedDamage;
        /// A camera.
        CameraSettings "camera_settings": Box<CameraSettings>;
        /// A club's colours.
        ClubColors "club_colors": ClubColors;
        /// A tile's state.
        DamageState "damage_state": Box<DamageState>;
        /// One car destroys another.
        Demolish "demolish": Box<Demolish>;
        /// One car destroys another, with an effect.
        DemolishFx "demolish_fx": Box<DemolishFx>;
        /// One car destroys another, since 2.46.
        DemolishExtended "demolish_extended": Box<DemolishExtended>;
        /// A goal explosion.
        Explosion "explosion": Explosion;
        /// A goal explosion, with the scorer.
        ExplosionExtended "explosion_extended": Box<ExplosionExtended>;
        /// The server.
        GameServerId "game_server_id": ServerId;
        /// A duel.
        HonorDuel "honor_duel": Box<HonorDuel>;
        /// A byte of an array.
        HistoryKey "history_key": HistoryKey;
        /// A push.
        Impulse "impulse": Impulse;
        /// A car's loadout.
        Loadout "loadout": Box<Loadout>;
        /// The product attributes of a loadout.
        LoadoutOnline "loadout_online": LoadoutOnline;
        /// The product attributes of both teams' loadouts.
        LoadoutsOnline "loadouts_online": Box<LoadoutsOnline>;
        /// A logo.
        LogoData "logo_data": LogoData;
        /// Music.
        MusicStinger "music_stinger": MusicStinger;
        /// A boost pad, in old files.
        Pickup "pickup": Pickup;
        /// A boost pad.
        PickupNew "pickup_new": PickupNew;
        /// Power-ups.
        PickupInfo "pickup_info": PickupInfo;
        /// A private match.
        PrivateMatchSettings "private_match_settings": Box<PrivateMatchSettings>;
        /// Boost.
        ReplicatedBoost "replicated_boost": ReplicatedBoost;
        /// A seat.
        Reservation "reservation": Box<Reservation>;
        /// A rank.
        SkillTier "skill_tier": SkillTier;
        /// A title earned in a match.
        StatTitle "stat_title": Box<StatTitle>;
        /// The loadouts of a car in either team.
        TeamLoadout "team_loadout": Box<TeamLoadout>;
        /// A car's colours.
        TeamPaint "team_paint": TeamPaint;
        /// A title in a party.
        TitleStat "title_stat": Box<TitleStat>;
        /// A player.
        UniqueId "unique_id": Box<UniqueId>;
        /// A vote.
        VoteCounts "vote_counts": VoteCounts;
        /// A body fixed to another.
        Welded "welded": Box<Welded>;
    }
}

impl<A> Value<A> {
    /// The number of a kind that is a plain number.
    pub fn number(&self) -> Option<f64> {
        Some(match self {
            Self::Byte(value) | Self::GameMode(value) => (*value).into(),
            Self::Int(value) | Self::NameIndex(value) => (*value).into(),
            Self::Float(value) => (*value).into(),
            Self::Int64(value) => *value as f64,
            _ => return None,
        })
    }
}

impl Kind {
    /// The error for writing a value of a kind that never occurs in the stream.
    #[cold]
    pub(crate) fn unwritable(self) -> Error {
        Error::unwritable(format!("a value of the kind {}", self.name()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_small() {
        // Each block of frames has a list of attributes, in which the largest kind decides the size of all.
        assert!(size_of::<Attribute>() <= 40, "{}", size_of::<Attribute>());
        assert_eq!(Kind::from_name(Kind::Welded.name()), Some(Kind::Welded));
        assert_eq!(Kind::from_name("function"), None);
    }
}
