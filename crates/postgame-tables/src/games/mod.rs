//! The tables of single games.
//!
//! - [`rocket_league`], [`rocket_league_updates`]: what moves; and every attribute as the file has it
//! - [`rocket_league_matches`]: what a match was and who played it
//! - [`slippi`], [`slippi_frames`]: items, conversions, combos, moves; and all of every frame
//! - [`slippi_games`], [`slippi_hits`], [`slippi_techniques`]: games, players and controllers; hits taken; techniques
//! - [`satisfactory`], [`satisfactory_contents`]: objects and properties; inventories, belts and circuits
//! - [`satisfactory_factory`], [`satisfactory_flow`], [`satisfactory_world`]: machines and what they make; belts and pipes
//!   between them; nodes and collectibles
//! - [`satisfactory_figures`]: figures to follow over a session, and the machines of each circuit
//! - [`rumble`]: players and structures
//! - `rocket_league_batch`: rows of attributes on their way into columns
//! - `samples`: values of the timeline at given times

pub mod rocket_league;
mod rocket_league_batch;
pub mod rocket_league_matches;
pub mod rocket_league_updates;
pub mod rumble;
pub(crate) mod samples;
pub mod satisfactory;
pub mod satisfactory_contents;
pub mod satisfactory_factory;
pub mod satisfactory_figures;
pub mod satisfactory_flow;
pub mod satisfactory_world;
pub mod slippi;
pub mod slippi_frames;
pub mod slippi_games;
pub mod slippi_hits;
pub mod slippi_learning;
pub mod slippi_techniques;
