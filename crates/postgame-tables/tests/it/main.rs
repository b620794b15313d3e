//! Tables of the samples and of the corpus.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod corpus;
#[path = "../support/python.rs"]
mod python;
mod readers;
mod scans;
mod values;
