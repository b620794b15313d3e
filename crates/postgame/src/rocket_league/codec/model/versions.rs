//! Which version of the game wrote a replay, and what depends on it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The versions at the beginning of the header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Versions {
    /// Of Unreal: 867 or 868 in every replay seen, or 0.
    pub engine: u32,
    /// Of the game's data, from 9 (2015) to 34 (2026), or 0.
    pub licensee: u32,
    /// Of the network data, since 2017.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub net: Option<u32>,
}

impl Versions {
    /// True when the file has a network version after the other two.
    pub(crate) fn have_net(engine: u32, licensee: u32) -> bool {
        engine > 865 && licensee > 17
    }

    /// True for the oldest files, which have no versions: flags and enumerations are stored differently there.
    pub fn are_none(&self) -> bool {
        (self.engine, self.licensee) == (0, 0)
    }

    /// The network version; 0 for files older than it.
    pub fn net(&self) -> u32 {
        self.net.unwrap_or(0)
    }

    /// True when the file is of these versions or later ones.
    pub fn at_least(&self, engine: u32, licensee: u32, net: u32) -> bool {
        (self.engine, self.licensee, self.net()) >= (engine, licensee, net)
    }
}

/// How the values of a network stream are stored: all that versions and header decide.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Era {
    /// The versions.
    pub versions: Versions,
    /// The size of a vector is below this: 22 or 20.
    pub vector_limit: u32,
    /// Actor ids are below this.
    pub channels: u32,
    /// A spawn has a name.
    pub spawns_have_names: bool,
    /// The versions do not tell whether a spawn has a name.
    pub names_are_uncertain: bool,
    /// The server's id is text, not a number.
    pub server_id_is_text: bool,
    /// The classes of product attributes, by their index among the objects.
    pub product_kinds: Vec<(i32, ProductKind)>,
}

/// What a product attribute says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProductKind {
    /// A colour the player chose.
    UserColor,
    /// A paint.
    Painted,
    /// A special edition.
    SpecialEdition,
    /// A team's edition.
    TeamEdition,
    /// A title.
    TitleId,
    /// What is counted about it.
    Certified,
    /// Nobody knows.
    Unknown,
    /// Nobody knows, but it takes so many bits.
    Other(u8),
}

impl fmt::Display for ProductKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Other(width) => write!(f, "{width} bits"),
            Self::TitleId => f.write_str("text"),
            kind => write!(f, "{kind:?}"),
        }
    }
}

impl Era {
    /// Rotations of bodies are quaternions, not angles.
    pub fn has_quaternions(&self) -> bool {
        self.versions.net() >= 7
    }

    /// Says how a product attribute is stored.
    pub(crate) fn set_product(&mut self, object: i32, kind: ProductKind) {
        for (_, slot) in self
            .product_kinds
            .iter_mut()
            .filter(|entry| entry.0 == object)
        {
            *slot = kind;
        }
    }
}
