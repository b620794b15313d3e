//! The file operations that change a data set on disk.
//!
//! They are few, and behind a trait, so that tests can make any of them fail and cut the power after it.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use postgame_files::aside::sync_folder;

/// Changes to a file system.
pub(super) trait Files: fmt::Debug + Send + Sync {
    /// Creates a folder in an existing one. An existing folder is fine.
    fn create_folder(&self, path: &Path) -> io::Result<()>;

    /// Creates an empty file.
    fn create(&self, path: &Path) -> io::Result<File>;

    /// Writes bytes to a file that was created.
    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<usize>;

    /// Waits until the contents of a file are on disk.
    fn sync(&self, path: &Path) -> io::Result<()>;

    /// Waits until the names in a folder are on disk.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;

    /// Renames a file, replacing an existing one.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;
}

/// The file system itself.
#[derive(Debug)]
pub(super) struct Disk;

impl Files for Disk {
    fn create_folder(&self, path: &Path) -> io::Result<()> {
        match fs::create_dir(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
            created => created,
        }
    }

    fn create(&self, path: &Path) -> io::Result<File> {
        File::create(path)
    }

    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<usize> {
        file.write(bytes)
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        sync_folder(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }
}
