//! A panic is a bug of ours; a folder of thousands must neither stop at it nor leave rows out without a word.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::input::Failure;

/// Does some work on a recording; a panic in it becomes a failure of that recording.
///
/// Whoever calls this throws away what the work was changing. (Where panics end the program, as in a release of the
/// command, there is nothing to catch.)
pub(crate) fn caught<T>(name: &str, work: impl FnOnce() -> T) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        let text = text.unwrap_or_else(|| "no reason given".to_owned());
        Failure::new(name, format!("a bug in postgame, please report it: {text}"))
    })
}
