//! The version of the game that wrote a replay, and the layouts that depend on it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The versions at the start of the header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Versions {
    /// Version of Unreal: 867 or 868 in every replay seen, or 0.
    pub engine: u32,
    /// Version of the game's data, from 9 (2015) to 34 (2026), or 0.
    pub licensee: u32,
    /// Version of the network data, since 2017.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub net: Option<u32>,
}

impl Versions {
    /// True when the file has a network version after the other two.
    pub(crate) fn have_net(engine: u32, licensee: u32) -> bool {
        engine > 865 && licensee > 17
    }

    /// True for the oldest files, which have version 0: flags and enumerations are stored differently there.
    pub fn are_none(&self) -> bool {
        (self.engine, self.licensee) == (0, 0)
    }

    /// The network version; 0 for files without one.
    pub fn net(&self) -> u32 {
        self.net.unwrap_or(0)
    }

    /// True when the file has these versions or later ones.
    pub fn at_least(&self, engine: u32, licensee: u32, net: u32) -> bool {
        (self.engine, self.licensee, self.net()) >= (engine, licensee, net)
    }
}

/// The value layouts of a network stream: everything that depends on versions and header.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Era {
    /// The versions.
    pub versions: Versions,
    /// Upper limit of a vector's size: 22 or 20.
    pub vector_limit: u32,
    /// Upper limit of actor ids.
    pub channels: u32,
    /// Whether a spawn has a name.
    pub spawns_have_names: bool,
    /// Whether the versions leave it open if a spawn has a name.
    pub names_are_uncertain: bool,
    /// Whether the server's id is text instead of a number.
    pub server_id_is_text: bool,
    /// The classes of product attributes, by the index of their object.
    pub product_kinds: Vec<(i32, ProductKind)>,
}

// Lists in the stream are bounded by their bits, and charged there.
impl crate::limits::Charge for Era {}

/// The class of a product attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProductKind {
    /// A painted colour chosen by the player.
    UserColor,
    /// A paint.
    Painted,
    /// A special edition.
    SpecialEdition,
    /// A team's edition.
    TeamEdition,
    /// A title.
    TitleId,
    /// A counted statistic.
    Certified,
    /// Unknown.
    Unknown,
    /// Unknown, but its width in bits was inferred.
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
    /// True if rotations of bodies are quaternions instead of angles.
    pub fn has_quaternions(&self) -> bool {
        self.versions.net() >= 7
    }

    /// Sets the layout of a product attribute.
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
