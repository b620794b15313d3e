//! Bytes to model and back, in the file's own terms.
//!
//! - [`container`]: the events' wrapping, and [`read()`] and [`write()`] from end to end
//! - [`ubjson`]: the notation of everything but the events
//! - [`model`]: the recording itself
//! - `builder`, `write`: events to frames and back
//! - [`strings`]: names as the game stores them
//! - [`header`]: the fields of a listing, without reading the frames
//! - [`outcome`]: who played which character, who won
//! - [`live`]: replays while they are being recorded
//! - `check`, `repair`, `summary`: findings, mending, a line in a list

mod builder;
mod check;
pub mod container;
pub mod header;
pub mod live;
pub mod model;
pub mod outcome;
mod repair;
pub mod strings;
pub(in crate::slippi) mod summary;
pub mod ubjson;
mod ubjson_json;
mod write;

pub use check::check;
pub use container::{read, sniff, write};
pub use header::read_header;
pub use model::Replay;
pub use repair::repair;
pub use summary::summary;
