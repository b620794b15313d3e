//! To come.

/// To come.
pub fn timeline(_replay: &super::Replay) -> crate::timeline::Timeline {
    crate::timeline::Timeline::default()
}
