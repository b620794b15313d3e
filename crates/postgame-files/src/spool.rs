//! Members of archives, kept on disk for as long as the program runs.
//!
//! They share one temporary file without a name, so nothing is left behind, even if the program is killed.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write as _};
use std::sync::{Arc, Mutex, PoisonError};

/// A temporary file that pieces are appended to.
#[derive(Debug)]
pub struct Spool {
    file: Arc<Mutex<File>>,
    bytes: u64,
}

/// One piece of a spool, with a position of its own.
#[derive(Clone, Debug)]
pub struct Piece {
    file: Arc<Mutex<File>>,
    start: u64,
    /// Its size.
    pub bytes: u64,
    position: u64,
}

impl Spool {
    /// Creates an empty spool in the system's folder for temporary files.
    ///
    /// # Errors
    /// When the file system fails.
    pub fn new() -> io::Result<Self> {
        Ok(Self {
            file: Arc::new(Mutex::new(tempfile::tempfile()?)),
            bytes: 0,
        })
    }

    /// Appends a piece.
    ///
    /// # Errors
    /// When the file system fails, for example because the disk is full.
    pub fn add(&mut self, bytes: &[u8]) -> io::Result<Piece> {
        let start = self.bytes;
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(start))?;
        file.write_all(bytes)?;
        let bytes = bytes.len() as u64;
        self.bytes += bytes;
        Ok(Piece {
            file: Arc::clone(&self.file),
            start,
            bytes,
            position: 0,
        })
    }
}

impl Read for Piece {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.bytes.saturating_sub(self.position);
        if left == 0 {
            return Ok(0);
        }
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(self.start + self.position))?;
        let count = (&*file).take(left).read(buffer)?;
        self.position += count as u64;
        Ok(count)
    }
}

impl Seek for Piece {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.position = crate::seek::target(to, self.position, self.bytes)?;
        Ok(self.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_read_apart_and_only_to_their_ends() {
        let mut spool = Spool::new().unwrap();
        let mut first = spool.add(b"first").unwrap();
        let mut second = spool.add(b"second").unwrap();
        let mut text = String::new();
        second.seek(SeekFrom::End(-3)).unwrap();
        second.read_to_string(&mut text).unwrap();
        first.read_to_string(&mut text).unwrap();
        assert_eq!(text, "ondfirst");
        second.seek(SeekFrom::Start(100)).unwrap();
        assert_eq!(second.read(&mut [0; 4]).unwrap(), 0);
        assert!(first.seek(SeekFrom::Current(-100)).is_err());
    }
}
