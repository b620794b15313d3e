//! Bytes to model and back, in the file's own terms.
//!
//! - [`container`]: the outer layers, and [`read()`] and [`write()`] from end to end
//! - [`archive`]: the ZIP archive of the second generation, kept byte for byte
//! - [`model`]: the recording itself
//! - [`rr`]: the `.rr` files of another recorder
//! - `check`, `repair`, `summary`: findings, repair, one line of a list

pub mod archive;
mod check;
pub mod container;
pub mod model;
mod repair;
pub mod rr;
mod summary;

pub use check::check;
pub use container::{read, sniff, write};
pub use model::Replay;
pub(crate) use repair::is_empty;
pub use repair::repair;
pub use summary::summary;
