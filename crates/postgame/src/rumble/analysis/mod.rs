//! Model to meaning: motion on the timeline, events, statistics, plausibility.

mod events;
mod probe;
mod stats;
mod timeline;

pub use probe::probe;
pub use stats::stats;
pub use timeline::timeline;
