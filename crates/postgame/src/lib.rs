//! Postgame reads what games leave behind: replays and saves, every bit of them, and writes them back unchanged.
//!
//! ```
//! use postgame::{ReadOptions, Recording};
//!
//! let bytes = std::fs::read("../../samples/bout.replay")?;
//! let (recording, report) = postgame::read(&bytes, &ReadOptions::default())?;
//! assert!(report.is_clean());
//! assert_eq!(recording.write()?, bytes);
//!
//! // One timeline for all games: seconds, metres, right-handed, Y up.
//! let timeline = recording.timeline();
//! let head = timeline.find("Ada head").and_then(|id| timeline.entity(id)).unwrap();
//! let [_, height_m, _] = head.position(10.0).unwrap();
//! assert!((1.0..2.5).contains(&height_m));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Bytes in, values out: this crate opens no files, prints nothing, starts no threads and has no `unsafe` code.
//! [`read`] finds the format by content and gives a [`Recording`] with a [`Report`] of findings;
//! [`Recording::write`] gives the file, [`Recording::write_json`] a text form that loses nothing,
//! [`Recording::timeline`] what moves and happens.

pub mod analysis;
pub mod error;
pub mod format;
pub mod gltf;
pub mod limits;
pub mod probe;
pub mod recording;
pub mod repair;
pub mod report;
pub mod rocket_league;
pub mod rumble;
pub mod satisfactory;
pub mod slippi;
pub mod stats;
pub mod summary;
mod threads;
pub mod timeline;
pub mod wire;

pub use analysis::Analysis;
pub use error::{Error, Result};
pub use format::Format;
pub use recording::{Depth, ReadOptions, Recording, read, read_header};
pub use repair::{Loss, Repair, RepairStep, Verdict};
pub use report::{Finding, Report, Severity};
pub use summary::Summary;
