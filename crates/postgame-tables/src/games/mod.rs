//! The tables of single games.
//!
//! - [`rocket_league`], [`rocket_league_updates`]: what moves; and every attribute as the file has it
//! - [`slippi`], [`slippi_frames`]: items, conversions, combos, moves; and all of every frame
//! - [`satisfactory`], [`satisfactory_contents`]: objects and properties; inventories, belts and circuits
//! - [`rumble`]: players and structures
//! - `rocket_league_batch`: rows of attributes on their way into columns
//! - `samples`: values of the timeline at given times

pub mod rocket_league;
mod rocket_league_batch;
pub mod rocket_league_updates;
pub mod rumble;
pub(crate) mod samples;
pub mod satisfactory;
pub mod satisfactory_contents;
pub mod slippi;
pub mod slippi_frames;
