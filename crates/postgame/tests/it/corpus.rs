//! Finding real recordings. They are not part of the repository: `POSTGAME_CORPUS` names their folder, else it is
//! `../shared/corpus` beside the repository.

use std::path::{Path, PathBuf};

/// The top of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The corpus, or `None` with a clear word that the test has nothing to run on.
pub fn folder() -> Option<PathBuf> {
    let folder = match std::env::var_os("POSTGAME_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => root().join("../shared/corpus"),
    };
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!(
        "NO CORPUS at {}: this test ran on the samples only",
        folder.display()
    );
    None
}

/// The recordings of one game in the corpus, sorted by name; `None` when there is no corpus.
pub fn files(game: &str, extensions: &[&str]) -> Option<Vec<PathBuf>> {
    let corpus = folder()?;
    let mut files = list(&corpus.join(game), Some(extensions));
    files.sort();
    assert!(!files.is_empty(), "{game} has recordings");
    // What the corpus says it has: a test that runs on half of it proves half.
    let manifest = std::fs::read_to_string(corpus.join("MANIFEST.tsv")).unwrap_or_default();
    let listed = manifest.lines().filter_map(|line| line.split('\t').next());
    for name in listed.filter(|name| name.starts_with(&format!("{game}/"))) {
        let path = corpus.join(name);
        let is_wanted = path.extension().and_then(|extension| extension.to_str());
        if is_wanted.is_some_and(|extension| extensions.contains(&extension)) {
            assert!(files.contains(&path), "{name} is listed, and not there");
        }
    }
    Some(files)
}

/// The recordings made by our own writers whose names begin like this.
pub fn samples(beginning: &str) -> Vec<PathBuf> {
    let mut samples = list(&root().join("samples"), None);
    samples.retain(|path| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with(beginning))
    });
    assert!(!samples.is_empty(), "there are samples called {beginning}…");
    samples
}

fn list(folder: &Path, extensions: Option<&[&str]>) -> Vec<PathBuf> {
    let entries =
        std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        extensions.is_none_or(|all| extension.is_some_and(|extension| all.contains(&extension)))
    });
    files.sort();
    files
}
