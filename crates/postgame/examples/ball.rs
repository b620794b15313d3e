//! Prints where the ball of a Rocket League replay was: `cargo run --example ball -- duel.replay`.

use std::error::Error;
use std::io::Write;

use postgame::ReadOptions;

/// Prints a line for every recorded position: seconds and metres.
pub fn run(path: &str, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let bytes = std::fs::read(path)?;
    let (recording, _) = postgame::read(&bytes, &ReadOptions::default())?;
    let analysis = recording.analysis();
    for ball in analysis.timeline().of_kind("ball") {
        for (time_s, [x, y, z]) in ball.positions() {
            writeln!(output, "{time_s:.3} {x:.2} {y:.2} {z:.2}")?;
        }
    }
    Ok(())
}

// The tests have this file as a module, which has no main.
#[allow(dead_code)]
fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: ball REPLAY")?;
    run(&path, &mut std::io::stdout().lock())
}
