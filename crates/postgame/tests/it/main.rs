//! Tests of single games, with samples and with the corpus. What holds of every recording is in the target `corpus`.

// A test fails by panicking, and says on standard error what it could not run on.
#![allow(clippy::unwrap_used, clippy::print_stderr, clippy::print_stdout)]
// Tables of expected values are written out where they are used.
#![allow(clippy::type_complexity)]

mod architecture;
mod corpus;
mod examples;
mod rocket_league;
mod rocket_league_stats;
mod rumble_check;
mod rumble_damage;
mod rumble_events;
mod rumble_gltf;
mod rumble_model;
mod rumble_newest;
mod rumble_rr;
mod satisfactory;
mod satisfactory_factory;
mod satisfactory_stats;
mod slippi;
mod slippi_stats;
mod tour;
