//! Satisfactory saves (`.sav`), blueprints (`.sbp`) and the files beside them (`.sbpcfg`), from Update 4 to 1.2.
//! The format is described in `docs/formats/satisfactory.md`.
//!
//! - [`container`]: [`read()`] and [`write()`] from end to end
//! - [`chunks`], `inflate`, `zlib`, `buffer`, `sparse`: the compressed chunks, inflating many of them, one of them, memory
//!   for what they hold, and a body that is inflated where it is looked at
//! - [`model`]: what is in the data; objects are decoded when they are asked for
//! - [`edit`]: changing a save
//! - [`classes`], [`census`](mod@census): what classes are to a player; what there is in a save, counted
//! - `stats`, [`compare`](mod@compare), [`history`], `probe`: statistics, two saves of a session, all of them, plausibility
//! - `check`, `repair`, `summary`: findings, mending, a line in a list
//! - `coords`, `timeline`: the world in the units of the timeline
//! - [`tables`], [`facts`]: what the files do not say, generated from `data/satisfactory`

mod buffer;
pub mod census;
mod check;
pub mod chunks;
pub mod classes;
pub mod compare;
pub mod container;
pub mod coords;
pub mod edit;
pub mod facts;
pub mod history;
mod inflate;
pub mod model;
mod probe;
mod repair;
mod sparse;
mod stats;
mod summary;
pub mod tables;
mod timeline;
mod zlib;

pub use census::{Census, census, census_of_blueprint};
pub use check::{check, check_blueprint, check_config};
pub use compare::{Comparison, compare};
pub use container::{
    read, read_blueprint, read_config, sniff, sniff_blueprint, sniff_config, write,
    write_blueprint, write_config,
};
pub use history::History;
pub use model::{Blueprint, BlueprintConfig, Body, Save};
pub use probe::{probe, probe_of_blueprint};
pub use repair::{repair, repair_blueprint, repair_config};
pub use stats::{stats, stats_of_blueprint};
pub use summary::{Counts, counts, summary, summary_of_blueprint, summary_of_config};
pub use timeline::{timeline, timeline_of_blueprint};

use model::basic::Id16;

/// The MD5 of some bytes.
pub(crate) fn md5(bytes: &[u8]) -> Id16 {
    use md5::Digest as _;
    Id16(md5::Md5::digest(bytes).into())
}
