//! Stand-ins for builds without the feature `s3`: there are no object stores.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::mpsc::Receiver;

use super::Listed;

/// A version of a file; has no values in this build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Version {}

/// A part of a bucket; has no values in this build.
#[derive(Debug)]
pub enum Bucket {}

/// The functions of an existing bucket.
impl Bucket {
    /// Returns an error stating that there are no object stores.
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

    /// The contents of a file, if it exists.
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

    /// Creates a temporary file for data to be sent.
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

    /// The names directly below the prefix.
    ///
    /// # Errors
    /// Never: there is no bucket.
    pub fn top(&self) -> io::Result<Vec<String>> {
        match *self {}
    }

    /// The contents and the version of a small file.
    ///
    /// # Errors
    /// Never: there is no bucket.
    pub fn get(&self, _path: &str) -> io::Result<Option<(Vec<u8>, Version)>> {
        match *self {}
    }

    /// Writes a small file.
    ///
    /// # Errors
    /// Never: there is no bucket.
    pub fn put(&self, _path: &str, _contents: &[u8]) -> io::Result<()> {
        match *self {}
    }

    /// Writes a small file that must not exist yet.
    ///
    /// # Errors
    /// Never: there is no bucket.
    pub fn put_new(&self, _path: &str, _contents: &[u8]) -> io::Result<Option<Version>> {
        match *self {}
    }

    /// Replaces a version of a small file.
    ///
    /// # Errors
    /// Never: there is no bucket.
    pub fn put_over(
        &self,
        _path: &str,
        _contents: &[u8],
        _version: &Version,
    ) -> io::Result<Option<Version>> {
        match *self {}
    }
}
