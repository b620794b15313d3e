//! Facts and the recordings they are about.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use postgame::slippi::Replay;
use postgame::slippi::controllers::{Controller, controllers};
use postgame::slippi::learning::{Column, columns};
use postgame::slippi::model::frames::Copies;
use postgame::slippi::stats::{Analysis, analyse};
use postgame::{ReadOptions, Recording, Report};
use serde::Deserialize;
use serde_json::Value;

/// Names another list of facts.
pub const OTHER_FACTS: &str = "POSTGAME_SLIPPI_FACTS";

/// A line of the list.
#[derive(Debug, Deserialize)]
pub struct Fact {
    /// The recording, below the folder that also has the corpus.
    pub path: String,
    pub kind: String,
    pub fact: String,
    pub value: Value,
    #[serde(default = "eq")]
    pub op: String,
    pub tolerance: Option<f64>,
    pub port: Option<u8>,
    #[serde(default)]
    pub params: Value,
    #[serde(default)]
    pub trust: String,
    /// The combo filter's result for the finished game.
    pub whole_game: Option<u64>,
}

fn eq() -> String {
    "eq".to_owned()
}

/// A recording and what is known of it.
pub struct File {
    pub bytes: Vec<u8>,
    pub replay: Replay,
    pub report: Report,
    pub analysis: Analysis,
    controllers: OnceCell<Vec<Controller>>,
    columns: OnceCell<Option<Vec<Column>>>,
}

impl File {
    /// The controllers, found once.
    pub fn controllers(&self) -> &[Controller] {
        self.controllers.get_or_init(|| controllers(&self.replay))
    }

    /// The columns for machine learning, made once.
    pub fn columns(&self) -> Option<&[Column]> {
        let columns = self
            .columns
            .get_or_init(|| columns(&self.replay, Copies::First));
        columns.as_deref()
    }
}

/// The recording read last: facts about one follow each other.
pub struct Recordings {
    shared: PathBuf,
    read: HashMap<String, Option<File>>,
}

impl Recordings {
    /// The recording at a path; `None` if it cannot be read.
    pub fn read(&mut self, path: &str) -> Option<&File> {
        if !self.read.contains_key(path) {
            let file = std::fs::read(self.shared.join(path)).unwrap();
            self.read.clear();
            self.read.insert(path.to_owned(), open(file));
        }
        self.read.get(path)?.as_ref()
    }
}

fn open(bytes: Vec<u8>) -> Option<File> {
    let (recording, report) = postgame::read(&bytes, &ReadOptions::default()).ok()?;
    let Recording::Slippi(replay) = recording else {
        return None;
    };
    let analysis = analyse(&replay);
    Some(File {
        bytes,
        replay: *replay,
        report,
        analysis,
        controllers: OnceCell::new(),
        columns: OnceCell::new(),
    })
}

/// The folder with the corpus and the facts.
fn shared() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let corpus = match std::env::var_os("POSTGAME_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => root.join("../shared/corpus"),
    };
    Some(corpus.parent()?.to_owned())
}

/// All replays beside the corpus and the facts with their names, one at a time; `None` where there are none.
pub fn replays() -> Option<impl Iterator<Item = (String, File)>> {
    let shared = shared()?;
    let mut paths = Vec::new();
    for folder in ["corpus/slippi", "facts/slippi"] {
        let Ok(entries) = std::fs::read_dir(shared.join(folder)) else {
            eprintln!("NO REPLAYS in {folder}: nothing is tested");
            return None;
        };
        paths.extend(entries.map(|entry| entry.unwrap().path()));
    }
    paths.retain(|path| path.extension().is_some_and(|one| one == "slp"));
    paths.sort();
    Some(paths.into_iter().filter_map(|path| {
        let name = path.file_name()?.to_str()?.to_owned();
        Some((name, open(std::fs::read(path).ok()?)?))
    }))
}

/// The facts, sorted by recording; `None` where there are none.
pub fn load() -> Option<(Vec<Fact>, Recordings)> {
    let shared = shared()?;
    let list = match std::env::var_os(OTHER_FACTS) {
        Some(list) => PathBuf::from(list),
        None => shared.join("facts/slippi/facts.jsonl"),
    };
    let Ok(text) = std::fs::read_to_string(&list) else {
        eprintln!("NO FACTS at {}: nothing is tested", list.display());
        return None;
    };
    let facts = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let mut facts: Vec<Fact> = facts.collect();
    facts.sort_by(|one, other| one.path.cmp(&other.path));
    let read = HashMap::new();
    Some((facts, Recordings { shared, read }))
}
