//! A bug that one recording brings to light is the failure of that recording: the others are read, the server goes on.
//!
//! `cargo xtask release-test` runs these on the release build, where a profile could make panics end the program.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::run::{command, root, run};

/// Two samples, and between them a file that makes the library panic.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let samples = root().join("samples");
    std::fs::copy(samples.join("bout.replay"), folder.path().join("a.replay")).unwrap();
    let broken = folder.path().join("b.replay");
    std::fs::write(broken, postgame::recording::TEST_PANIC).unwrap();
    std::fs::copy(samples.join("duel.slp"), folder.path().join("c.slp")).unwrap();
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn ingest_goes_on_after_a_panic() {
    let (folder, out) = (folder(), tempfile::tempdir().unwrap());
    let out = out.path().join("replays");
    let ingested = run(&["ingest", text(folder.path()), "-o", text(&out)], &[]);
    assert_eq!(ingested.code, 1, "{}", ingested.stderr);
    assert!(ingested.stderr.contains("b.replay"), "{}", ingested.stderr);
    assert!(
        ingested.stderr.contains("asked for by a test"),
        "{}",
        ingested.stderr
    );
    let segments = std::fs::read_dir(out.join("_segments")).unwrap();
    let lists = segments.map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap());
    let lists: String = lists.collect();
    assert!(
        lists.contains("a.replay") && lists.contains("c.slp"),
        "{lists}"
    );
    assert!(!lists.contains("b.replay"), "{lists}");
}

#[test]
fn commands_that_show_recordings_go_on_after_a_panic() {
    let folder = folder();
    for command in ["info", "events", "stats", "probe"] {
        let shown = run(&[command, "--json", text(folder.path())], &[]);
        assert_eq!(shown.code, 2, "{command}: {}", shown.stderr);
        let is_told = shown.stderr.contains("b.replay: a bug in postgame");
        assert!(is_told, "{command}: {}", shown.stderr);
        let printed = shown.text();
        assert!(printed.contains("a.replay") && printed.contains("c.slp"));
    }
}

#[test]
fn export_goes_on_after_a_panic() {
    let folder = folder();
    let table = ["--table", "recordings", "--to", "csv"];
    let exported = run(
        &[&["export", text(folder.path())], &table[..]].concat(),
        &[],
    );
    assert_eq!(exported.code, 2, "{}", exported.stderr);
    assert!(exported.stderr.contains("b.replay"), "{}", exported.stderr);
    let rows = exported.text();
    assert!(
        rows.contains("a.replay") && rows.contains("c.slp"),
        "{rows}"
    );
}

#[test]
fn the_viewer_goes_on_after_a_panic() {
    let folder = folder();
    let mut child = command()
        .args(["view", "--no-open", text(folder.path())])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut address = String::new();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut address).unwrap();
    if address.is_empty() {
        let mut stderr = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut stderr)
            .unwrap();
        child.wait().unwrap();
        assert!(stderr.contains("cargo xtask web"), "{stderr}");
        eprintln!("skipped: the program was built without the page");
        return;
    }
    let ask = |path: &str| {
        let rest = address.trim().strip_prefix("http://").unwrap();
        let (host, token) = rest.split_once('/').unwrap();
        let mut stream = TcpStream::connect(host).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        let request =
            format!("GET /{token}{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    };
    let start = Instant::now();
    while !ask("api/recordings").contains("\"read\":3") {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "the list is never full"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(ask("api/recordings").contains("asked for by a test"));
    for _ in 0..5 {
        let answer = ask("api/recordings/1/outline");
        assert!(
            answer.starts_with("HTTP/1.1 500") && answer.contains("asked for by a test"),
            "{answer}"
        );
        for id in [0, 2] {
            let answer = ask(&format!("api/recordings/{id}/outline"));
            assert!(answer.starts_with("HTTP/1.1 200"), "{id}");
        }
    }
    assert!(child.try_wait().unwrap().is_none(), "the server has ended");
    child.kill().unwrap();
    child.wait().unwrap();
}
