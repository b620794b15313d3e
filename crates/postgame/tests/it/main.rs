//! Everything that needs whole recordings: the corpus and the samples.

// A test fails by panicking, and says on standard error what it could not run on.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod corpus;
mod rumble;
mod rumble_damage;
mod rumble_model;
