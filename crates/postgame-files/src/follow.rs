//! A file that grows while it is read.

use std::fs::{File, Metadata};
use std::io::{self, Read as _, Seek as _};
use std::path::PathBuf;
use std::time::Duration;

use crate::input::Kind;

/// Interval between reads: half a frame.
pub const PAUSE: Duration = Duration::from_millis(8);

/// Maximum wait after a game's end, for the metadata that its recorder still writes.
pub const GRACE: Duration = Duration::from_secs(2);

/// A file that may grow, shrink, or be replaced by another of the same name.
#[derive(Debug)]
pub struct Follower {
    path: PathBuf,
    file: File,
    position: u64,
}

impl Follower {
    /// Opens a file at its beginning.
    ///
    /// # Errors
    /// When the file system fails, and for anything but a regular file.
    pub fn open(path: impl Into<PathBuf>) -> io::Result<Self> {
        let path = path.into();
        match Kind::of(&path)? {
            Kind::Regular => {}
            Kind::Folder => return Err(io::Error::from(io::ErrorKind::IsADirectory)),
            Kind::Fifo | Kind::Socket | Kind::Device => {
                let message = "this is not a regular file, so it cannot be followed";
                return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
            }
        }
        let file = File::open(&path)?;
        Ok(Self {
            path,
            file,
            position: 0,
        })
    }

    /// Reads bytes that were added since the last call, up to the size of the buffer; returns 0 if there are none.
    ///
    /// # Errors
    /// When the file system fails.
    pub fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.position += count as u64;
        Ok(count)
    }

    /// True if the bytes that were read are no longer the file's beginning, or if the name now belongs to another file,
    /// which is then opened. A removed name changes nothing: the file itself still exists.
    ///
    /// # Errors
    /// When the file system fails.
    pub fn has_begun_anew(&mut self) -> io::Result<bool> {
        let own = self.file.metadata()?;
        if let Ok(named) = std::fs::metadata(&self.path)
            && !is_same(&own, &named)
        {
            *self = Self::open(self.path.clone())?;
            return Ok(true);
        }
        if own.len() < self.position {
            self.file.rewind()?;
            self.position = 0;
            return Ok(true);
        }
        Ok(false)
    }
}

#[cfg(unix)]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Systems without file numbers: the time of creation.
#[cfg(not(unix))]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    match (one.created(), other.created()) {
        (Ok(one), Ok(other)) => one == other,
        _ => true,
    }
}
