//! Stub.
use super::model::Replay;
/// Stub.
pub fn check(_replay: &Replay, _report: &mut crate::report::Report) {}
