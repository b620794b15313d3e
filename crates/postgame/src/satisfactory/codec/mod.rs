//! Bytes to model and back, in the file's own terms.
//!
//! - [`container`]: [`read()`] and [`write()`] from end to end
//! - [`compression`]: the compressed chunks, inflated and written back
//! - `layout`: the sizes and flags of a level in each version
//! - `index`: where the objects of a body are
//! - [`decode`]: an object's bytes to values, on demand
//! - [`model`]: the values
//! - [`edit`], [`property_path`]: changing a save; values by path
//! - `check`, `repair`, `summary`: findings, repair, one line of a list

mod check;
pub mod compression;
pub mod container;
pub mod decode;
pub mod edit;
mod index;
mod layout;
pub mod model;
pub mod property_path;
mod repair;
pub(in crate::satisfactory) mod summary;

pub use check::{check, check_blueprint, check_config};
pub use compression::chunks;
pub use container::{
    read, read_blueprint, read_config, sniff, sniff_blueprint, sniff_config, write,
    write_blueprint, write_config,
};
pub use model::{Blueprint, BlueprintConfig, Body, Save};
pub(crate) use repair::{is_empty, is_empty_blueprint};
pub use repair::{repair, repair_blueprint, repair_config};
pub use summary::{Counts, counts, summary, summary_of_blueprint, summary_of_config};

use model::basic::Id16;

/// The MD5 digest of some bytes, in the form of a save's header.
pub(crate) fn md5(bytes: &[u8]) -> Id16 {
    use md5::Digest as _;
    Id16(md5::Md5::digest(bytes).into())
}
