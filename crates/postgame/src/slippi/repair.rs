//! To come.

/// To come.
pub fn repair(_replay: &mut super::Replay) -> Vec<String> {
    Vec::new()
}
