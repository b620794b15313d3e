//! The server from outside: what it answers, what it refuses, and what it survives.

mod answers;
mod client;
mod factory;
mod refusals;
mod survival;
