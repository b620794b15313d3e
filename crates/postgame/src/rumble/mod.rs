//! RUMBLE replays, both generations. The format is described in `docs/formats/rumble.md`.
//!
//! - [`container`]: what is around the data, and [`read()`] and [`write()`] from end to end
//! - [`archive`]: the ZIP archive of the second generation, kept byte for byte
//! - [`model`]: what is in the data
//! - `check`, `repair`, `summary`: findings, mending, a line in a list
//! - `coords`, `timeline`, `events`: motion in the units of the timeline, and what happened
//! - `stats`, `probe`: numbers about it, and whether it can be true
//! - [`tables`]: the game's names, generated from `data/rumble`

pub mod archive;
mod check;
pub mod container;
pub mod coords;
mod events;
pub mod model;
mod probe;
mod repair;
mod stats;
mod summary;
pub mod tables;
mod timeline;

pub use check::check;
pub use container::{read, sniff, write};
pub use model::Replay;
pub use probe::probe;
pub use repair::repair;
pub use stats::stats;
pub use summary::summary;
pub use timeline::timeline;
