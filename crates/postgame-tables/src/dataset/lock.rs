//! One writer at a time.
//!
//! On disk the lock is the system's own, on a file in the data set: it ends with its process, however that ends. In an
//! object store it is a [`Lease`].

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::Path;

use super::LOCK;
use super::holder::Holder;
use super::lease::Lease;
use super::store::{Place, Store};

/// The right to write to a data set. It ends when this is dropped.
#[derive(Debug)]
pub(super) enum Lock<'a> {
    File(File),
    Lease(Box<Lease<'a>>),
}

impl<'a> Lock<'a> {
    /// Takes the lock of a data set whose folder is there.
    ///
    /// # Errors
    /// The file system's or the store's, and that another process has the lock, unless it is waited for.
    pub fn take(
        store: &'a Store,
        is_waiting: bool,
        waits_for: &dyn Fn(&Holder),
    ) -> io::Result<Self> {
        match &store.place {
            Place::Folder(folder) => {
                take_file(&folder.root().join(LOCK), is_waiting, waits_for).map(Self::File)
            }
            Place::Bucket(bucket) => {
                let lease = Lease::take(bucket, store.terms, is_waiting, waits_for)?;
                Ok(Self::Lease(Box::new(lease)))
            }
        }
    }

    /// Renews a lock that expires, until it is released. To be run on a thread of its own.
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

    /// Makes sure that the lock is still ours.
    pub fn confirm(&self) -> io::Result<()> {
        match self {
            Self::File(_) => Ok(()),
            Self::Lease(lease) => lease.confirm(),
        }
    }

    /// Gives the lock back.
    pub fn release(&self) {
        match self {
            // Whose lock it was is of no interest any more. The lock itself ends with the file.
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
            // Without it, it is still clear that there is a holder.
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
    // On a full disk nobody learns whose lock it is; it is one all the same.
    drop(describe(&mut file));
    Ok(file)
}

/// Writes into a lock whose it is.
fn describe(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(&Holder::own().next_contents())
}

/// Says that another process writes to the data set.
pub(super) fn held_by(holder: Option<&Holder>) -> io::Error {
    let who = holder.map_or("another process".to_owned(), ToString::to_string);
    let message = format!("{who}, is writing to this data set: try again later, or use --wait");
    io::Error::new(io::ErrorKind::WouldBlock, message)
}
