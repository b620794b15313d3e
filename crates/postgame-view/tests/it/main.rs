//! The server from outside: what it answers, what it refuses, and what it survives.

#![allow(clippy::unwrap_used)]

mod answers;
mod apart;
mod client;
mod crowd;
mod factory;
mod refusals;
mod survival;
