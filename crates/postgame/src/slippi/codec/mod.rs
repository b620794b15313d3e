//! Bytes to model and back, in the file's own terms.
//!
//! - [`container`]: the outer layer, and [`read()`] and [`write()`] from end to end
//! - [`ubjson`]: the notation of everything but the events
//! - [`model`]: the recording itself
//! - `builder`, `write`: events to frames and back
//! - [`strings`]: names as the game stores them
//! - [`header`]: the fields of a listing, without reading the frames
//! - [`outcome`]: starting characters and winners
//! - [`live`]: replays while they are being recorded
//! - [`slpz`]: compressed replays
//! - `check`, `repair`, `summary`: findings, mending, a line in a list

mod builder;
mod check;
pub mod container;
pub mod header;
pub mod live;
pub mod model;
pub mod outcome;
mod repair;
mod resync;
pub mod slpz;
pub mod strings;
pub(in crate::slippi) mod summary;
pub mod ubjson;
mod ubjson_json;
mod write;

pub use check::check;
pub(crate) use container::sniff as has_short_header;
pub use container::{read, write};
pub use header::read_header;
pub use model::Replay;
pub use repair::repair;
pub use summary::summary;

/// True for what begins like a replay, compressed or not.
pub fn sniff(bytes: &[u8]) -> bool {
    container::sniff(bytes) || slpz::sniff(bytes)
}
