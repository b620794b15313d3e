//! Contains panics: a bug in one recording must neither stop a run over thousands nor silently drop rows.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::input::Failure;

/// Runs work on a recording; a panic becomes a failure of that recording.
///
/// The caller discards the state that the work was changing. Every profile unwinds; `cargo xtask release-test` verifies
/// it for the release.
pub(crate) fn caught<T>(name: &str, work: impl FnOnce() -> T) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        let text = text.unwrap_or_else(|| "no reason given".to_owned());
        Failure::new(name, format!("a bug in postgame, please report it: {text}"))
    })
}
