//! SQL over recordings and over data sets.
//!
//! - [`session`]: all tables, registered with DataFusion
//! - `raw`: tables of recordings, decoded while the query runs
//! - `dataset`: tables of a data set
//! - `pruning`: the recordings that a query's conditions select
//! - [`output`]: results for people and for programs
//! - [`shell`]: interactive queries

mod dataset;
pub mod output;
mod pruning;
mod raw;
pub mod session;
pub mod shell;

pub use session::{Over, Session};
