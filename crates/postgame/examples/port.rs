//! Prints the inputs and the state of one port of a Slippi replay: `cargo run --example port -- game.slp`.

use std::error::Error;
use std::io::Write;

use postgame::{ReadOptions, Recording};

/// Prints a line per frame of port 1: the stick before the frame, action state and percent after it. Frames that were
/// computed again after a rollback are there once, as they counted.
pub fn run(path: &str, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let bytes = std::fs::read(path)?;
    let (recording, _) = postgame::read(&bytes, &ReadOptions::default())?;
    let Recording::Slippi(replay) = recording else {
        return Err("not a Slippi replay".into());
    };
    for frame in replay.port(1)?.frames() {
        let (Some(pre), Some(post)) = (frame.pre, frame.post) else {
            continue;
        };
        let (x, y) = (pre.joystick_x, pre.joystick_y);
        let (state, percent) = (post.action_state, post.percent);
        writeln!(output, "{} {x:.2} {y:.2} {state} {percent:.1}", frame.frame)?;
    }
    Ok(())
}

// The tests have this file as a module, which has no main.
#[allow(dead_code)]
fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: port REPLAY")?;
    run(&path, &mut std::io::stdout().lock())
}
