//! Stub.
use super::model::Replay;
/// Stub.
pub fn repair(_replay: &mut Replay) -> Vec<String> { Vec::new() }
