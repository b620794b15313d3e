//! The command from the outside: what it prints and how it ends.

#![allow(clippy::unwrap_used)]

mod commands;
mod errors;
mod export;
mod golden;
mod ingest;
mod readme;
mod run;
mod tail;
