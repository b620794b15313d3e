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
//! Recordings are added in segments. A journal lists a segment's files before they are published. They are written
//! aside, then moved into place, and the segment's list is written last, when all of them are on disk. After a kill
//! only complete segments remain; the next run removes files that are in its journals but in no list. Other files are
//! never touched. docs/reliability.md has the guarantees and their tests.
//!
//! - [`manifest`]: the lists
//! - [`store`]: access to the files; `folder`: on disk; `files`: the operations there
//! - `owner`: recognises data sets
//! - `lock`, `lease`, [`holder`]: one writer at a time
//! - `writer`: journals, lists, cleaning up after interrupted runs
//! - `segment`: the rows of some recordings as files
//! - [`ingest`](mod@ingest): adding recordings; `work`: its threads; [`outcome`]: its result

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

/// The lock file.
const LOCK: &str = "_lock";

/// The folder of the lists.
const SEGMENTS: &str = "_segments";

/// The folder of the journals.
const JOURNAL: &str = "_journal";

/// The folder for files that are being written.
const ASIDE: &str = "_aside";

/// The columns encoded in folder names, which files therefore do not have.
pub const PARTITIONS: [&str; 2] = ["game", "month"];

/// The folder name for an unknown month, which readers of such folders treat as null.
pub const UNKNOWN: &str = "__HIVE_DEFAULT_PARTITION__";
