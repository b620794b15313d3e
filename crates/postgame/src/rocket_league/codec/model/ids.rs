//! Platform ids of players.

use serde::{Deserialize, Serialize};

use super::text::Text;
use super::versions::Era;
use crate::error::{Context as _, Error, Result};
use crate::wire::bits::{BitReader, BitWriter};
use crate::wire::json::{Bytes, json_by_serde};
use crate::wire::record::{Bits, Wire};

/// A player's id.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "platform", rename_all = "snake_case", deny_unknown_fields)]
pub enum UniqueId {
    /// Platform 0: a bot or an empty seat. Nothing more is stored.
    None {},
    /// Platform 1.
    Steam {
        /// The account id.
        id: u64,
        /// Index of the player on a shared machine.
        splitscreen: u8,
    },
    /// Platform 2.
    PlayStation {
        /// The name, padded with zeros to 16 bytes.
        name: PsnName,
        /// Region and console, as letters.
        region: PsnTag,
        /// 1 in every file seen.
        reserved: u64,
        /// The account id, since network version 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<u64>,
        /// Index of the player on a shared machine.
        splitscreen: u8,
    },
    /// Platform 4.
    Xbox {
        /// The account id.
        id: u64,
        /// Index of the player on a shared machine.
        splitscreen: u8,
    },
    /// Platform 5.
    Qq {
        /// The account id.
        id: u64,
        /// Index of the player on a shared machine.
        splitscreen: u8,
    },
    /// Platform 6: the Switch in old files.
    OldSwitch {
        /// The account id.
        id: u64,
        /// 24 more bytes.
        rest: PsnRest,
        /// Index of the player on a shared machine.
        splitscreen: u8,
    },
    /// Platform 7.
    Switch {
        /// The account id.
        id: u64,
        /// 24 more bytes, before network version 10.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rest: Option<PsnRest>,
        /// Index of the player on a shared machine.
        splitscreen: u8,
    },
    /// Platform 11.
    Epic {
        /// The account id.
        id: Text,
        /// Index of the player on a shared machine.
        splitscreen: u8,
    },
}

/// A fixed number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Bytes", into = "Bytes")]
pub struct Fixed<const N: usize>(pub [u8; N]);

/// A PlayStation name.
pub type PsnName = Fixed<16>;
/// Region and console.
pub type PsnTag = Fixed<8>;
/// The bytes after an account.
pub type PsnRest = Fixed<24>;

impl<const N: usize> From<Fixed<N>> for Bytes {
    fn from(fixed: Fixed<N>) -> Self {
        Self(fixed.0.to_vec())
    }
}

impl<const N: usize> TryFrom<Bytes> for Fixed<N> {
    type Error = String;

    fn try_from(bytes: Bytes) -> Result<Self, String> {
        let count = bytes.0.len();
        <[u8; N]>::try_from(bytes.0)
            .map(Self)
            .map_err(|_| format!("{count} bytes instead of {N}"))
    }
}

impl<const N: usize> Fixed<N> {
    fn read(reader: &mut BitReader<'_>) -> Result<Self> {
        let mut bytes = [0; N];
        for byte in &mut bytes {
            *byte = reader.bits(8)? as u8;
        }
        Ok(Self(bytes))
    }

    /// The text up to the first zero.
    pub fn to_text(&self) -> String {
        self.0
            .iter()
            .take_while(|&&byte| byte != 0)
            .map(|&byte| char::from(byte))
            .collect()
    }
}

impl UniqueId {
    /// The platform's number.
    pub fn platform(&self) -> u8 {
        match self {
            Self::None {} => 0,
            Self::Steam { .. } => 1,
            Self::PlayStation { .. } => 2,
            Self::Xbox { .. } => 4,
            Self::Qq { .. } => 5,
            Self::OldSwitch { .. } => 6,
            Self::Switch { .. } => 7,
            Self::Epic { .. } => 11,
        }
    }

    /// The account as text; `None` if there is none.
    pub fn account(&self) -> Option<String> {
        match self {
            Self::None {} => None,
            Self::Steam { id, .. }
            | Self::Xbox { id, .. }
            | Self::Qq { id, .. }
            | Self::OldSwitch { id, .. }
            | Self::Switch { id, .. } => Some(id.to_string()),
            // Before accounts were stored, the name was the only id.
            Self::PlayStation { id, name, .. } => {
                Some(id.map_or_else(|| name.to_text(), |id| id.to_string()))
            }
            Self::Epic { id, .. } => Some(id.to_string()),
        }
    }
}

impl Wire<Bits, Era> for UniqueId {
    fn read(reader: &mut BitReader<'_>, era: &Era) -> Result<Self> {
        let platform = reader.bits(8).field("platform")?;
        let net = era.versions.net();
        let id = |reader: &mut BitReader<'_>| reader.bits(64).field("id");
        let splitscreen =
            |reader: &mut BitReader<'_>| reader.bits(8).map(|bits| bits as u8).field("splitscreen");
        Ok(match platform {
            0 => Self::None {},
            1 => Self::Steam {
                id: id(reader)?,
                splitscreen: splitscreen(reader)?,
            },
            2 => Self::PlayStation {
                name: Fixed::read(reader)?,
                region: Fixed::read(reader)?,
                reserved: reader.bits(64)?,
                id: if net >= 1 { Some(id(reader)?) } else { None },
                splitscreen: splitscreen(reader)?,
            },
            4 => Self::Xbox {
                id: id(reader)?,
                splitscreen: splitscreen(reader)?,
            },
            5 => Self::Qq {
                id: id(reader)?,
                splitscreen: splitscreen(reader)?,
            },
            6 => Self::OldSwitch {
                id: id(reader)?,
                rest: Fixed::read(reader)?,
                splitscreen: splitscreen(reader)?,
            },
            7 => Self::Switch {
                id: id(reader)?,
                rest: if net < 10 {
                    Some(Fixed::read(reader)?)
                } else {
                    None
                },
                splitscreen: splitscreen(reader)?,
            },
            11 => Self::Epic {
                id: Wire::<Bits, Era>::read(reader, era)?,
                splitscreen: splitscreen(reader)?,
            },
            other => {
                return Err(
                    Error::invalid(format!("platform {other} is not known")).at(reader.place())
                );
            }
        })
    }

    fn write(&self, writer: &mut BitWriter, era: &Era) -> Result<()> {
        writer.bits(self.platform().into(), 8);
        let last = match self {
            Self::None {} => return Ok(()),
            Self::Steam { id, splitscreen }
            | Self::Xbox { id, splitscreen }
            | Self::Qq { id, splitscreen } => {
                writer.bits(*id, 64);
                splitscreen
            }
            Self::PlayStation {
                name,
                region,
                reserved,
                id,
                splitscreen,
            } => {
                writer.bytes(&name.0);
                writer.bytes(&region.0);
                writer.bits(*reserved, 64);
                if let Some(id) = id {
                    writer.bits(*id, 64);
                }
                splitscreen
            }
            Self::OldSwitch {
                id,
                rest,
                splitscreen,
            } => {
                writer.bits(*id, 64);
                writer.bytes(&rest.0);
                splitscreen
            }
            Self::Switch {
                id,
                rest,
                splitscreen,
            } => {
                writer.bits(*id, 64);
                if let Some(rest) = rest {
                    writer.bytes(&rest.0);
                }
                splitscreen
            }
            Self::Epic { id, splitscreen } => {
                Wire::<Bits, Era>::write(id, writer, era)?;
                splitscreen
            }
        };
        writer.bits((*last).into(), 8);
        Ok(())
    }
}

json_by_serde!(UniqueId);
