//! Rocket League replays. The format is described in `docs/formats/rocket-league.md`.
//!
//! - [`codec`]: bytes to model and back: container, network stream, model, check, repair, summary
//! - [`analysis`]: model to meaning: timeline, events, statistics, plausibility
//! - [`coords`]: the game's space and the timeline's
//! - [`tables`]: the game's names, generated from `data/rocket_league`

pub mod analysis;
pub mod codec;
pub mod coords;
pub mod tables;

pub use analysis::{MatchInfo, full_summary, match_info, probe, stats, timeline};
pub(crate) use codec::drop_frames;
pub use codec::{
    Replay, check, container, crc, frame_positions, model, read, read_from_keyframe, repair,
    schema, sniff, stream_bits, summary, updates, write,
};
