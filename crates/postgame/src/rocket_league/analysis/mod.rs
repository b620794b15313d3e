//! Model to meaning: motion on the timeline, events, statistics, plausibility.
//!
//! `demolitions` reads a demolition in whichever of its three forms a version stores it.

mod demolitions;
mod events;
mod info;
mod probe;
mod stats;
mod timeline;

pub use info::{Camera, MatchInfo, PlayerInfo, SeasonInfo, full_summary, match_info};
pub use probe::probe;
pub use stats::stats;
pub use timeline::timeline;
