//! Decodes bits to frames.
//!
//! - `stream`: a stream and everything known about it before its frames are read
//! - `frames`: one frame after the other; the hot loop
//! - `stream_reader`: all frames on one thread, skipping what cannot be read
//! - `segments`: from one keyframe to the next, on several threads
//! - `infer`: the layout of unknown attributes, if only one fits

mod frames;
mod infer;
mod segments;
mod stream;
mod stream_reader;

pub(crate) use infer::spawns_have_names;
pub(crate) use stream::{Stream, undecoded, usual_size};
