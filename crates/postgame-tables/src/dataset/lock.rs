//! One writer at a time.
//!
//! On disk it is an operating system lock on a file in the data set, which ends with its process. In an object store it
//! is a [`Lease`].

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::Path;

use super::LOCK;
use super::holder::Holder;
use super::lease::Lease;
use super::store::{Location, Store};

/// The exclusive right to write to a data set. It ends when this is dropped.
#[derive(Debug)]
pub(super) enum Lock<'a> {
    File(File),
    Lease(Box<Lease<'a>>),
}

impl<'a> Lock<'a> {
    /// Takes the lock of an existing data set.
    ///
    /// # Errors
    /// When the file system or the store fails, or another process has the lock and waiting is not allowed.
    pub fn take(
        store: &'a Store,
        is_waiting: bool,
        waits_for: &dyn Fn(&Holder),
    ) -> io::Result<Self> {
        match &store.place {
            Location::Folder(folder) => {
                take_file(&folder.root().join(LOCK), is_waiting, waits_for).map(Self::File)
            }
            Location::Bucket(bucket) => {
                let lease = Lease::take(bucket, store.terms, is_waiting, waits_for)?;
                Ok(Self::Lease(Box::new(lease)))
            }
        }
    }

    /// Renews a lock that expires, until it is released. Run this on its own thread.
    pub fn keep(&self) {
        if let Self::Lease(lease) = self {
            lease.keep();
        }
    }

    /// Fails once the lock is known to be lost.
    pub fn check(&self) -> io::Result<()> {
        match self {
            Self::File(_) => Ok(()),
            Self::Lease(lease) => lease.check(),
        }
    }

    /// Confirms that this process still has the lock.
    pub fn confirm(&self) -> io::Result<()> {
        match self {
            Self::File(_) => Ok(()),
            Self::Lease(lease) => lease.confirm(),
        }
    }

    /// Releases the lock.
    pub fn release(&self) {
        match self {
            // The name of the holder is no longer needed. The lock itself ends with the file.
            Self::File(file) => drop(file.set_len(0)),
            Self::Lease(lease) => lease.release(),
        }
    }
}

impl Drop for Lock<'_> {
    fn drop(&mut self) {
        self.release();
    }
}

fn take_file(path: &Path, is_waiting: bool, waits_for: &dyn Fn(&Holder)) -> io::Result<File> {
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut contents = Vec::new();
            // Without it, there is still a holder.
            drop(file.read_to_end(&mut contents));
            let holder = Holder::parse(&contents);
            if !is_waiting {
                return Err(held_by(holder.as_ref()));
            }
            if let Some(holder) = &holder {
                waits_for(holder);
            }
            file.lock()?;
        }
        Err(TryLockError::Error(error)) => {
            let message = format!("{LOCK}: this file system has no locks: {error}");
            return Err(io::Error::new(error.kind(), message));
        }
    }
    // On a full disk the holder cannot be recorded, but the lock is still valid.
    drop(describe(&mut file));
    Ok(file)
}

/// Writes the holder into its lock.
fn describe(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(&Holder::own().next_contents())
}

/// An error stating that another process writes to the data set.
pub(super) fn held_by(holder: Option<&Holder>) -> io::Error {
    let who = holder.map_or("another process".to_owned(), ToString::to_string);
    let message = format!("{who}, is writing to this data set: try again later, or use --wait");
    io::Error::new(io::ErrorKind::WouldBlock, message)
}
