//! Against slippi-js and the ENet of npm, in a Node of their own.
//!
//! `npm install @slippi/slippi-js@9.1.2` in a folder, and `POSTGAME_SLIPPI_JS` names it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::SocketAddr;
use std::process::{Child, ChildStdout, Command, Stdio};

use crate::console::Faults;
use crate::{Game, check, console, dolphin, open, sample};
use postgame_files::live::relay::Relay;

/// A running script, which ends with the test.
struct Script {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Script {
    fn run(role: &str, port: u16) -> Option<Self> {
        let Some(folder) = std::env::var_os("POSTGAME_SLIPPI_JS") else {
            eprintln!("NO slippi-js: POSTGAME_SLIPPI_JS names no folder, so it is not compared");
            return None;
        };
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/live/slippi_js.cjs");
        let mut child = Command::new("node")
            .arg(script)
            .args([role, &port.to_string()])
            .env(
                "NODE_PATH",
                std::path::Path::new(&folder).join("node_modules"),
            )
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Some(Self { child, output })
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line.trim().to_owned()
    }

    fn address(&mut self) -> SocketAddr {
        let line = self.line();
        SocketAddr::from(([127, 0, 0, 1], line.parse().unwrap()))
    }
}

impl Drop for Script {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The number of bytes and of frames that the other side has to see.
fn expected(game: &Game) -> String {
    let starts = game
        .borders
        .windows(2)
        .filter(|pair| game.raw[pair[0]] == 0x3a);
    format!(
        "{} bytes, {} frame starts, end",
        game.raw.len(),
        starts.count()
    )
}

#[test]
fn slippi_js_reads_our_relay() {
    let relay = Relay::listen(0).unwrap();
    let Some(mut script) = Script::run("read-relay", relay.address().port()) else {
        return;
    };
    let game = sample();
    relay.begin();
    for piece in game.raw.chunks(777) {
        relay.events(piece);
    }
    assert_eq!(script.line(), expected(&game));
}

#[test]
fn we_read_the_relay_of_slippi_js() {
    let game = sample();
    // A relay passes on signs of life wherever they come, also inside of an event: nothing can tell them from data there.
    let faults = Faults {
        is_quiet: true,
        ..Faults::default()
    };
    let (console, serving) = console::serve(game.raw.clone(), "js", faults);
    let Some(mut script) = Script::run("relay", console.port()) else {
        return;
    };
    let mut session = open(&format!("relay://{}", script.address()));
    check("relay", &game, &mut session);
    drop((session, script));
    serving.join().unwrap();
}

#[test]
fn slippi_js_reads_our_stand_in_for_dolphin() {
    let game = sample();
    let messages = dolphin::messages(&game, "js");
    let (dolphin, serving) = dolphin::serve(messages, "js", 0, 0);
    let Some(mut script) = Script::run("read-dolphin", dolphin.port()) else {
        return;
    };
    assert_eq!(script.line(), expected(&game));
    serving.join().unwrap();
}

#[test]
fn we_read_a_dolphin_with_the_enet_of_npm() {
    let Some(mut script) = Script::run("dolphin", 0) else {
        return;
    };
    let game = sample();
    let messages = dolphin::messages(&game, "npm");
    let mut input = script.child.stdin.take().unwrap();
    for message in messages {
        writeln!(input, "{message}").unwrap();
    }
    drop(input);
    let mut session = open(&format!("dolphin://{}", script.address()));
    check("dolphin", &game, &mut session);
}
