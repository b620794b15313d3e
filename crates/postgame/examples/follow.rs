//! Prints the events of a Slippi game while it is played: `cargo run --example follow -- game.slp`.

use std::error::Error;
use std::fs::File;
use std::io::{Read, Write};
use std::time::Duration;

use postgame::slippi::live::{LiveEvent, LiveReader};

/// Reads a growing file until the game ends.
pub fn run(path: &str, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let mut file = File::open(path)?;
    let mut reader = LiveReader::new();
    while !reader.is_done() && !reader.is_broken() {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        for event in reader.feed(&bytes) {
            match event {
                LiveEvent::Start(start) => writeln!(output, "stage {}", start.info.stage)?,
                LiveEvent::Finalised { frame } => writeln!(output, "frame {frame} is final")?,
                LiveEvent::Broken { problem, .. } => writeln!(output, "{problem}")?,
                _ => {}
            }
        }
        std::thread::sleep(Duration::from_millis(4));
    }
    Ok(())
}

// The tests have this file as a module, which has no main.
#[allow(dead_code)]
fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: follow REPLAY")?;
    run(&path, &mut std::io::stdout().lock())
}
