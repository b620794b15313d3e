//! The command from the outside: what it prints and how it ends.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod commands;
mod errors;
mod export;
mod golden;
mod ingest;
#[path = "../../../postgame-tables/tests/support/moto.rs"]
mod moto;
mod object_store;
#[path = "../../../postgame-tables/tests/support/python.rs"]
mod python;
mod readme;
mod run;
mod tail;
