//! Files in object stores: `s3://BUCKET/PREFIX`, with the usual environment variables (`AWS_ACCESS_KEY_ID`,
//! `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`, `AWS_REGION`, `AWS_ENDPOINT_URL`, `AWS_ALLOW_HTTP`).
//!
//! - `s3`: with the feature `s3`, what such a store can do
//! - `absent`: without it, the same functions, of which opening says that there are none
//! - `object`: one file of it, read from wherever it is wanted
//! - `ahead`: whole files, sent for before they are wanted

#[cfg(not(feature = "s3"))]
mod absent;
mod ahead;
mod object;
#[cfg(feature = "s3")]
mod s3;

#[cfg(not(feature = "s3"))]
pub use absent::Bucket;
pub use ahead::Ahead;
pub use object::{Object, ObjectReader};
#[cfg(feature = "s3")]
pub use s3::Bucket;

use std::io::{self, BufWriter, Write};
use std::path::Path;

/// How an address of an object store begins.
const SCHEME: &str = "s3://";

/// The address of an object store that a path is, if it is one.
pub fn address(path: &Path) -> Option<&str> {
    path.to_str().filter(|path| path.starts_with(SCHEME))
}

/// A file that a store lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its place below the part of the bucket that is listed; empty when that is a file itself.
    pub path: String,
    /// Its size.
    pub bytes: u64,
}

/// Writes a file of an object store: it is there when all of it was written. Until then it is on disk, without a name.
///
/// # Errors
/// What `write` says, and what `failed` makes of the store's and the file system's own errors.
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
