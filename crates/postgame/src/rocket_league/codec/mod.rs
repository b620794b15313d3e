//! Bytes to model and back, in the file's own terms.
//!
//! - [`container`]: the two sections and their parts, and [`read()`] and [`write()`] from end to end
//! - [`crc`]: the sections' checksum
//! - [`schema`]: which attributes an actor has, and how each is stored
//! - `decode`, `encode`: the network stream
//! - [`model`]: the replay itself
//! - `check`, `repair`, `summary`: findings, mending, a line in a list

mod check;
pub mod container;
pub mod crc;
mod decode;
mod encode;
pub mod model;
mod repair;
pub mod schema;
mod summary;

pub use check::check;
pub use container::{read, read_from_keyframe, sniff, write};
pub use encode::{frame_positions, stream_bits};
pub use model::Replay;
pub use repair::repair;
pub use summary::summary;
