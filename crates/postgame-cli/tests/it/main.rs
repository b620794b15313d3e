//! The command from the outside: what it prints and how it ends.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod attack;
mod commands;
#[cfg(unix)]
mod datasets;
mod errors;
mod export;
#[cfg(unix)]
mod files;
mod golden;
mod ingest;
mod inputs;
#[path = "../../../postgame-tables/tests/support/moto.rs"]
mod moto;
mod object_store;
#[cfg(feature = "test-panic")]
mod panics;
#[path = "../../../postgame-tables/tests/support/python.rs"]
mod python;
mod readme;
mod run;
mod satisfactory;
mod tail;
