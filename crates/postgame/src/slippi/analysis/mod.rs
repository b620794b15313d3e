//! Model to meaning: motion on the timeline, events, statistics, plausibility.
//!
//! - [`stats`](mod@stats): numbers about players, which events build on
//! - [`clips`]: moments worth watching again; [`edgeguards`](mod@edgeguards): fights over the way back to the stage
//! - [`hits`]: hits taken, and what the victim made of them
//! - [`techniques`]: what players do, and how well it is timed
//! - [`controllers`]: kinds of controllers, and tournament rules for them
//! - [`sets`]: games as plain values, and sets of them
//! - [`learning`]: games as columns for machine learning
//! - [`clock`], [`stadium`]: what the game shows: its clock, results of single-player modes
//! - `lane`: one character's columns by frame

pub mod clips;
pub mod clock;
pub mod controllers;
pub mod edgeguards;
mod events;
pub mod hits;
mod lane;
pub mod learning;
mod players;
mod probe;
pub mod sets;
pub mod stadium;
pub mod stats;
pub mod techniques;
mod timeline;

pub use probe::probe;
pub use stats::stats;
pub use timeline::{timeline, timeline_and_stats};
