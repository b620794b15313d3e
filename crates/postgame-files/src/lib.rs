//! Where recordings come from and go to. The library itself opens no files.
//!
//! ```
//! use postgame::limits::Limits;
//! use postgame_files::Inputs;
//!
//! let mut games = Vec::new();
//! for input in Inputs::new(vec!["../../samples/*.slp".into()], Limits::default()) {
//!     let header = input?.header(&Limits::default())?;
//!     games.push(header.recording.format().game());
//! }
//! assert_eq!(games, ["Super Smash Bros. Melee"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`find`]: recordings in files, folders, patterns, archives and object stores, all in one order
//! - [`contents`]: one of them, wherever it is; [`failure`]: why it could not be read
//! - [`input`]: which files are opened
//! - [`bucket`]: object stores
//! - [`progress`]: a line on the terminal
//! - [`spool`]: members of archives that are kept
//! - [`follow`]: a file that grows while it is read
//! - [`live`]: Slippi games from a growing file or the network, with reconnection
//! - [`aside`]: output that is complete or absent
//! - [`panics`]: bugs as failures of one recording
//! - [`known`]: where games keep their recordings
//! - [`signals`]: limits are errors
//! - [`text`]: text from files, made safe to show

pub mod aside;
pub mod bucket;
pub mod contents;
pub mod failure;
pub mod find;
pub mod follow;
pub mod input;
pub mod known;
pub mod live;
pub mod panics;
pub mod progress;
mod seek;
pub mod signals;
pub mod spool;
pub mod text;

pub use aside::{AsideFile, write_aside};
pub use contents::Input;
pub use failure::Failure;
pub use find::{Inputs, the_only, walk};
pub use follow::Follower;
pub use input::Skipped;
pub use spool::Spool;
pub use text::printable;
