//! Prints every update of a Rocket League replay as JSON: `cargo run --example updates -- duel.replay`.

use std::error::Error;
use std::io::Write;

use postgame::{ReadOptions, Recording};

/// Prints frame, time, actor, object, attribute and value of each update, one JSON object per line.
pub fn run(path: &str, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let bytes = std::fs::read(path)?;
    let (recording, _) = postgame::read(&bytes, &ReadOptions::default())?;
    let Recording::RocketLeague(replay) = recording else {
        return Err("not a Rocket League replay".into());
    };
    for update in replay.updates() {
        serde_json::to_writer(&mut *output, &update)?;
        writeln!(output)?;
    }
    Ok(())
}

// The tests have this file as a module, which has no main.
#[allow(dead_code)]
fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: updates REPLAY")?;
    run(&path, &mut std::io::stdout().lock())
}
