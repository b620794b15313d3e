//! Games from the network as `.slp` files, written while they are played.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::clock::compact;
use super::game::PREFIX;

/// Where a file states the length of its events.
const LENGTH_AT: u64 = 11;

/// As many files may have the name of one second.
const MAX_NAMES: u32 = 1000;

/// A file that is being written. Without [`SaveFile::finish`] it stays as it is: recorders leave such files too.
#[derive(Debug)]
pub struct SaveFile {
    path: PathBuf,
    file: File,
    length: u64,
}

impl SaveFile {
    /// Begins a file named after the time, in a folder, which is made if it is missing. No file is replaced.
    ///
    /// # Errors
    /// The file system's.
    pub fn begin(folder: &Path, time: SystemTime) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let stem = format!("Game_{}", compact(time));
        let mut number = 1;
        loop {
            let name = match number {
                1 => format!("{stem}.slp"),
                _ => format!("{stem}_{number}.slp"),
            };
            let path = folder.join(name);
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(mut file) => {
                    file.write_all(PREFIX)?;
                    return Ok(Self {
                        path,
                        file,
                        length: 0,
                    });
                }
                Err(error)
                    if error.kind() == io::ErrorKind::AlreadyExists && number < MAX_NAMES =>
                {
                    number += 1;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// The file's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends events.
    ///
    /// # Errors
    /// The file system's.
    pub fn events(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.length += bytes.len() as u64;
        self.file.write_all(bytes)
    }

    /// Ends the file with what comes after the events.
    ///
    /// # Errors
    /// The file system's.
    pub fn finish(mut self, rest: &[u8]) -> io::Result<PathBuf> {
        self.file.write_all(rest)?;
        // A game of 4 GB keeps the length of a file that was never finished.
        let length = u32::try_from(self.length).unwrap_or(0);
        self.file.seek(SeekFrom::Start(LENGTH_AT))?;
        self.file.write_all(&length.to_be_bytes())?;
        self.file.sync_all()?;
        Ok(self.path)
    }
}
