//! Which parts of the library may know of which: the rules of ARCHITECTURE.md that the compiler does not enforce.

use std::fs;
use std::path::{Path, PathBuf};

const GAMES: [&str; 4] = ["rocket_league", "rumble", "satisfactory", "slippi"];

/// The library's Rust files below a folder of `src`.
fn sources(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src")
        .join(folder);
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    assert!(!found.is_empty(), "{} has no sources", root.display());
    found
}

/// Asserts that no line of code below a folder contains a path; comments may.
fn assert_never_names(folder: &str, forbidden: &str) {
    for path in sources(folder) {
        for (number, line) in fs::read_to_string(&path).unwrap().lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            assert!(
                !code.contains(forbidden),
                "{}:{}: {forbidden} is off limits here",
                path.display(),
                number + 1
            );
        }
    }
}

#[test]
fn codecs_know_nothing_of_analyses() {
    for game in GAMES {
        assert_never_names(&format!("{game}/codec"), "analysis::");
    }
}

#[test]
fn games_know_nothing_of_each_other() {
    for game in GAMES {
        for other in GAMES.iter().filter(|other| **other != game) {
            assert_never_names(game, &format!("crate::{other}"));
        }
    }
}

#[test]
fn the_timeline_and_the_wire_know_no_game() {
    for folder in ["timeline", "wire"] {
        for game in GAMES {
            assert_never_names(folder, &format!("crate::{game}"));
        }
    }
}

/// A longer file has more than one subject.
const MAX_LINES: usize = 600;

#[test]
fn files_written_by_hand_are_short() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders: Vec<PathBuf> = ["crates", "bench", "xtask", "fuzz", "web/src", "web/tests"]
        .iter()
        .map(|folder| root.join(folder))
        .collect();
    let (mut files, mut long) = (0, Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() {
                if !["target", "node_modules"].contains(&name) && !name.starts_with('.') {
                    folders.push(path);
                }
                continue;
            }
            let extension = path.extension().and_then(|extension| extension.to_str());
            if !matches!(extension, Some("rs" | "ts" | "tsx" | "py")) {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let lines = text.lines().count();
            let is_generated = text.lines().take(3).any(|line| line.contains("enerated"));
            if lines > MAX_LINES && !is_generated {
                long.push(format!("{}: {lines} lines", path.display()));
            }
            files += 1;
        }
    }
    assert!(files > 500, "{files} files");
    assert!(long.is_empty(), "{long:#?}");
}
