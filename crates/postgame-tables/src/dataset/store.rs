//! Where a data set's files are.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use walkdir::WalkDir;

use crate::bucket::{self, Bucket};

/// Where files are written before they are moved to where they belong.
const ASIDE: &str = "_aside";

/// A folder with a data set, on disk or in an object store.
#[derive(Debug)]
pub struct Store {
    place: Place,
    /// Numbers files that are being written.
    count: AtomicU64,
}

#[derive(Debug)]
enum Place {
    Folder(PathBuf),
    Bucket(Bucket),
}

/// A file that is being written.
#[derive(Debug)]
pub struct Aside {
    /// Of a data set in an object store it has no name: it vanishes with whoever writes it.
    path: Option<PathBuf>,
    /// To write to.
    pub file: File,
}

impl Store {
    /// A data set in a folder, which need not be there yet.
    pub fn local(root: &Path) -> Self {
        Self {
            place: Place::Folder(root.to_owned()),
            count: AtomicU64::new(0),
        }
    }

    /// A data set in a folder, or in an object store where the path is an address such as `s3://bucket/replays`.
    ///
    /// # Errors
    /// When it is an address that cannot be used.
    pub fn open(path: &Path) -> io::Result<Self> {
        let Some(address) = bucket::address(path) else {
            return Ok(Self::local(path));
        };
        Ok(Self {
            place: Place::Bucket(Bucket::open(address)?),
            count: AtomicU64::new(0),
        })
    }

    /// The bucket, where the data set is in an object store.
    pub fn bucket(&self) -> Option<&Bucket> {
        match &self.place {
            Place::Folder(_) => None,
            Place::Bucket(bucket) => Some(bucket),
        }
    }

    /// The files below a folder of the data set, in order of their names.
    ///
    /// # Errors
    /// What the file system says; a folder that is not there has no files.
    pub fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let root = match &self.place {
            Place::Folder(root) => root,
            Place::Bucket(bucket) => {
                let listed = bucket.list(folder)?;
                return Ok(listed.into_iter().map(|file| file.path).collect());
            }
        };
        let top = root.join(folder);
        if !top.is_dir() {
            return Ok(Vec::new());
        }
        let mut files = Vec::new();
        for entry in WalkDir::new(top).sort_by_file_name() {
            let entry = entry.map_err(io::Error::from)?;
            if entry.file_type().is_file()
                && let Ok(path) = entry.path().strip_prefix(root)
            {
                let parts = path.iter().map(|part| part.to_string_lossy());
                files.push(parts.collect::<Vec<_>>().join("/"));
            }
        }
        Ok(files)
    }

    /// The contents of some small files, in order.
    ///
    /// # Errors
    /// What the file system or the object store says.
    pub fn read(&self, paths: &[String]) -> io::Result<Vec<Vec<u8>>> {
        match &self.place {
            Place::Folder(root) => {
                let read =
                    |path: &String| fs::read(root.join(path)).map_err(|error| at(path, error));
                paths.iter().map(read).collect()
            }
            Place::Bucket(bucket) => bucket.read_all(paths),
        }
    }

    /// Writes a small file: it is there whole or not at all.
    ///
    /// # Errors
    /// What the file system says.
    pub fn write(&self, path: &str, contents: &[u8]) -> io::Result<()> {
        let mut aside = self.begin()?;
        aside.file.write_all(contents)?;
        aside.file.sync_all()?;
        self.publish(aside, path)
    }

    /// Begins a file; it is nowhere to be seen until it is published.
    ///
    /// # Errors
    /// What the file system says.
    pub fn begin(&self) -> io::Result<Aside> {
        let root = match &self.place {
            Place::Folder(root) => root,
            Place::Bucket(bucket) => {
                return Ok(Aside {
                    path: None,
                    file: bucket.scratch()?,
                });
            }
        };
        let folder = root.join(ASIDE);
        fs::create_dir_all(&folder)?;
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("{}-{number}", std::process::id()));
        let file = File::create(&path)?;
        Ok(Aside {
            path: Some(path),
            file,
        })
    }

    /// Waits until a file is on disk, and will be there after a power cut.
    ///
    /// # Errors
    /// What the file system says.
    pub(super) fn sync(&self, path: &str) -> io::Result<()> {
        match &self.place {
            Place::Folder(root) => {
                let synced = File::open(root.join(path)).and_then(|file| file.sync_all());
                synced.map_err(|error| at(path, error))
            }
            // What a store has taken it keeps.
            Place::Bucket(_) => Ok(()),
        }
    }

    /// Moves a file to where it belongs.
    ///
    /// # Errors
    /// What the file system or the object store says.
    pub fn publish(&self, aside: Aside, path: &str) -> io::Result<()> {
        let published = match (&self.place, aside.path) {
            (Place::Folder(root), Some(aside_path)) => {
                let place = root.join(path);
                if let Some(folder) = place.parent() {
                    fs::create_dir_all(folder)?;
                }
                fs::rename(aside_path, place)
            }
            (Place::Bucket(bucket), _) => bucket.write(path, aside.file),
            (Place::Folder(_), None) => Err(io::Error::from(io::ErrorKind::InvalidInput)),
        };
        published.map_err(|error| at(path, error))
    }

    /// Removes a file; one that is not there is fine.
    ///
    /// # Errors
    /// What the file system says.
    pub fn remove(&self, path: &str) -> io::Result<()> {
        let removed = match &self.place {
            Place::Folder(root) => fs::remove_file(root.join(path)),
            Place::Bucket(bucket) => bucket.remove(path),
        };
        match removed {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at(path, error)),
            _ => Ok(()),
        }
    }

    /// Removes what an earlier run did not finish: everything aside, and tables' files that no list names.
    ///
    /// # Errors
    /// What the file system says.
    pub(super) fn clean(&self, is_listed: impl Fn(&str) -> bool) -> io::Result<()> {
        for path in self.list(ASIDE)? {
            self.remove(&path)?;
        }
        for path in self.list("")? {
            if path.ends_with(".parquet") && !is_listed(&path) {
                self.remove(&path)?;
            }
        }
        Ok(())
    }

    /// Removes the folder for what is being written.
    pub(super) fn finish(&self) {
        if let Place::Folder(root) = &self.place {
            // It is empty unless somebody else writes too; then it stays.
            drop(fs::remove_dir(root.join(ASIDE)));
        }
    }
}

fn at(path: &str, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{path}: {error}"))
}
