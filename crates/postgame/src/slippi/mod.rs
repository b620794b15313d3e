//! Slippi replays of Super Smash Bros. Melee, every version. The format is described in `docs/formats/slippi.md`.
//!
//! - [`codec`]: bytes to model and back: container, model, check, repair, summary, live reading
//! - [`analysis`]: model to meaning: timeline, events, statistics, plausibility
//! - [`coords`]: the game's plane and the timeline's space
//! - [`states`], [`stages`], [`names`]: the meaning of the game's numbers, looked up in [`tables`], which is generated from
//!   `data/slippi`

pub mod analysis;
pub mod codec;
pub mod coords;
pub mod names;
pub mod stages;
pub mod states;
pub mod tables;

pub use analysis::{
    clips, clock, controllers, edgeguards, hits, learning, probe, sets, stadium, stats, techniques,
    timeline, timeline_and_stats,
};
pub(crate) use codec::has_short_header;
pub use codec::{
    Replay, check, container, header, live, model, outcome, read, read_header, repair, slpz, sniff,
    strings, summary, ubjson, write,
};
