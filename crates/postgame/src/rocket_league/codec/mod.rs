//! Bytes to model and back, in the file's own terms.
//!
//! - [`container`]: the two sections and their parts, and [`read()`] and [`write()`] from end to end
//! - [`crc`]: the sections' checksum
//! - [`schema`]: the attributes of an actor, and the layout of each
//! - `decode`, `encode`: the network stream
//! - [`model`]: the replay itself
//! - [`updates`]: every update with the names of its actor and attribute
//! - `check`, `repair`, `salvage`, `summary`: findings, repair, recovery of lost tables, one line of a list

mod check;
pub mod container;
pub mod crc;
mod decode;
mod encode;
pub mod model;
mod repair;
mod salvage;
pub mod schema;
mod summary;
pub mod updates;

pub use check::check;
pub use container::{read, read_from_keyframe, sniff, write};
pub use encode::{frame_positions, stream_bits};
pub use model::Replay;
pub(crate) use repair::drop_frames;
pub use repair::repair;
pub use summary::summary;
