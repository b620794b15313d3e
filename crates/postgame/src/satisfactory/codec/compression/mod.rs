//! The compressed part of a file: chunks of zlib data, and the memory that they are inflated into.
//!
//! - [`chunks`], `header`: finding the chunks and inflating them; `rewrite`: writing them, byte for byte while their
//!   contents are unchanged
//! - `inflate`, `zlib`: inflating many chunks; one of them
//! - `buffer`: memory for inflated bodies
//! - `sparse`: a body that is inflated on demand
//! - `mend`: chunk headers of damaged files

pub(in crate::satisfactory) mod buffer;
pub mod chunks;
mod header;
pub(in crate::satisfactory) mod inflate;
mod mend;
mod rewrite;
pub(in crate::satisfactory) mod sparse;
mod zlib;
