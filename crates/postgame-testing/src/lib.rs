//! Helpers shared by the tests of all crates.
//!
//! - [`corpus`]: where real recordings, samples, facts and hostile files are
//! - [`reading`]: a recording from a path, or a panic that names the path
//! - [`compare`]: the first difference between two byte strings or JSON values
//! - [`facts`]: what other people wrote about real recordings, held against what we compute
//! - [`suite`]: tests made while they run, one for each recording
//!
//! Helpers panic on failure, because a test fails by panicking.

pub mod compare;
pub mod corpus;
pub mod facts;
pub mod reading;
pub mod suite;
