//! Model to meaning: counts, motion on the timeline, statistics, comparison, plausibility.
//!
//! - [`classes`]: names, mods and categories of classes
//! - [`census`](mod@census): the contents of a save, counted
//! - [`compare`](mod@compare), [`history`]: two saves of a session, and all of them

pub mod census;
pub mod classes;
pub mod compare;
pub mod history;
mod probe;
mod stats;
mod timeline;

pub use census::{Census, census, census_of_blueprint};
pub use compare::{Comparison, compare};
pub use history::History;
pub use probe::{probe, probe_of_blueprint};
pub use stats::{stats, stats_of_blueprint};
pub use timeline::{timeline, timeline_of_blueprint};
