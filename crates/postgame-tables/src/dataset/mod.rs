//! Data sets: all tables of many recordings as Parquet files, in folders that every tool understands.
//!
//! ```text
//! DATASET/frames/game=slippi/month=2020-07/3f2a….parquet     rows of some recordings
//! DATASET/_segments/3f2a….json                              which recordings and files belong together
//! DATASET/_aside/                                           what is being written
//! ```
//!
//! Recordings are added in segments. A segment's files are written aside, then moved to where they belong, and its
//! list is written last: what no list names was never finished, and the next run removes it. Whoever is killed leaves
//! all segments that were whole.
//!
//! - [`manifest`]: the lists
//! - [`store`]: where the files are
//! - `segment`: the rows of some recordings as files
//! - [`ingest`](mod@ingest): adding recordings

pub mod ingest;
pub mod manifest;
mod segment;
pub mod store;

pub use ingest::{IngestOptions, Outcome, ingest};
pub use manifest::{DataFile, Manifest, Segment};
pub use store::Store;

/// The columns that folders tell, so that files do not have them.
pub const PARTITIONS: [&str; 2] = ["game", "month"];

/// What stands for an unknown month: the name that readers of such folders take for null.
pub const UNKNOWN: &str = "__HIVE_DEFAULT_PARTITION__";
