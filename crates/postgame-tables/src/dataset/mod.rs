//! Data sets: all tables of many recordings as Parquet files, in folders that every tool understands.
//!
//! ```text
//! DATASET/_postgame.json                                    the marker: this folder is a data set
//! DATASET/frames/game=slippi/month=2020-07/3f2a….parquet    rows of some recordings
//! DATASET/_segments/3f2a….json                              which recordings and files belong together
//! DATASET/_journal/3f2a….json                               files that a run is about to publish
//! DATASET/_aside/                                           files that are being written
//! DATASET/_lock                                             who is writing
//! ```
//!
//! Recordings are added in segments. A journal names a segment's files before they are published. They are written aside,
//! then moved to where they belong, and the segment's list is written last, when all of them are on disk. A run that is
//! killed leaves the segments that were whole; the next run removes the files that its journals name and no list does.
//! Other files are never touched. docs/reliability.md has the guarantees and how they are tested.
//!
//! - [`manifest`]: the lists
//! - [`store`]: where the files are; `folder`: on disk; `files`: the operations there
//! - `owner`: which folders are data sets
//! - `lock`, `lease`, [`holder`]: one writer at a time
//! - `writer`: journals, lists, removing what was not finished
//! - `segment`: the rows of some recordings as files
//! - [`ingest`](mod@ingest): adding recordings; `work`: on several threads; [`outcome`]: what became of them

#[cfg(test)]
mod faults;
mod files;
mod folder;
pub mod holder;
pub mod ingest;
mod lease;
mod lock;
pub mod manifest;
pub mod outcome;
mod owner;
mod segment;
pub mod store;
mod work;
mod writer;

pub use ingest::{IngestOptions, ingest};
pub use manifest::{Damage, DataFile, Manifest, Segment};
pub use outcome::{IngestError, Outcome};
pub use store::Store;

/// The file that marks a data set.
const MARKER: &str = "_postgame.json";

/// The file that the lock is on.
const LOCK: &str = "_lock";

/// Where the lists are.
const SEGMENTS: &str = "_segments";

/// Where the journals are.
const JOURNAL: &str = "_journal";

/// Where files are written before they are moved to where they belong.
const ASIDE: &str = "_aside";

/// The columns that folders tell, so that files do not have them.
pub const PARTITIONS: [&str; 2] = ["game", "month"];

/// What stands for an unknown month: the name that readers of such folders take for null.
pub const UNKNOWN: &str = "__HIVE_DEFAULT_PARTITION__";
