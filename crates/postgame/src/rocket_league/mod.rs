//! Rocket League replays. The format is described in `docs/formats/rocket-league.md`.
//!
//! - [`container`]: the two sections and their parts, and [`read()`] and [`write()`] from end to end
//! - [`crc`]: the sections' checksum
//! - [`classes`]: which attributes an actor has, and how each is stored
//! - `decode`, `encode`: the network stream
//! - [`model`]: what is in a replay
//! - `check`, `repair`, `summary`: findings, mending, a line in a list
//! - [`coords`], `timeline`: motion in the units of the timeline
//! - `demolitions`: one, in whichever form a version stores it
//! - `events`, `stats`, `probe`: what happened, numbers about it, and whether it can be true
//! - [`tables`]: the game's names, generated from `data/rocket_league`

mod check;
pub mod classes;
pub mod container;
pub mod coords;
pub mod crc;
mod decode;
mod demolitions;
mod encode;
mod events;
pub mod model;
mod probe;
mod repair;
mod stats;
mod summary;
pub mod tables;
mod timeline;

pub use check::check;
pub use container::{read, read_from_keyframe, sniff, write};
pub use encode::{frame_positions, stream_bits};
pub use model::Replay;
pub use probe::probe;
pub use repair::repair;
pub use stats::stats;
pub use summary::summary;
pub use timeline::timeline;
