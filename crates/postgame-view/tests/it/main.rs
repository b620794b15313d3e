//! The server from outside: what it answers, what it refuses, and what it survives.

#![allow(clippy::unwrap_used)]

mod answers;
mod client;
mod factory;
mod refusals;
mod survival;
