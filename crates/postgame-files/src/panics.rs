//! Contains panics: a bug in one recording must neither stop a run over thousands nor silently drop rows.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::Failure;

/// Runs work on a recording; a panic becomes a failure of that recording.
///
/// The caller discards the state that the work was changing. Every profile unwinds; `cargo xtask release-test` verifies
/// it for the release.
///
/// # Errors
/// When the work panics.
pub fn caught<T>(name: &str, work: impl FnOnce() -> T) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| Failure::new(name, message(&*panic)))
}

/// A panic as a message for a person.
pub fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let text = text.unwrap_or("no reason given");
    format!("a bug in postgame, please report it: {text}")
}
