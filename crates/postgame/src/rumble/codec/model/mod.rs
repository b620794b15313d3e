//! What is in a RUMBLE replay, in the file's own words.
//!
//! - [`first`]: the first generation: a header and frames of full states
//! - [`manifest`], [`stream`], [`fields`]: the second: a JSON manifest and frames of tagged fields

pub mod fields;
pub mod first;
mod json;
pub mod manifest;
pub mod stream;

use serde::{Deserialize, Serialize};

use super::archive::Archive;
use super::container::Wrapper;
use crate::wire::packed::Packed;
use manifest::Manifest;
use stream::Stream;

/// A RUMBLE replay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "generation",
    content = "replay",
    rename_all = "snake_case",
    deny_unknown_fields
)]
pub enum Replay {
    /// Written by RumbleAnimator: `RGZP`.
    First(FirstReplay),
    /// Written by ReplayMod: a ZIP archive.
    Second(SecondReplay),
}

/// A replay of the first generation.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstReplay {
    /// What is around the data.
    pub wrapper: Wrapper,
    /// What comes before the frames.
    pub header: first::Header,
    /// The frames; `None` when only the header was read.
    pub frames: Option<first::Frames>,
    /// What comes after the last frame that could be read: a later version's data, or a broken frame.
    pub trailing: Vec<u8>,
}

/// A replay of the second generation.
#[derive(Clone, Debug, PartialEq)]
pub struct SecondReplay {
    /// The archive, with all its entries as they are in the file; but see `packed_stream`.
    pub archive: Archive,
    /// The contents of the entry `manifest.json`.
    pub manifest: Manifest,
    /// The contents of the entry `replay`; `None` when only the header was read.
    pub stream: Option<Stream>,
    /// The same, compressed as it was in the file. While it is here, the entry in the archive is empty.
    pub packed_stream: Option<Packed>,
}

impl SecondReplay {
    /// The archive with the entry `replay` as it is in the file.
    pub fn whole_archive(&self) -> Archive {
        let mut archive = self.archive.clone();
        if let (Some(packed), Some(entry)) = (
            &self.packed_stream,
            archive.find_mut(super::container::STREAM),
        ) && entry.is_stored()
        {
            entry.data = packed.bytes.clone();
        }
        archive
    }
}
