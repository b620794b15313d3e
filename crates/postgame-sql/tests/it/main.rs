//! Queries on the corpus and on the samples.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod answers;
#[path = "../../../postgame-tables/tests/support/moto.rs"]
mod moto;
mod object_store;
mod program;
#[path = "../../../postgame-tables/tests/support/python.rs"]
mod python;
mod queries;
