//! SQL over recordings and over data sets.
//!
//! - [`session`]: all tables, registered with DataFusion
//! - `raw`: tables of recordings, decoded while the query runs
//! - `dataset`: tables of a data set
//! - `pruning`: what the conditions of a query say about which recordings matter
//! - [`output`]: results for people and for programs
//! - [`shell`]: queries one after the other

mod dataset;
pub mod output;
mod pruning;
mod raw;
pub mod session;
pub mod shell;

pub use session::{Over, Session};
