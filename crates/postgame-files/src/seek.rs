//! Positions in data of a known size.

use std::io::{self, SeekFrom};

/// The position that a seek leads to.
///
/// # Errors
/// When it is before the start.
pub(crate) fn target(to: SeekFrom, position: u64, bytes: u64) -> io::Result<u64> {
    let target = match to {
        SeekFrom::Start(target) => Some(target),
        SeekFrom::End(offset) => bytes.checked_add_signed(offset),
        SeekFrom::Current(offset) => position.checked_add_signed(offset),
    };
    target.ok_or_else(|| io::ErrorKind::InvalidInput.into())
}
