//! One file of an object store, read at any offset.

use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;

use super::{Ahead, Bucket};

/// Number of bytes per request when a file is read piece by piece: a request costs about as much as this many bytes.
const PIECE_BYTES: usize = 256 << 10;

/// A file of an object store.
#[derive(Clone, Debug)]
pub struct Object {
    /// The store.
    pub bucket: Arc<Bucket>,
    /// Its path in the store.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// Its list and its number there, if it is one of many files.
    pub among: Option<(Arc<Ahead>, usize)>,
}

impl Object {
    /// Reads all of it.
    ///
    /// # Errors
    /// When the store fails.
    pub fn read(&self) -> io::Result<Vec<u8>> {
        match &self.among {
            Some((ahead, number)) => ahead.read(*number),
            None => self.bucket.read(&self.path),
        }
    }

    /// Reads it piece by piece.
    pub fn reader(&self) -> BufReader<ObjectReader> {
        let reader = ObjectReader {
            object: self.clone(),
            position: 0,
        };
        BufReader::with_capacity(PIECE_BYTES, reader)
    }
}

/// A position in a file of an object store; each read is a request.
#[derive(Debug)]
pub struct ObjectReader {
    object: Object,
    position: u64,
}

impl Read for ObjectReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Object {
            bucket,
            path,
            bytes,
            ..
        } = &self.object;
        let end = self
            .position
            .saturating_add(buffer.len() as u64)
            .min(*bytes);
        if end <= self.position {
            return Ok(0);
        }
        let piece = bucket.read_range(path, self.position..end)?;
        // Data beyond the requested range is ignored.
        let count = piece.len().min(buffer.len());
        for (to, from) in buffer.iter_mut().zip(&piece) {
            *to = *from;
        }
        self.position += count as u64;
        Ok(count)
    }
}

impl Seek for ObjectReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.position = crate::seek::target(to, self.position, self.object.bytes)?;
        Ok(self.position)
    }
}
