//! Slippi replays of Super Smash Bros. Melee, every version. The format is described in `docs/formats/slippi.md`.
//!
//! - [`container`]: what is around the events, and [`read`] and [`write`] from end to end
//! - [`ubjson`]: the notation of everything but the events
//! - [`model`]: what is in the events
//! - [`strings`]: names as the game stores them
//! - [`header`]: the little a list shows, without reading the frames
//! - [`facts`]: who played which character, who won
//! - [`live`]: replays while they are being recorded
//! - `check`, `repair`, `summary`: findings, mending, a line in a list
//! - [`coords`], `timeline`: motion in the units of the timeline
//! - [`names`], [`tables`]: the game's names, generated from `data/slippi`
//! - `builder`, `write`: events to frames and back

mod builder;
mod check;
pub mod container;
pub mod coords;
pub mod facts;
pub mod header;
pub mod live;
pub mod model;
pub mod names;
mod repair;
pub mod strings;
mod summary;
pub mod tables;
mod timeline;
pub mod ubjson;
mod ubjson_json;
mod write;

pub use check::check;
pub use container::{read, sniff, write};
pub use header::read_header;
pub use model::Replay;
pub use repair::repair;
pub use summary::summary;
pub use timeline::timeline;
