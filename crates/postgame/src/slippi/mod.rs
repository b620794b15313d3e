//! Slippi replays of Super Smash Bros. Melee, every version. The format is described in `docs/formats/slippi.md`.
//!
//! - [`container`]: what is around the events, and [`read()`] and [`write()`] from end to end
//! - [`ubjson`]: the notation of everything but the events
//! - [`model`]: what is in the events
//! - [`strings`]: names as the game stores them
//! - [`header`]: the little a list shows, without reading the frames
//! - [`facts`]: who played which character, who won
//! - [`live`]: replays while they are being recorded
//! - `check`, `repair`, `summary`: findings, mending, a line in a list
//! - [`coords`], `timeline`, `events`: motion in the units of the timeline, and what happened
//! - [`stats`](mod@stats), `probe`: numbers about what happens, and whether it can be true
//! - [`names`], [`knowledge`], [`tables`]: what the game's numbers mean, generated from `data/slippi`
//! - `builder`, `write`: events to frames and back

mod builder;
mod check;
pub mod container;
pub mod coords;
mod events;
pub mod facts;
pub mod header;
pub mod knowledge;
pub mod live;
pub mod model;
pub mod names;
mod players;
mod probe;
mod repair;
pub mod stats;
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
pub use probe::probe;
pub use repair::repair;
pub use stats::stats;
pub use summary::summary;
pub use timeline::{timeline, timeline_and_stats};
