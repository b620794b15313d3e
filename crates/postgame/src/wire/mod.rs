//! Bytes and bits to values and back: the building blocks of every format.
//!
//! Private: the types of the models hide it.
//!
//! - [`bytes`]: readers and writers of whole bytes, little- or big-endian
//! - [`bits`]: readers and writers of bit streams, least significant bit first
//! - [`record`]: the [`Wire`](record::Wire) trait and the `record!` field list that implements it
//! - [`strings`]: text as games store it, kept exactly
//! - [`json`]: the lossless JSON form of values
//! - [`packed`]: compressed data that is written back byte for byte while its contents are unchanged

pub mod bits;
pub mod bytes;
pub mod json;
#[cfg(feature = "rumble")]
pub mod packed;
pub mod record;
pub mod strings;
