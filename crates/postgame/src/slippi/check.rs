//! To come.

/// To come.
pub fn check(_replay: &super::Replay, _report: &mut crate::report::Report) {}
