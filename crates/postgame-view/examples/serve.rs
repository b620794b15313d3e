//! Serves files and folders to the page alone: builds in a fraction of the time that the whole command takes.
//!
//! `cargo run -p postgame-view --example serve -- view --no-open PATHS…`, the arguments of `postgame view`, so that the
//! page's tests can run on it (`POSTGAME=…/examples/serve`).

use std::io::Write;
use std::path::{Path, PathBuf};

fn main() -> std::io::Result<()> {
    let mut files = Vec::new();
    for argument in std::env::args_os().skip(1) {
        let path = PathBuf::from(&argument);
        if path.exists() {
            collect(&path, &mut files)?;
        }
    }
    let server = postgame_view::Server::bind(files, 0)?;
    writeln!(std::io::stdout(), "{}", server.address())?;
    server.run()
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let mut entries: Vec<PathBuf> = std::fs::read_dir(path)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    entries.sort();
    for entry in entries {
        let ending = entry
            .extension()
            .and_then(|ending| ending.to_str())
            .unwrap_or_default();
        if entry.is_dir() || ["replay", "slp", "sav", "sbp", "sbpcfg", "rr"].contains(&ending) {
            collect(&entry, files)?;
        }
    }
    Ok(())
}
