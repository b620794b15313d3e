//! The contents of a RUMBLE replay, in the file's own terms.
//!
//! - [`first`]: the first generation: a header and frames of full states
//! - [`manifest`], [`stream`], [`fields`]: the second: a JSON manifest and frames of tagged fields
//! - [`voices`], [`extensions`]: the other contents of its archive
//!
//! The `.rr` files of another recorder are in [`rr`](super::rr).

pub mod extensions;
pub mod fields;
pub mod first;
mod json;
pub mod manifest;
pub mod stream;
pub mod voices;

use serde::{Deserialize, Serialize};

use super::archive::Archive;
use super::container::Wrapper;
use super::rr::RrReplay;
pub use crate::wire::packed::{Codec, Inflated, Packed};
pub use crate::wire::strings::{Bool8, DotNetString};
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
    /// Written by RumbleReplay: `.rr`.
    Rr(RrReplay),
}

/// A replay of the first generation.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstReplay {
    /// The container around the data.
    pub wrapper: Wrapper,
    /// The data before the frames.
    pub header: first::Header,
    /// The frames; `None` if only the header was read.
    pub frames: Option<first::Frames>,
    /// The data after the last frame that could be read: a later version's data, or a broken frame.
    pub trailing: Vec<u8>,
}

/// A replay of the second generation.
#[derive(Clone, Debug, PartialEq)]
pub struct SecondReplay {
    /// The archive, with all its entries as in the file; see `packed_stream` for the one exception.
    pub archive: Archive,
    /// The contents of the entry `manifest.json`.
    pub manifest: Manifest,
    /// The contents of the entry `replay`; `None` if only the header was read.
    pub stream: Option<Stream>,
    /// The compressed `replay` entry as in the file. While it is set, the entry in the archive is empty.
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
