//! Files as the command, the tables and the Python package use them. The library itself opens none.
//!
//! - [`follow`]: a file that grows while it is read
//! - [`aside`]: output that is there whole or not at all
//! - [`input`]: which files are opened
//! - [`known`]: where games keep their recordings
//! - [`signals`]: limits are errors
//! - [`text`]: text from files, made safe to show

pub mod aside;
pub mod follow;
pub mod input;
pub mod known;
pub mod signals;
pub mod text;

pub use aside::{AsideFile, write_aside};
pub use follow::Follower;
pub use input::Skipped;
pub use text::printable;
