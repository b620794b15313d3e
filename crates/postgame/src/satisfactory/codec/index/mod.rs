//! Where the objects of a body are, without decoding them.
//!
//! - `walk`: the offsets of a level's objects
//! - `skim`: the same for a body whose data is not inflated, as far as possible
//! - `skipped`: inflating that data when it is asked for

pub(in crate::satisfactory::codec) mod skim;
pub(in crate::satisfactory::codec) mod skipped;
pub(in crate::satisfactory::codec) mod walk;
