//! Where a data set's files are.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use walkdir::WalkDir;

/// Where files are written before they are moved to where they belong.
const ASIDE: &str = "_aside";

/// A folder with a data set.
#[derive(Debug)]
pub struct Store {
    root: PathBuf,
    /// Numbers files that are being written.
    count: AtomicU64,
}

/// A file that is being written.
#[derive(Debug)]
pub struct Aside {
    path: PathBuf,
    /// To write to.
    pub file: File,
}

impl Store {
    /// A data set in a folder, which need not be there yet.
    pub fn local(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            count: AtomicU64::new(0),
        }
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The files below a folder of the data set, in order of their names.
    ///
    /// # Errors
    /// What the file system says; a folder that is not there has no files.
    pub fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let top = self.root.join(folder);
        if !top.is_dir() {
            return Ok(Vec::new());
        }
        let mut files = Vec::new();
        for entry in WalkDir::new(top).sort_by_file_name() {
            let entry = entry.map_err(io::Error::from)?;
            if entry.file_type().is_file()
                && let Ok(path) = entry.path().strip_prefix(&self.root)
            {
                let parts = path.iter().map(|part| part.to_string_lossy());
                files.push(parts.collect::<Vec<_>>().join("/"));
            }
        }
        Ok(files)
    }

    /// The contents of a file.
    ///
    /// # Errors
    /// What the file system says.
    pub fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        fs::read(self.root.join(path)).map_err(|error| at(path, error))
    }

    /// Writes a small file: it is there whole or not at all.
    ///
    /// # Errors
    /// What the file system says.
    pub fn write(&self, path: &str, contents: &[u8]) -> io::Result<()> {
        let mut aside = self.begin()?;
        aside.file.write_all(contents)?;
        self.publish(aside, path)
    }

    /// Begins a file; it is nowhere to be seen until it is published.
    ///
    /// # Errors
    /// What the file system says.
    pub fn begin(&self) -> io::Result<Aside> {
        let folder = self.root.join(ASIDE);
        fs::create_dir_all(&folder)?;
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("{}-{number}", std::process::id()));
        let file = File::create(&path)?;
        Ok(Aside { path, file })
    }

    /// Moves a file to where it belongs.
    ///
    /// # Errors
    /// What the file system says.
    pub fn publish(&self, aside: Aside, path: &str) -> io::Result<()> {
        let place = self.root.join(path);
        if let Some(folder) = place.parent() {
            fs::create_dir_all(folder)?;
        }
        // A list must not be on disk before what it lists.
        aside.file.sync_all()?;
        fs::rename(&aside.path, place).map_err(|error| at(path, error))
    }

    /// Removes a file; one that is not there is fine.
    ///
    /// # Errors
    /// What the file system says.
    pub fn remove(&self, path: &str) -> io::Result<()> {
        match fs::remove_file(self.root.join(path)) {
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
        // It is empty unless somebody else writes too; then it stays.
        drop(fs::remove_dir(self.root.join(ASIDE)));
    }
}

fn at(path: &str, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{path}: {error}"))
}
