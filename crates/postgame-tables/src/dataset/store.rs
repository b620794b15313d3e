//! Storage of a data set: a folder on disk, or an object store.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::sync::Arc;

use super::files::{Disk, Files};
use super::folder::{AsideFile, FileWriter, Folder};
use super::lease::Terms;
use super::manifest::list_path;
use postgame_files::bucket::{self, Bucket};

/// The storage of a data set, on disk or in an object store.
#[derive(Debug)]
pub struct Store {
    pub(super) place: Location,
    /// How long a lock in an object store lasts.
    pub(super) terms: Terms,
}

#[derive(Debug)]
pub(super) enum Location {
    Folder(Folder),
    Bucket(Bucket),
}

/// A file being written. It vanishes unless it is published.
#[derive(Debug)]
pub(super) struct Aside {
    /// On disk it has a name.
    named: Option<AsideFile>,
    files: Arc<dyn Files>,
    file: File,
}

impl Aside {
    /// Returns a writer for it.
    pub fn writer(&self) -> io::Result<FileWriter> {
        Ok(FileWriter {
            files: Arc::clone(&self.files),
            file: self.file.try_clone()?,
        })
    }

    /// Its size so far.
    pub fn bytes(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }
}

impl Store {
    /// A data set in a folder, which need not exist yet.
    pub fn local(root: &Path) -> Self {
        Self::on(root, Arc::new(Disk))
    }

    pub(super) fn on(root: &Path, files: Arc<dyn Files>) -> Self {
        Self {
            place: Location::Folder(Folder::new(root, files)),
            terms: Terms::default(),
        }
    }

    /// A data set in a folder, or in an object store if the path is an address such as `s3://bucket/replays`.
    ///
    /// # Errors
    /// When it is an invalid address.
    pub fn open(path: &Path) -> io::Result<Self> {
        match bucket::address(path) {
            None => Ok(Self::local(path)),
            Some(address) => Ok(Self::over(Bucket::open(address)?, Terms::default())),
        }
    }

    pub(super) fn over(bucket: Bucket, terms: Terms) -> Self {
        Self {
            place: Location::Bucket(bucket),
            terms,
        }
    }

    /// The bucket, if the data set is in an object store.
    pub fn bucket(&self) -> Option<&Bucket> {
        match &self.place {
            Location::Folder(_) => None,
            Location::Bucket(bucket) => Some(bucket),
        }
    }

    /// The names at the top level: files and folders.
    pub(super) fn top(&self) -> io::Result<Vec<String>> {
        match &self.place {
            Location::Folder(folder) => folder.top(),
            Location::Bucket(bucket) => bucket.top(),
        }
    }

    /// The files below a folder of the data set, in order of their names.
    ///
    /// # Errors
    /// When the file system or the object store fails; a missing folder has no files.
    pub fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        match &self.place {
            Location::Folder(root) => root.list(folder),
            Location::Bucket(bucket) => {
                let listed = bucket.list(folder)?;
                Ok(listed.into_iter().map(|file| file.path).collect())
            }
        }
    }

    /// The sizes of some files; `None` for missing ones.
    ///
    /// # Errors
    /// When the file system or the object store fails.
    pub fn sizes(&self, paths: &[&str]) -> io::Result<Vec<Option<u64>>> {
        match &self.place {
            Location::Folder(folder) => paths.iter().map(|path| folder.size(path)).collect(),
            Location::Bucket(_) if paths.is_empty() => Ok(Vec::new()),
            Location::Bucket(bucket) => {
                let listed = bucket.list("")?;
                let sizes = listed.into_iter().map(|file| (file.path, file.bytes));
                let sizes: HashMap<String, u64> = sizes.collect();
                let size = |path: &&str| sizes.get(*path).copied();
                Ok(paths.iter().map(size).collect())
            }
        }
    }

    /// The contents of some small files, in order.
    ///
    /// # Errors
    /// When the file system or the object store fails.
    pub fn read(&self, paths: &[String]) -> io::Result<Vec<Vec<u8>>> {
        match &self.place {
            Location::Folder(folder) => {
                let read = |path: &String| {
                    fs::read(folder.root().join(path)).map_err(|error| at(path, error))
                };
                paths.iter().map(read).collect()
            }
            Location::Bucket(bucket) => bucket.read_all(paths),
        }
    }

    /// The contents of a small file; `None` if it does not exist.
    pub(super) fn read_one(&self, path: &str) -> io::Result<Option<Vec<u8>>> {
        let read = match &self.place {
            Location::Folder(folder) => fs::read(folder.root().join(path)),
            Location::Bucket(bucket) => bucket.read(path),
        };
        match read {
            Ok(contents) => Ok(Some(contents)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(at(path, error)),
        }
    }

    /// Writes a small file: it appears completely or not at all, and is durable when this returns.
    pub(super) fn write(&self, path: &str, contents: &[u8]) -> io::Result<()> {
        let written = match &self.place {
            Location::Folder(folder) => folder.write(path, contents),
            Location::Bucket(bucket) => bucket.put(path, contents),
        };
        written.map_err(|error| at(path, error))
    }

    /// Starts a file; it is invisible until it is published.
    pub(super) fn begin(&self) -> io::Result<Aside> {
        match &self.place {
            Location::Folder(folder) => {
                let (named, file) = folder.begin()?;
                Ok(Aside {
                    named: Some(named),
                    files: Arc::clone(folder.files()),
                    file,
                })
            }
            Location::Bucket(bucket) => Ok(Aside {
                named: None,
                files: Arc::new(Disk),
                file: bucket.scratch()?,
            }),
        }
    }

    /// Moves a file into place.
    pub(super) fn publish(&self, aside: Aside, path: &str) -> io::Result<()> {
        let published = match (&self.place, aside.named) {
            (Location::Folder(folder), Some(named)) => folder.publish(named, path),
            (Location::Bucket(bucket), _) => bucket.write(path, aside.file),
            (Location::Folder(_), None) => Err(io::Error::from(io::ErrorKind::InvalidInput)),
        };
        published.map_err(|error| at(path, error))
    }

    /// Waits until published files survive a power cut.
    pub(super) fn sync(&self, paths: &[&str]) -> io::Result<()> {
        match &self.place {
            Location::Folder(folder) => folder.sync(paths),
            // An object store keeps everything it has accepted.
            Location::Bucket(_) => Ok(()),
        }
    }

    /// Waits until the removal of some files survives a power cut.
    pub(super) fn sync_removal(&self, paths: &[&str]) -> io::Result<()> {
        match &self.place {
            Location::Folder(folder) => folder.sync_folders(paths),
            Location::Bucket(_) => Ok(()),
        }
    }

    /// Waits until the names of all lists, and the removal of others, survive a power cut.
    pub(super) fn sync_lists(&self) -> io::Result<()> {
        match &self.place {
            Location::Folder(folder) => folder.sync_folder_of(&list_path("")),
            Location::Bucket(_) => Ok(()),
        }
    }

    /// Removes a file; a missing file is fine.
    pub(super) fn remove(&self, path: &str) -> io::Result<()> {
        let removed = match &self.place {
            Location::Folder(folder) => folder.remove(path),
            Location::Bucket(bucket) => bucket.remove(path),
        };
        removed.map_err(|error| at(path, error))
    }

    /// Creates the folders that a run needs.
    pub(super) fn prepare(&self) -> io::Result<()> {
        match &self.place {
            Location::Folder(folder) => folder.prepare(),
            Location::Bucket(_) => Ok(()),
        }
    }

    /// Removes the folders that only a run needs.
    pub(super) fn finish(&self) {
        if let Location::Folder(folder) = &self.place {
            folder.finish();
        }
    }
}

pub(super) fn at(path: &str, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{path}: {error}"))
}
