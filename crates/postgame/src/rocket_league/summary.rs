//! Stub.
use super::model::Replay;
/// Stub.
pub fn summary(_replay: &Replay) -> crate::summary::Summary { Default::default() }
