//! Prints a line for every recording in a folder: `cargo run --example recordings -- ~/Replays`.

use std::error::Error;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use postgame::Format;

/// Prints game, map and players of each recording, or why it cannot be read.
pub fn run(folder: &str, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if Format::is_plausible_name(&path.to_string_lossy()) {
            let line = describe(&path).unwrap_or_else(|error| error.to_string());
            writeln!(output, "{}: {line}", path.display())?;
        }
    }
    Ok(())
}

/// Reads no more than the header. One `Result` covers the file and the recording.
fn describe(path: &Path) -> postgame::Result<String> {
    let (recording, _) = postgame::read_header(File::open(path)?, &Default::default())?;
    let (game, summary) = (recording.format().game(), recording.summary());
    let players: Vec<&str> = summary.players.iter().map(|one| &*one.name).collect();
    let map = summary.map.unwrap_or_default();
    Ok(format!("{game}, {map}: {}", players.join(", ")))
}

// The tests have this file as a module, which has no main.
#[allow(dead_code)]
fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: recordings FOLDER")?;
    run(&folder, &mut std::io::stdout().lock())
}
