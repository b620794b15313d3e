//! Model to meaning: motion on the timeline, events, statistics, plausibility.
//!
//! - [`stats`](mod@stats): numbers about players, which events build on

mod events;
mod players;
mod probe;
pub mod stats;
mod timeline;

pub use probe::probe;
pub use stats::stats;
pub use timeline::{timeline, timeline_and_stats};
