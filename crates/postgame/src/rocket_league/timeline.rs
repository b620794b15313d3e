//! Stub.
use super::model::Replay;
/// Stub.
pub fn timeline(_replay: &Replay) -> crate::timeline::Timeline { Default::default() }
