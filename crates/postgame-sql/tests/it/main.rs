//! Queries on the corpus and on the samples.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod answers;
mod program;
mod queries;
