//! The recordings to measure on.

use std::path::{Path, PathBuf};

/// Where they are.
pub fn folder() -> PathBuf {
    match std::env::var_os("POSTGAME_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus"),
    }
}

/// All files of a game in the corpus with one of these extensions: name and contents, sorted by name.
pub fn files(game: &str, extensions: &[&str]) -> Vec<(String, Vec<u8>)> {
    let corpus = folder();
    let entries = match std::fs::read_dir(corpus.join(game)) {
        Ok(entries) => entries,
        Err(error) => panic!("no corpus at {}: {error}", corpus.display()),
    };
    let mut files: Vec<(String, Vec<u8>)> = entries
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let extension = path.extension()?.to_str()?;
            extensions.contains(&extension).then_some(())?;
            Some((
                path.file_name()?.to_str()?.to_owned(),
                std::fs::read(&path).ok()?,
            ))
        })
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no {game} files in {}", corpus.display());
    files
}
