//! What a factory makes and how it flows, what lies in the world, and what things are called.

mod blueprint;
mod flow;
mod names;
mod power;
mod rates;
mod speed;
mod supply;
mod world;

use std::path::PathBuf;

use postgame::satisfactory::{self, Save};
use postgame::{ReadOptions, Report};

use crate::corpus;

/// The saves of the corpus and those among the facts, with their names.
pub fn saves() -> Vec<(String, Save)> {
    let Some(corpus) = corpus::folder() else {
        return Vec::new();
    };
    let folders = [
        corpus.join("satisfactory"),
        corpus.join("../facts/satisfactory"),
    ];
    let mut paths: Vec<PathBuf> = folders
        .iter()
        .filter_map(|folder| std::fs::read_dir(folder).ok())
        .flatten()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "sav"))
        .collect();
    paths.sort();
    paths.iter().map(|path| named(path)).collect()
}

fn named(path: &std::path::Path) -> (String, Save) {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let bytes = std::fs::read(path).unwrap();
    let save = satisfactory::read(&bytes, &ReadOptions::default(), &mut Report::default());
    (name, save.unwrap())
}

/// A save of the corpus; `None` without it.
pub fn real(name: &str) -> Option<Save> {
    let path = corpus::folder()?.join("satisfactory").join(name);
    path.is_file().then(|| named(&path).1)
}

/// True if the corpus has the saves that the counts of these tests are of; any other folder may be one too.
pub fn has_known_saves() -> bool {
    let known = ["Dunarr-019.sav", "Dunarr-027.sav", "Release-032.sav"];
    corpus::folder().is_some_and(|folder| {
        let folder = folder.join("satisfactory");
        known.iter().all(|name| folder.join(name).is_file())
    })
}

/// True from game 1.0 on.
pub fn is_of_1_0(save: &Save) -> bool {
    save.header.save_version >= 43 && save.header.map_name.is("Persistent_Level")
}
