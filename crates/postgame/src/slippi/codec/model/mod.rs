//! What is in a replay.
//!
//! - [`payloads`], [`start`]: the first two events; also the game's end
//! - [`columns`], [`updates`]: the events of a frame, each field named once
//! - [`frames`]: all frames
//! - [`messages`]: events outside of frames

pub mod columns;
pub mod frames;
pub mod messages;
pub mod payloads;
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
    /// The file begins with its first event instead of UBJSON: the very oldest recorders' form.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_bare: bool,
    /// The length the file states for its events, where it is wrong. 0 while a game is being recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated_length: Option<u32>,
    /// The first event: the sizes of all others.
    pub payloads: Payloads,
    /// The second event: how the game was set up.
    pub start: Start,
    /// Events before the first frame.
    pub before: Vec<Message>,
    /// The frames; `None` when only the header was read.
    pub frames: Option<Frames>,
    /// Events after the last frame.
    pub after: Vec<Message>,
    /// Data in which no events can be found: a cut one, or what follows something broken.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub remains: Bytes,
    /// The elements after the events, of which `metadata` is the only one in use.
    #[serde(
        serialize_with = "super::ubjson_json::serialize_pairs",
        deserialize_with = "super::ubjson_json::deserialize_pairs"
    )]
    pub elements: Pairs,
    /// The closing bracket after the elements is there.
    pub is_closed: bool,
    /// What comes after that.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub trailing: Bytes,
    /// The last frame's number, as far as it can be told without reading the frames; for headers only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header_last_frame: Option<i32>,
}

json_by_serde!(Replay);

impl Replay {
    /// What the recorder, rather than the game, knew.
    pub fn metadata(&self) -> Option<&Value> {
        ubjson::find(&self.elements, "metadata")
    }

    /// How the game ended; the first of several ends.
    pub fn end(&self) -> Option<&End> {
        self.after.iter().find_map(|message| match message {
            Message::End { end } => Some(end),
            _ => None,
        })
    }

    /// The last frame's number: counted, or else what the file says of it.
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
