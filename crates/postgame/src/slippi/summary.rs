//! To come.

/// To come.
pub fn summary(_replay: &super::Replay) -> crate::summary::Summary {
    crate::summary::Summary::default()
}
