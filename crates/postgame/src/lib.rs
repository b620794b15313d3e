//! Postgame reads what games leave behind (Rocket League, Slippi and RUMBLE replays, Satisfactory saves and
//! blueprints), writes it back unchanged, checks it, and explains what happened.
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
//! let analysis = recording.analysis();
//! let head = analysis.timeline().of_kind("head").next().ok_or("no head")?;
//! let [_, height_m, _] = head.position(10.0).ok_or("absent")?;
//! assert!((1.0..2.5).contains(&height_m));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Bytes in, values out: this crate opens no files, prints nothing, starts no threads and has no `unsafe` code.
//!
//! # Contents
//!
//! | to do this | use |
//! |---|---|
//! | read, write, check or repair a recording of any game | [`read`], [`Recording`], [`ReadOptions`] |
//! | list many recordings quickly | [`read_header`], [`Recording::summary`] |
//! | find out what moved and happened | [`Recording::analysis`], [`timeline`] |
//! | get statistics; check plausibility | [`stats`], [`probe`] |
//! | export an animation for Blender | [`gltf`] |
//! | find out what is wrong with a file | [`Report`], [`Error`], [`repair`] |
//! | limit memory | [`limits`] |
//! | read every update of a Rocket League replay | [`rocket_league::updates`] |
//! | read a Slippi port frame by frame, or a game in progress | [`slippi::model::ports`], [`slippi::live`] |
//! | read or change a Satisfactory save | [`satisfactory::property_path`], [`satisfactory::edit`] |
//! | read the frames of a RUMBLE replay | [`rumble::model`] |
//!
//! `docs/rust.md` in the repository is a tour in ten snippets, and `examples/` has six short programs.
//!
//! # Features
//!
//! Each game is a feature: `rocket-league`, `rumble`, `satisfactory`, `slippi`, all on by default. Without a feature, the
//! game's recordings are not recognised, its module is missing, and its dependencies are not compiled. [`Recording`] and
//! [`Format`] have a variant for every game regardless.
//!
//! `parallel` decodes one recording on several threads, if the caller is in a Rayon pool that has them; the result is
//! the same.

// Without a game, helpers that only it uses are dead, and arms that match its recordings are unreachable.
#![cfg_attr(
    not(all(
        feature = "rocket-league",
        feature = "rumble",
        feature = "satisfactory",
        feature = "slippi"
    )),
    allow(
        dead_code,
        unused_imports,
        unused_macros,
        unreachable_patterns,
        rustdoc::broken_intra_doc_links
    )
)]

mod absent;
pub mod analysis;
pub mod digest;
pub mod error;
pub mod format;
pub mod gltf;
pub mod limits;
pub mod probe;
pub mod recording;
pub mod repair;
pub mod report;
#[cfg(feature = "rocket-league")]
pub mod rocket_league;
#[cfg(feature = "rumble")]
pub mod rumble;
#[cfg(feature = "satisfactory")]
pub mod satisfactory;
#[cfg(feature = "slippi")]
pub mod slippi;
pub mod stats;
pub mod summary;
mod threads;
pub mod timeline;
mod vectors;
mod wire;

#[cfg(not(feature = "rocket-league"))]
use absent::rocket_league;
#[cfg(not(feature = "rumble"))]
use absent::rumble;
#[cfg(not(feature = "satisfactory"))]
use absent::satisfactory;
#[cfg(not(feature = "slippi"))]
use absent::slippi;

pub use analysis::Analysis;
pub use digest::sha256;
pub use error::{Error, Result};
pub use format::Format;
pub use recording::{Depth, ReadOptions, Recording, read, read_header};
pub use repair::{Loss, Repair, RepairStep, Verdict};
pub use report::{Finding, Report, Severity};
pub use summary::Summary;
pub use wire::json::Bytes;
