//! The contents of a Rocket League replay, in the file's own terms.
//!
//! - [`versions`]: the version of the game, and what depends on it
//! - [`properties`]: the header's named values
//! - [`network`], [`kinds`], [`values`], [`attributes`], [`loadouts`], [`ids`]: the frames and their contents
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
    /// Versions and properties.
    pub header: Header,
    /// The body; `None` if only the header was read.
    #[serde(default)]
    pub body: Option<Body>,
    /// The bytes after the body.
    #[serde(default)]
    pub after: Bytes,
}

/// The header: versions and properties.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The section's stated size and checksum, if they are wrong.
    #[serde(default, skip_serializing_if = "Stated::is_empty")]
    pub stated: Stated,
    /// The versions.
    pub versions: Versions,
    /// The class of the replay: `TAGame.Replay_Soccar_TA`.
    pub class: Text,
    /// The properties.
    pub properties: Properties,
    /// The bytes after the last property that could be read, including its end, if one could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken: Option<Bytes>,
    /// The bytes after the properties.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub trailing: Bytes,
}

/// A section's stated size and checksum, as far as they differ from the actual ones.
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

/// The body: everything but the header.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// The section's stated size and checksum, if they are wrong.
    #[serde(default)]
    pub stated: Stated,
    /// The loaded levels.
    pub levels: Vec<Text>,
    /// The keyframes, at which everything is sent again.
    pub keyframes: Vec<KeyFrame>,
    /// The frames.
    pub network: Network,
    /// Debug messages of the game's developers.
    pub debug_strings: Vec<DebugString>,
    /// The marks on the game's replay timeline.
    pub tick_marks: Vec<TickMark>,
    /// The loaded packages.
    pub packages: Vec<Text>,
    /// The names of all objects; many numbers in the file are indices into this list.
    pub objects: Vec<Text>,
    /// The names of actors and states.
    pub names: Vec<Text>,
    /// The objects that are classes.
    pub classes: Vec<ClassIndex>,
    /// The attributes of each class and their stream ids.
    pub net_caches: Vec<NetCache>,
    /// The class of the camera track; empty in every file seen. Since network version 10, with few exceptions.
    #[serde(default)]
    pub camera_track: Option<Text>,
    /// The bytes after the last part.
    #[serde(default)]
    pub trailing: Bytes,
    /// The part that could not be read.
    #[serde(default)]
    pub broken: Option<Broken>,
}

/// The first part of a body that could not be read; the parts after it could not be read either.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Broken {
    /// The part.
    pub part: Part,
    /// The bytes from its start to the end of the body.
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
    /// A keyframe: everything is sent again, so reading can begin there.
    pub struct KeyFrame: LittleBytes {
        /// Time, in seconds.
        pub time_s: f32,
        /// The frame's number.
        pub frame: u32,
        /// Its offset in the stream, in bits.
        pub position_bits: u32,
    }
}

record! {
    /// A debug message of the game's developers.
    pub struct DebugString: LittleBytes {
        /// The frame's number.
        pub frame: u32,
        /// The author.
        pub user: Text,
        /// The message.
        pub text: Text,
    }
}

record! {
    /// A mark on the game's replay timeline.
    pub struct TickMark: LittleBytes {
        /// The kind, such as `Team0Goal`.
        pub kind: Text,
        /// The frame's number.
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
        /// The id of its first attribute: one more than the last of its parent's.
        pub first_id: u32,
        /// About one more than the id of its last attribute.
        pub end_id: u32,
        /// The attributes of this class alone, without those of its parents.
        pub properties: Vec<NetProperty>,
    }
}

record! {
    /// An attribute of a class.
    pub struct NetProperty: LittleBytes {
        /// Its name, an index into the objects.
        pub object: u32,
        /// Its stream id.
        pub stream_id: u32,
    }
}

impl Replay {
    /// The number of frames stated in the header.
    pub fn stated_frames(&self) -> Option<u32> {
        self.header.stated_frames()
    }
}

impl Header {
    /// The number of frames stated in the header.
    pub fn stated_frames(&self) -> Option<u32> {
        u32::try_from(self.properties.int("NumFrames")?).ok()
    }
}
