//! A data set in a folder on disk.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use walkdir::WalkDir;

use super::files::Files;
use super::{ASIDE, JOURNAL, SEGMENTS};

/// A folder, and the changes in it that are not synced yet.
#[derive(Debug)]
pub(super) struct Folder {
    root: PathBuf,
    files: Arc<dyn Files>,
    /// Folders with names that may not be on disk yet.
    changed: Mutex<BTreeSet<PathBuf>>,
    /// Numbers the files being written.
    count: AtomicU64,
}

/// A file being written. It is removed unless it is published.
#[derive(Debug)]
pub(super) struct AsideFile {
    files: Arc<dyn Files>,
    path: Option<PathBuf>,
}

impl Drop for AsideFile {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            // If this fails, the next run does it.
            drop(self.files.remove(path));
        }
    }
}

/// Writes to a file through the data set's own operations.
#[derive(Debug)]
pub(super) struct FileWriter {
    pub files: Arc<dyn Files>,
    pub file: File,
}

impl Write for FileWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.files.write(&mut self.file, bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Folder {
    pub fn new(root: &Path, files: Arc<dyn Files>) -> Self {
        Self {
            root: root.to_owned(),
            files,
            changed: Mutex::default(),
            count: AtomicU64::new(0),
        }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn files(&self) -> &Arc<dyn Files> {
        &self.files
    }

    /// Creates the data set's folder and those that every run needs, and syncs them: a journal must not vanish while
    /// the files it lists stay.
    pub fn prepare(&self) -> io::Result<()> {
        self.create_root()?;
        for name in [ASIDE, JOURNAL, SEGMENTS] {
            self.files.create_folder(&self.root.join(name))?;
        }
        self.files.sync_folder(&self.root)
    }

    /// Creates the folder itself and its missing parents.
    pub fn create_root(&self) -> io::Result<()> {
        let above: Vec<&Path> = self.root.ancestors().collect();
        let missing = above
            .iter()
            .take_while(|path| !path.as_os_str().is_empty() && !path.is_dir());
        let missing: Vec<&&Path> = missing.collect();
        for path in missing.into_iter().rev() {
            self.files.create_folder(path)?;
            match path.parent() {
                Some(parent) if !parent.as_os_str().is_empty() => self.files.sync_folder(parent)?,
                _ => self.files.sync_folder(Path::new("."))?,
            }
        }
        Ok(())
    }

    /// The names at the top level.
    pub fn top(&self) -> io::Result<Vec<String>> {
        let entries = match fs::read_dir(&self.root) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let name = |entry: io::Result<fs::DirEntry>| {
            entry.map(|entry| entry.file_name().to_string_lossy().into_owned())
        };
        entries.map(name).collect()
    }

    /// The files below a folder, in order of their names.
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

    /// Starts a file, aside.
    pub fn begin(&self) -> io::Result<(AsideFile, File)> {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}-{number}", std::process::id());
        let path = self.root.join(ASIDE).join(name);
        let file = self.files.create(&path)?;
        let aside = AsideFile {
            files: Arc::clone(&self.files),
            path: Some(path),
        };
        Ok((aside, file))
    }

    /// Moves a file to its place. Neither its contents nor its name are guaranteed to be on disk.
    pub fn publish(&self, mut aside: AsideFile, path: &str) -> io::Result<()> {
        let place = self.root.join(path);
        self.create_folders_of(&place)?;
        if let Some(from) = &aside.path {
            self.files.rename(from, &place)?;
            aside.path = None;
            self.note_change(&place);
        }
        Ok(())
    }

    /// Writes a small file: it appears completely or not at all, and is on disk when this returns.
    pub fn write(&self, path: &str, contents: &[u8]) -> io::Result<()> {
        let (aside, file) = self.begin()?;
        let files = Arc::clone(&self.files);
        FileWriter { files, file }.write_all(contents)?;
        if let Some(path) = &aside.path {
            self.files.sync(path)?;
        }
        self.publish(aside, path)?;
        self.sync_folder_of(path)
    }

    /// Waits until some files and all of their parent folders are on disk.
    pub fn sync(&self, paths: &[&str]) -> io::Result<()> {
        for path in paths {
            self.files.sync(&self.root.join(path))?;
        }
        self.sync_folders(paths)
    }

    /// Waits until all parent folders of some files are on disk.
    pub fn sync_folders(&self, paths: &[&str]) -> io::Result<()> {
        let mut folders = BTreeSet::new();
        for path in paths {
            let above = Path::new(path).ancestors().skip(1);
            folders.extend(above.map(|folder| self.root.join(folder)));
        }
        for folder in folders {
            // Removed from the set before syncing: a change that happens meanwhile has to be synced again.
            if !self.changes().remove(&folder) {
                continue;
            }
            if let Err(error) = self.files.sync_folder(&folder) {
                self.changes().insert(folder);
                return Err(error);
            }
        }
        Ok(())
    }

    /// Waits until the names beside a file are on disk.
    pub fn sync_folder_of(&self, path: &str) -> io::Result<()> {
        let place = self.root.join(path);
        self.files.sync_folder(place.parent().unwrap_or(&self.root))
    }

    /// Removes a file; a missing file is fine.
    pub fn remove(&self, path: &str) -> io::Result<()> {
        let place = self.root.join(path);
        match self.files.remove(&place) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            // If it is gone, another process may have removed it and died before syncing that.
            _ => {
                if place.parent().is_some_and(Path::is_dir) {
                    self.note_change(&place);
                }
                Ok(())
            }
        }
    }

    /// The size of a file; `None` if it does not exist.
    pub fn size(&self, path: &str) -> io::Result<Option<u64>> {
        match fs::metadata(self.root.join(path)) {
            Ok(metadata) if metadata.is_file() => Ok(Some(metadata.len())),
            Ok(_) => Ok(None),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Removes the folders that only a run needs, if they are empty.
    pub fn finish(&self) {
        for name in [ASIDE, JOURNAL] {
            // A folder with foreign files, or with a journal for the next run, stays.
            drop(fs::remove_dir(self.root.join(name)));
        }
    }

    fn create_folders_of(&self, place: &Path) -> io::Result<()> {
        let above = place.ancestors().skip(1);
        let missing: Vec<&Path> = above.take_while(|folder| !folder.is_dir()).collect();
        for folder in missing.into_iter().rev() {
            self.files.create_folder(folder)?;
            self.note_change(folder);
        }
        Ok(())
    }

    fn note_change(&self, place: &Path) {
        let folder = place.parent().unwrap_or(&self.root);
        self.changes().insert(folder.to_owned());
    }

    fn changes(&self) -> std::sync::MutexGuard<'_, BTreeSet<PathBuf>> {
        self.changed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
