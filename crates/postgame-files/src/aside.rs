//! Files that are there whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes a file beside its place first, so that a failure leaves what was there.
///
/// # Errors
/// What `write` says, and what `failed` makes of the file system's own errors.
pub fn write_aside<E>(
    path: &Path,
    failed: impl Fn(io::Error) -> E,
    write: impl FnOnce(&mut (dyn Write + Send)) -> Result<(), E>,
) -> Result<(), E> {
    let mut name = path.file_name().map(OsString::from).unwrap_or_default();
    name.push(format!(".{}.part", std::process::id()));
    let aside = path.with_file_name(name);
    let written = || -> Result<(), E> {
        let file = File::create(&aside).map_err(&failed)?;
        let mut output = BufWriter::with_capacity(1 << 16, file);
        write(&mut output)?;
        output.flush().map_err(&failed)?;
        fs::rename(&aside, path).map_err(&failed)
    };
    written().inspect_err(|_| drop(fs::remove_file(&aside)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_leaves_what_was_there() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("file");
        let same = |error: io::Error| error;
        write_aside(&path, same, |output| output.write_all(b"old"))?;
        let failed = write_aside(&path, same, |output| {
            output.write_all(b"new")?;
            Err(io::Error::other("no"))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read(&path)?, b"old");
        assert_eq!(fs::read_dir(folder.path())?.count(), 1);
        Ok(())
    }
}
