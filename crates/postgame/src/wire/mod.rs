//! Bytes and bits to values and back: the parts every format is built from.
//!
//! - [`bytes`]: readers and writers of whole bytes, little- or big-endian
//! - [`bits`]: readers and writers of bit streams, least significant bit first
//! - [`record`]: the [`Wire`](record::Wire) trait and the `record!` field list that implements it
//! - [`strings`]: text as games store it, kept exactly
//! - [`json`]: how values look in lossless JSON
//! - [`packed`]: compressed data that is written back as it was while its contents are unchanged

pub mod bits;
pub mod bytes;
pub mod json;
pub mod packed;
pub mod record;
pub mod strings;
