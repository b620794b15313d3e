//! What the command and the Python package both do with files. The library itself opens none.
//!
//! - [`follow`]: a file that grows while it is read
//! - [`aside`]: a file that is there whole or not at all

pub mod aside;
pub mod follow;

pub use aside::write_aside;
pub use follow::Follower;
