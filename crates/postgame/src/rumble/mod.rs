//! RUMBLE replays: both generations of `.replay`, and `.rr`. The format is described in `docs/formats/rumble.md`.
//!
//! - [`codec`]: bytes to model and back: container, model, check, repair, summary
//! - [`analysis`]: model to meaning: timeline, events, statistics, plausibility
//! - [`coords`]: the game's space and the timeline's
//! - [`tables`]: the game's names, generated from `data/rumble`

pub mod analysis;
pub mod codec;
pub mod coords;
pub mod tables;

pub use analysis::{probe, stats, timeline};
pub(crate) use codec::is_empty;
pub use codec::{
    Replay, archive, check, container, model, read, repair, rr, sniff, summary, write,
};
