//! The folder with what a release consists of, and the list of what is not in it.

use std::path::{Path, PathBuf};

use crate::tools::{Result, root};

/// Where the artifacts are, relative to the repository.
pub const FOLDER: &str = "target/release-artifacts";

/// What was made, and what could not be made and why.
pub struct Artifacts {
    folder: PathBuf,
    made: Vec<String>,
    missing: Vec<(String, String)>,
}

impl Artifacts {
    /// Starts with an empty folder.
    pub fn empty() -> Result<Self> {
        let folder = root().join(FOLDER);
        drop(std::fs::remove_dir_all(&folder));
        std::fs::create_dir_all(&folder).map_err(|error| format!("{FOLDER}: {error}"))?;
        Ok(Self {
            folder,
            made: Vec::new(),
            missing: Vec::new(),
        })
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Notes a file that is in the folder.
    pub fn made(&mut self, path: &Path) {
        let name = path.file_name().unwrap_or_default();
        self.made.push(name.to_string_lossy().into_owned());
    }

    /// Copies every file of another folder into this one.
    pub fn copy_all(&mut self, from: &Path) -> Result {
        let failed = |error: std::io::Error| format!("{}: {error}", from.display());
        for entry in std::fs::read_dir(from).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let to = self.folder.join(path.file_name().unwrap_or_default());
            std::fs::copy(&path, &to).map_err(failed)?;
            self.made(&to);
        }
        Ok(())
    }

    /// Notes an artifact that cannot be made here, and what it needs.
    pub fn missing(&mut self, name: &str, needs: &str) {
        self.missing.push((name.to_owned(), needs.to_owned()));
    }

    /// Prints both lists.
    pub fn report(&self) {
        println!("\nIn {FOLDER}:");
        for name in &self.made {
            println!("  {name}");
        }
        println!("Not made here:");
        for (name, needs) in &self.missing {
            println!("  {name}: needs {needs}");
        }
    }
}
