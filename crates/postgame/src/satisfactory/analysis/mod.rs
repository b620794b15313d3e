//! Model to meaning: counts, motion on the timeline, statistics, comparison, plausibility.
//!
//! - [`classes`]: names, mods and categories of classes
//! - [`blueprint`]: what a blueprint costs by its parts
//! - [`census`](mod@census): the contents of a save, counted
//! - [`plan`](mod@plan): a save for planners
//! - [`production`]: what machines make and use, and the power they take
//! - [`collectibles`](mod@collectibles): each thing to be found, found or left
//! - [`flow`]: belts and pipes as a graph, and the way to an item
//! - [`nodes`](mod@nodes): resource nodes, wells and geysers
//! - [`progress`](mod@progress): phases, milestones, recipes, and what the next steps need
//! - [`compare`](mod@compare), [`figures`](mod@figures), [`history`]: two saves of a session, a save's figures to follow over
//!   time, and all saves on one timeline

pub mod blueprint;
pub mod census;
pub mod classes;
pub mod collectibles;
pub mod compare;
pub mod figures;
pub mod flow;
pub mod history;
pub mod nodes;
pub mod plan;
mod probe;
pub mod production;
pub mod progress;
mod stats;
mod timeline;

pub use census::{Census, census, census_of_blueprint};
pub use compare::{Comparison, compare};
pub use figures::{Figures, figures};
pub use history::History;
pub use probe::{probe, probe_of_blueprint};
pub use stats::{stats, stats_of_blueprint};
pub use timeline::{timeline, timeline_of_blueprint};
