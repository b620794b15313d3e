//! Without the feature `s3` there are no object stores.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::mpsc::Receiver;

use super::Listed;

/// A part of a bucket, of which there can be none here.
#[derive(Debug)]
pub enum Bucket {}

/// The functions of a bucket that there is.
impl Bucket {
    /// Says that there are no object stores.
    ///
    /// # Errors
    /// Always.
    pub fn open(_address: &str) -> io::Result<Self> {
        Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "object stores are left out of this build: they take the feature s3",
        ))
    }

    /// The files below a folder.
    ///
    /// # Errors
    /// Never: there is no bucket.
    pub fn list(&self, _folder: &str) -> io::Result<Vec<Listed>> {
        match *self {}
    }

    /// The contents of a file.
    ///
    /// # Errors
    /// Never: there is no bucket.
    pub fn read(&self, _path: &str) -> io::Result<Vec<u8>> {
        match *self {}
    }

    /// The contents of a file, when they are there.
    pub fn send_for(&self, _path: &str) -> Receiver<io::Result<Vec<u8>>> {
        match *self {}
    }

    /// The contents of several files.
    ///
    /// # Errors
    /// Never: there is no bucket.
    pub fn read_all(&self, _paths: &[String]) -> io::Result<Vec<Vec<u8>>> {
        match *self {}
    }

    /// A part of a file.
    ///
    /// # Errors
    /// Never: there is no bucket.
    pub fn read_range(&self, _path: &str, _range: Range<u64>) -> io::Result<Vec<u8>> {
        match *self {}
    }

    /// A file to collect in what is written.
    ///
    /// # Errors
    /// Never: there is no bucket.
    pub fn scratch(&self) -> io::Result<File> {
        match *self {}
    }

    /// Writes a file.
    ///
    /// # Errors
    /// Never: there is no bucket.
    pub fn write(&self, _path: &str, _contents: File) -> io::Result<()> {
        match *self {}
    }

    /// Removes a file.
    ///
    /// # Errors
    /// Never: there is no bucket.
    pub fn remove(&self, _path: &str) -> io::Result<()> {
        match *self {}
    }
}
