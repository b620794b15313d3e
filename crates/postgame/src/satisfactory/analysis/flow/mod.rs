//! How things flow: belts and pipes as a graph, from the connections that the save has.
//!
//! - [`graph`](mod@graph): stops (machines, splitters, containers) and the lines of belts or pipes between them
//! - [`areas`](mod@areas): machines that lines join, numbered
//! - [`route`](mod@route): the way from the resources to one item
//! - [`dot`]: a route for Graphviz

pub mod areas;
mod connections;
pub mod dot;
pub mod graph;
pub mod route;

pub use areas::areas;
pub use graph::{Graph, Line, LineKind, Stop, graph, graph_of_blueprint};
pub use route::{Route, route};
