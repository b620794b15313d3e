//! Files in object stores: `s3://BUCKET/PREFIX`, with the usual environment variables (`AWS_ACCESS_KEY_ID`,
//! `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`, `AWS_REGION`, `AWS_ENDPOINT_URL`, `AWS_ALLOW_HTTP`).
//!
//! - `s3`: the operations of a store, with the feature `s3`
//! - `absent`: the same functions without that feature; opening a store fails
//! - `object`: one file, read at any offset
//! - `ahead`: prefetching whole files

#[cfg(not(feature = "s3"))]
mod absent;
mod ahead;
mod object;
#[cfg(feature = "s3")]
mod s3;

#[cfg(not(feature = "s3"))]
pub use absent::{Bucket, Version};
pub use ahead::Ahead;
pub use object::{Object, ObjectReader};
#[cfg(feature = "s3")]
pub use s3::{Bucket, Version};

use std::io::{self, BufWriter, Write};
use std::path::Path;

/// The start of an object store's address.
const SCHEME: &str = "s3://";

/// The object store address in a path, if it is one.
pub fn address(path: &Path) -> Option<&str> {
    path.to_str().filter(|path| path.starts_with(SCHEME))
}

/// A file in a store's listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its path below the listed part of the bucket; empty if that is a file itself.
    pub path: String,
    /// Its size.
    pub bytes: u64,
}

/// Writes a file of an object store. It appears once all of it is written; until then it is a nameless file on disk.
///
/// # Errors
/// The error of `write`, or `failed` applied to an error of the store or the file system.
pub fn write_file<E>(
    address: &str,
    failed: impl Fn(io::Error) -> E,
    write: impl FnOnce(&mut (dyn Write + Send)) -> Result<(), E>,
) -> Result<(), E> {
    let bucket = Bucket::open(address).map_err(&failed)?;
    let file = bucket.scratch().map_err(&failed)?;
    let mut output = BufWriter::with_capacity(1 << 16, &file);
    write(&mut output)?;
    output.flush().map_err(&failed)?;
    drop(output);
    bucket.write("", file).map_err(&failed)
}
