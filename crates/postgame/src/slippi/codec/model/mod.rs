//! The contents of a replay, in the file's own terms.
//!
//! - [`payloads`], [`start`]: the first two events; also the game's end
//! - [`columns`], [`updates`]: the events of a frame, with one list of fields
//! - [`frames`]: all frames; [`ports`]: one port, frame by frame
//! - [`messages`]: events outside of frames

pub mod columns;
pub mod frames;
pub mod messages;
pub mod payloads;
pub mod ports;
pub mod start;
pub mod updates;

use serde::{Deserialize, Serialize};

use super::ubjson::{self, Pairs, Value};
use crate::wire::json::{Bytes, json_by_serde};
use frames::Frames;
use messages::Message;
use payloads::Payloads;
use start::{End, Start};

/// A Slippi replay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replay {
    /// True if the file starts with its first event instead of UBJSON: the form of the oldest recorders.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_bare: bool,
    /// The stated length of the events, if it is wrong. 0 while a game is being recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated_length: Option<u32>,
    /// The first event: the sizes of all others.
    pub payloads: Payloads,
    /// The second event: the settings of the game.
    pub start: Start,
    /// Events before the first frame.
    pub before: Vec<Message>,
    /// The frames; `None` if only the header was read.
    pub frames: Option<Frames>,
    /// Events after the last frame.
    pub after: Vec<Message>,
    /// Data without recognisable events: a cut event, or the bytes after something broken.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub remains: Bytes,
    /// Bytes between the events that belong to no event, in file order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<Gap>,
    /// The elements after the events; only `metadata` is in use.
    #[serde(
        serialize_with = "super::ubjson_json::serialize_pairs",
        deserialize_with = "super::ubjson_json::deserialize_pairs"
    )]
    pub elements: Pairs,
    /// True if the closing bracket after the elements is present.
    pub is_closed: bool,
    /// The bytes after the closing bracket.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub trailing: Bytes,
    /// The last frame's number, if it is known without reading the frames; only set by header reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header_last_frame: Option<i32>,
}

json_by_serde!(Replay);

/// Bytes between events that belong to no event: parts of a damaged event, or foreign data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gap {
    /// Their offset in bytes, counted from the first event.
    pub offset: u64,
    /// The bytes.
    pub bytes: Bytes,
}

json_by_serde!(Gap);

impl Replay {
    /// The metadata, which comes from the recorder instead of the game.
    pub fn metadata(&self) -> Option<&Value> {
        ubjson::find(&self.elements, "metadata")
    }

    /// The end of the game; the first one if there are several.
    pub fn end(&self) -> Option<&End> {
        self.after.iter().find_map(|message| match message {
            Message::End { end } => Some(end),
            _ => None,
        })
    }

    /// The last frame's number: from the frames, else from the metadata.
    pub fn last_frame(&self) -> Option<i32> {
        let stated = || self.metadata()?.get("lastFrame")?.as_int()?.try_into().ok();
        match &self.frames {
            Some(frames) => frames.last_frame(),
            None => self.header_last_frame.or_else(stated),
        }
    }

    /// The changes to the game's code.
    pub fn gecko_codes(&self) -> Vec<messages::GeckoCode> {
        messages::gecko_codes(&messages::gecko_list(&self.before))
    }
}
