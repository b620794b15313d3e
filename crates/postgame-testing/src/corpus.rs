//! Finds real recordings. They are not part of the repository: `POSTGAME_CORPUS` names their folder, which defaults to
//! `../shared/corpus` beside the repository. Facts and hostile files are in `../facts` and `../attack` relative to the corpus.

use std::path::{Path, PathBuf};

/// The top of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The corpus; `None` if there is none.
pub fn folder() -> Option<PathBuf> {
    let folder = match std::env::var_os("POSTGAME_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => root().join("../shared/corpus"),
    };
    folder.is_dir().then_some(folder)
}

/// The folder of facts about recordings; `None` if there is none.
pub fn facts_folder() -> Option<PathBuf> {
    beside("facts")
}

/// The folder of hostile files; `None` if there is none.
pub fn attack_folder() -> Option<PathBuf> {
    beside("attack")
}

/// Resolves a path as facts have it, below the folder that holds corpus and facts. `None` if there is no such file.
pub fn shared(path: &str) -> Option<PathBuf> {
    // The corpus may have any name: facts always call it `corpus`.
    let path = match path.strip_prefix("corpus/") {
        Some(inside) => folder()?.join(inside),
        None => parent()?.join(path),
    };
    path.is_file().then_some(path)
}

/// A file of the corpus by its path inside, for example `slippi/doubles.slp`. `None` if there is no such file.
pub fn file(path: &str) -> Option<PathBuf> {
    let path = folder()?.join(path);
    path.is_file().then_some(path)
}

/// The recordings of one game in the corpus with these extensions, sorted. Empty if there are none.
///
/// # Panics
/// Panics if the manifest lists a file that is not there: a test that runs on half of the corpus proves half.
pub fn files(game: &str, extensions: &[&str]) -> Vec<PathBuf> {
    let Some(corpus) = folder() else {
        return Vec::new();
    };
    let files = list(&corpus.join(game), extensions);
    for entry in manifest() {
        let is_wanted = entry.path.starts_with(&format!("{game}/"))
            && has_extension(Path::new(&entry.path), extensions);
        let is_there = files.contains(&corpus.join(&entry.path));
        assert!(
            !is_wanted || is_there,
            "{} is in the manifest, but not in the corpus",
            entry.path
        );
    }
    files
}

/// The extensions of all recordings.
const EXTENSIONS: [&str; 6] = ["replay", "rr", "slp", "sav", "sbp", "sbpcfg"];

/// The folder of the corpus whose files are damaged.
const DAMAGED: &str = "bad";

/// How deep folders are searched for recordings.
const MAX_DEPTH: usize = 8;

/// The recordings in the corpus and its folders that have one of these extensions, or any if none is given, sorted.
/// Damaged ones are left out. Empty if there is no corpus.
pub fn recordings(extensions: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    if let Some(corpus) = folder() {
        search(&corpus, wanted(extensions), MAX_DEPTH, &mut files);
        files.retain(|path| !path.starts_with(corpus.join(DAMAGED)));
    }
    files.sort();
    files
}

/// The damaged recordings of the corpus, sorted: reading them is an error or gives a part.
pub fn damaged() -> Vec<PathBuf> {
    let mut files = Vec::new();
    if let Some(corpus) = folder() {
        search(&corpus.join(DAMAGED), &EXTENSIONS, MAX_DEPTH, &mut files);
    }
    files.sort();
    files
}

/// The samples that have one of these extensions, or any if none is given, sorted.
pub fn all_samples(extensions: &[&str]) -> Vec<PathBuf> {
    list(&root().join("samples"), wanted(extensions))
}

/// A path as tests show it: inside the corpus, or `samples/…`.
pub fn short_name(path: &Path) -> String {
    let inside = folder().and_then(|corpus| path.strip_prefix(corpus).ok().map(Path::to_owned));
    let inside = inside.or_else(|| path.strip_prefix(root()).ok().map(Path::to_owned));
    let path = inside.unwrap_or_else(|| path.to_owned());
    path.display().to_string().replace('\\', "/")
}

/// The hostile files, sorted. Empty if there are none.
pub fn attack_files() -> Vec<PathBuf> {
    attack_folder().map_or_else(Vec::new, |folder| {
        let mut files = list(&folder, &[]);
        files.retain(|path| path.file_name().is_some_and(|name| name != "README.md"));
        files
    })
}

/// The recordings made by our own writers whose names begin like this, sorted.
///
/// # Panics
/// Panics if there are none.
pub fn samples(beginning: &str) -> Vec<PathBuf> {
    let mut samples = list(&root().join("samples"), &[]);
    samples.retain(|path| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with(beginning))
    });
    assert!(
        !samples.is_empty(),
        "there are no samples called {beginning}…"
    );
    samples
}

/// A sample by its file name.
pub fn sample(name: &str) -> PathBuf {
    root().join("samples").join(name)
}

/// A line of the corpus's manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Path inside the corpus.
    pub path: String,
    /// Size in bytes, if the manifest states it.
    pub bytes: Option<u64>,
    /// SHA-256 of the contents, in hexadecimal.
    pub sha256: String,
    /// What is remarkable about the file.
    pub note: String,
}

/// The corpus's `MANIFEST.tsv`. Empty if there is none.
pub fn manifest() -> Vec<Listed> {
    let text =
        folder().and_then(|folder| std::fs::read_to_string(folder.join("MANIFEST.tsv")).ok());
    let text = text.unwrap_or_default();
    let lines = text.lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        let cell = |index: usize| cells.get(index).copied().unwrap_or_default();
        Listed {
            path: cell(0).to_owned(),
            bytes: cell(1).parse().ok(),
            sha256: cell(2).to_owned(),
            note: cell(5).to_owned(),
        }
    });
    lines.collect()
}

fn parent() -> Option<PathBuf> {
    Some(folder()?.join(".."))
}

fn beside(name: &str) -> Option<PathBuf> {
    let folder = parent()?.join(name);
    folder.is_dir().then_some(folder)
}

fn wanted<'a>(extensions: &'a [&'a str]) -> &'a [&'a str] {
    if extensions.is_empty() {
        &EXTENSIONS
    } else {
        extensions
    }
}

/// Collects files with these extensions from a folder and those in it. Links are not followed.
fn search(folder: &Path, extensions: &[&str], depth: usize, files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth > 0 => search(&path, extensions, depth - 1, files),
            Ok(kind) if kind.is_file() && has_extension(&path, extensions) => files.push(path),
            _ => {}
        }
    }
}

/// The files of a folder with one of these extensions, or with any if none is given.
fn list(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut files: Vec<PathBuf> = paths
        .filter(|path| path.is_file() && (extensions.is_empty() || has_extension(path, extensions)))
        .collect();
    files.sort();
    files
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| extensions.contains(&extension))
}
