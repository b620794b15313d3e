//! What is in a Rocket League replay, in the file's own words.
//!
//! - [`versions`]: who wrote it, and what depends on that
//! - [`properties`]: the header's named values
//! - [`network`], [`kinds`], [`values`], [`attributes`], [`loadouts`], [`ids`]: the frames and what is in them
//! - the module [`text`]: strings
//! - `json`, `names`: the form in JSON, with names beside ids

pub mod attributes;
pub mod ids;
mod json;
pub mod kinds;
pub mod loadouts;
mod names;
pub mod network;
pub mod properties;
pub mod text;
pub mod values;
pub mod versions;

use serde::{Deserialize, Serialize};

use crate::wire::json::Bytes;
use crate::wire::record::{LittleBytes, record};
use network::Network;
use properties::Properties;
use text::Text;
use versions::Versions;

/// A Rocket League replay.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replay {
    /// Versions and facts.
    pub header: Header,
    /// Everything else; `None` when only the header was read.
    #[serde(default)]
    pub body: Option<Body>,
    /// What comes after the body.
    #[serde(default)]
    pub after: Bytes,
}

/// Versions and facts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The section's size and checksum, where they are wrong.
    #[serde(default, skip_serializing_if = "Stated::is_empty")]
    pub stated: Stated,
    /// The versions.
    pub versions: Versions,
    /// The class of the replay: `TAGame.Replay_Soccar_TA`.
    pub class: Text,
    /// The facts.
    pub properties: Properties,
    /// What follows the last property that could be read, its end included, where one could not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken: Option<Bytes>,
    /// What follows the properties.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub trailing: Bytes,
}

/// A section's size and checksum in the file, where they are not those of the section.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stated {
    /// The size in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u32>,
    /// The checksum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crc: Option<u32>,
}

impl Stated {
    /// True when both are right.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Everything but the header.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// The section's size and checksum, where they are wrong.
    #[serde(default)]
    pub stated: Stated,
    /// The levels that were loaded.
    pub levels: Vec<Text>,
    /// The frames at which everything is sent anew.
    pub keyframes: Vec<KeyFrame>,
    /// The frames.
    pub network: Network,
    /// Messages for the game's developers.
    pub debug_strings: Vec<DebugString>,
    /// The marks on the game's own time bar.
    pub tick_marks: Vec<TickMark>,
    /// The packages that were loaded.
    pub packages: Vec<Text>,
    /// The names of all objects; many numbers in the file are indices into this list.
    pub objects: Vec<Text>,
    /// The names of actors and states.
    pub names: Vec<Text>,
    /// Which objects are classes.
    pub classes: Vec<ClassIndex>,
    /// The attributes of each class and their numbers in the stream.
    pub net_caches: Vec<NetCache>,
    /// The class of the camera track; empty in every file seen. Since network version 10, with few exceptions.
    #[serde(default)]
    pub camera_track: Option<Text>,
    /// What follows.
    #[serde(default)]
    pub trailing: Bytes,
    /// Where the body broke.
    #[serde(default)]
    pub broken: Option<Broken>,
}

/// The part of a body that could not be read; what comes after it could not be read either.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Broken {
    /// The part.
    pub part: Part,
    /// Its bytes and all that follow.
    pub bytes: Bytes,
}

/// A part of the body, in the order of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the fields of the body say what they are")]
pub enum Part {
    Size,
    Levels,
    Keyframes,
    Stream,
    DebugStrings,
    TickMarks,
    Packages,
    Objects,
    Names,
    Classes,
    NetCaches,
}

record! {
    /// A frame at which everything is sent anew, so that one can begin to read there.
    pub struct KeyFrame: LittleBytes {
        /// When, in seconds.
        pub time_s: f32,
        /// Which frame.
        pub frame: u32,
        /// Where it begins in the stream, in bits.
        pub position_bits: u32,
    }
}

record! {
    /// A message for the game's developers.
    pub struct DebugString: LittleBytes {
        /// In which frame.
        pub frame: u32,
        /// By whom.
        pub user: Text,
        /// What.
        pub text: Text,
    }
}

record! {
    /// A mark on the game's own time bar.
    pub struct TickMark: LittleBytes {
        /// Such as `Team0Goal`.
        pub kind: Text,
        /// In which frame.
        pub frame: u32,
    }
}

record! {
    /// A class among the objects.
    pub struct ClassIndex: LittleBytes {
        /// Its name.
        pub name: Text,
        /// Its index.
        pub index: u32,
    }
}

record! {
    /// The attributes of a class.
    pub struct NetCache: LittleBytes {
        /// The class, an index into the objects.
        pub object: u32,
        /// The number of its first attribute: one more than the last of its parent's.
        pub first_id: u32,
        /// About one more than the number of its last attribute.
        pub end_id: u32,
        /// The attributes of this class alone.
        pub properties: Vec<NetProperty>,
    }
}

record! {
    /// An attribute of a class.
    pub struct NetProperty: LittleBytes {
        /// Its name, an index into the objects.
        pub object: u32,
        /// Its number in the stream.
        pub stream_id: u32,
    }
}

impl Replay {
    /// How many frames the header says there are.
    pub fn stated_frames(&self) -> Option<u32> {
        self.header.stated_frames()
    }
}

impl Header {
    /// How many frames the header says there are.
    pub fn stated_frames(&self) -> Option<u32> {
        u32::try_from(self.properties.int("NumFrames")?).ok()
    }
}
