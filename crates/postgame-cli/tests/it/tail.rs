//! Following a replay while it is written.

use std::fs::{self, OpenOptions};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use postgame_files::live::relay::Relay;

use crate::run::{command, root, run};

fn sample() -> Vec<u8> {
    fs::read(root().join("samples/duel.slp")).unwrap()
}

/// The sample as it is while the game runs: the length of its events not filled in.
fn live() -> Vec<u8> {
    let mut bytes = sample();
    bytes[11..15].fill(0);
    bytes
}

fn tail(path: &Path, more: &[&str]) -> Child {
    let mut tail = command();
    tail.arg("tail")
        .arg(path)
        .args(more)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    tail.spawn().unwrap()
}

fn append(path: &Path, bytes: &[u8]) {
    OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)
        .unwrap()
        .write_all(bytes)
        .unwrap();
}

/// Waits for a program's end, but not for ever.
fn wait(mut child: Child) -> (i32, String, String) {
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("tail does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn a_whole_file_is_told_to_its_end() {
    let run = run(&["tail", "samples/duel.slp"], b"");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert_eq!(
        run.text(),
        "   start  Battlefield: Ada (Fox), Ben (Marth) (recorder 3.18.0)\n \
         0:13.53  Ben (Marth) loses a stock, 3 left\n \
         0:17.93  end: no contest, won by Ada\n"
    );
}

#[test]
fn a_growing_file_is_kept_up_with() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.slp");
    let bytes = live();
    // Frames have 326 bytes at least; everything before the first one comes at once.
    let (before, frames) = bytes.split_at(1400);
    append(&path, before);
    let mut child = tail(&path, &["--json"]);
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let reading = std::thread::spawn(move || {
        let finalised = |line: &str| {
            let event: serde_json::Value = serde_json::from_str(line).unwrap();
            (event["event"] == "finalised").then(|| event["frame"].as_i64().unwrap())
        };
        let lines = lines.map_while(Result::ok);
        lines
            .filter_map(|line| Some((finalised(&line)?, Instant::now())))
            .collect::<Vec<(i64, Instant)>>()
    });
    // Two seconds of the game at its own pace, the rest as fast as it can.
    let mut written = Vec::new();
    for (index, frame) in frames.chunks(326).enumerate() {
        append(&path, frame);
        if index < 120 {
            written.push(Instant::now());
            std::thread::sleep(Duration::from_micros(16_667));
        }
    }
    let (code, _, errors) = wait(child);
    assert_eq!((code, errors.as_str()), (0, ""));
    let seen = reading.join().unwrap();
    let frames: Vec<i64> = seen.iter().map(|(frame, _)| *frame).collect();
    assert!(
        frames.is_sorted_by(|a, b| a < b),
        "a frame becomes final twice"
    );
    assert_eq!((frames.first(), frames.last()), (Some(&-123), Some(&1076)));
    assert!(
        frames.len() > 1190,
        "{} times something became final",
        frames.len()
    );
    // When the hundredth piece was written, some ninety frames were final a moment later.
    let behind = seen[90].1.saturating_duration_since(written[100]);
    assert!(behind < Duration::from_millis(500), "{behind:?} behind");
}

#[test]
fn truncation_and_rename_are_survived() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.slp");
    let bytes = live();
    append(&path, &bytes[..200_000]);
    let child = tail(&path, &["--timeout", "20"]);
    std::thread::sleep(Duration::from_millis(300));
    // The recorder starts over in the same file.
    fs::write(&path, &bytes[..100_000]).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    // It is moved away while it is written.
    let moved = folder.path().join("moved.slp");
    fs::rename(&path, &moved).unwrap();
    append(&moved, &bytes[100_000..]);
    let (code, text, errors) = wait(child);
    assert_eq!(code, 0, "{text}{errors}");
    assert!(errors.contains("begins anew"), "{errors}");
    assert_eq!(text.matches("start  Battlefield").count(), 2, "{text}");
    assert!(text.ends_with("end: no contest, won by Ada\n"), "{text}");
}

#[test]
fn a_new_file_of_the_same_name_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.slp");
    let bytes = live();
    append(&path, &bytes[..50_000]);
    let child = tail(&path, &["--timeout", "20"]);
    std::thread::sleep(Duration::from_millis(300));
    fs::rename(&path, folder.path().join("old.slp")).unwrap();
    let aside = folder.path().join("new.slp");
    append(&aside, &sample());
    fs::rename(&aside, &path).unwrap();
    let (code, text, errors) = wait(child);
    assert_eq!(code, 0, "{text}{errors}");
    assert!(text.ends_with("end: no contest, won by Ada\n"), "{text}");
}

#[test]
fn what_never_ends_can_be_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.slp");
    append(&path, &live()[..50_000]);
    let (code, _, errors) = wait(tail(&path, &["--timeout", "0.2"]));
    assert_eq!(code, 1);
    assert!(errors.contains("nothing more came"), "{errors}");
    fs::write(&path, b"hello").unwrap();
    let (code, text, _) = wait(tail(&path, &[]));
    assert_eq!(code, 1);
    assert!(text.contains("not a Slippi replay"), "{text}");
    let missing = run(&["tail", "there-is-no-such.slp"], b"");
    assert_eq!(missing.code, 2);
}

/// The sample's events alone: their length is at 11, the metadata comes after them.
fn events() -> Vec<u8> {
    let bytes = sample();
    let length = u32::from_be_bytes(*bytes[11..].first_chunk().unwrap()) as usize;
    bytes[15..15 + length].to_vec()
}

/// Passes the sample on as a relay; gives an address for `tail`.
fn relay() -> (Relay, String) {
    let relay = Relay::listen(0).unwrap();
    relay.begin();
    for piece in events().chunks(1000) {
        relay.events(piece);
    }
    let address = format!("relay://{}", relay.address());
    (relay, address)
}

#[test]
fn a_game_from_the_network_is_told_and_saved() {
    let folder = tempfile::tempdir().unwrap();
    let (_relay, address) = relay();
    let child = tail(
        Path::new(&address),
        &["--timeout", "20", "--save", folder.path().to_str().unwrap()],
    );
    let (code, text, errors) = wait(child);
    assert_eq!(code, 0, "{errors}");
    assert_eq!(text, run(&["tail", "samples/duel.slp"], b"").text());
    let saved = fs::read_dir(folder.path()).unwrap().next().unwrap();
    let saved = fs::read(saved.unwrap().path()).unwrap();
    assert!(saved[15..].starts_with(&events()));
    assert!(errors.contains("saved "), "{errors}");
}

#[test]
fn an_overlay_gets_the_events() {
    // Nothing comes: the port is open until tail gives up.
    let silent = Relay::listen(0).unwrap();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let address = format!("relay://{}", silent.address());
    let child = tail(
        Path::new(&address),
        &["--timeout", "20", "--ws", &port.to_string()],
    );
    let begin = Instant::now();
    let mut stream = loop {
        match std::net::TcpStream::connect(("127.0.0.1", port)) {
            Ok(stream) => break stream,
            Err(_) if begin.elapsed() < Duration::from_secs(20) => {
                std::thread::sleep(Duration::from_millis(20));
            }
            Err(error) => panic!("{error}"),
        }
    };
    stream
        .write_all(
            b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
              Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        )
        .unwrap();
    let mut answer = BufReader::new(stream.try_clone().unwrap());
    let mut line = String::new();
    while answer.read_line(&mut line).unwrap() > 2 {}
    assert!(line.contains("101"), "{line}");
    // The answer to this key, from RFC 6455.
    assert!(line.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), "{line}");
    silent.begin();
    silent.events(&events());
    drop(silent);
    let mut frames = Vec::new();
    answer.read_to_end(&mut frames).unwrap();
    let (code, text, errors) = wait(child);
    assert_eq!(code, 0, "{text}{errors}");
    let frames = String::from_utf8_lossy(&frames);
    assert!(frames.contains("\"event\":\"payloads\""));
    assert!(frames.contains("\"event\":\"start\""));
    let finalised = frames.matches("\"event\":\"finalised\"").count();
    assert!(finalised > 1190, "{finalised} times something became final");
}
