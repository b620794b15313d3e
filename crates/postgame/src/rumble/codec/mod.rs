//! Bytes to model and back, in the file's own terms.
//!
//! - [`container`]: the data's wrapping, and [`read()`] and [`write()`] from end to end
//! - [`archive`]: the ZIP archive of the second generation, kept byte for byte
//! - [`model`]: the recording itself
//! - `check`, `repair`, `summary`: findings, mending, a line in a list

pub mod archive;
mod check;
pub mod container;
pub mod model;
mod repair;
mod summary;

pub use check::check;
pub use container::{read, sniff, write};
pub use model::Replay;
pub use repair::repair;
pub use summary::summary;
