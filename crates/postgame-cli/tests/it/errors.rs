//! What cannot be read: one clear line each, exit code 2, and a folder run goes on with the rest.

use std::fs;

use crate::run::{root, run};

/// A PNG of one pixel, as far as anybody looks.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0";

#[test]
fn each_gets_one_clear_line() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let empty_folder = folder.path().join("nothing");
    fs::create_dir(&empty_folder).unwrap();
    let cases = [
        (put("empty.replay", b""), "the file is empty"),
        (
            put("text.replay", b"hello there\n"),
            "not a recording Postgame knows: it looks like a text file",
        ),
        (
            put("picture.replay", PNG),
            "not a recording Postgame knows: it looks like a PNG picture",
        ),
        (
            put("zip.replay", b"PK\x03\x04rest"),
            "not a recording Postgame knows: it looks like a ZIP archive that holds no replay",
        ),
        (
            put("noise.replay", &[7; 300]),
            "not a recording Postgame knows",
        ),
        (
            put("stub.replay", b"RGZP"),
            "rumble: container.inflated_size: data ends early (wanted 4 bytes, 0 left) at 0x4",
        ),
        (
            folder
                .path()
                .join("missing.replay")
                .to_str()
                .unwrap()
                .to_owned(),
            "No such file or directory",
        ),
    ];
    for (path, message) in &cases {
        for subcommand in ["info", "check", "json", "repair"] {
            let run = run(&[subcommand, path], b"");
            assert_eq!(
                run.stderr,
                format!("postgame: {path}: {message}\n"),
                "{subcommand}"
            );
            assert_eq!((run.code, run.stdout.len()), (2, 0), "{subcommand} {path}");
        }
    }
    let directory = empty_folder.to_str().unwrap();
    for (subcommand, message) in [
        ("info", "there are no recordings in this folder"),
        ("check", "there are no recordings in this folder"),
        ("json", "this is a folder, not a recording"),
        ("repair", "this is a folder, not a recording"),
        ("build", "this is a folder, not a file"),
    ] {
        let run = run(&[subcommand, directory], b"");
        assert_eq!(
            run.stderr,
            format!("postgame: {directory}: {message}\n"),
            "{subcommand}"
        );
        assert_eq!(run.code, 2, "{subcommand}");
    }
}

#[test]
fn a_folder_run_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let sample = fs::read(root().join("samples/bout.replay")).unwrap();
    for (name, bytes) in [
        ("1-good.replay", &sample[..]),
        ("2-empty.replay", b""),
        ("3-text.replay", b"text"),
        ("4-good.replay", &sample),
        ("5-note.txt", b"not even looked at"),
    ] {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    let path = folder.path().to_str().unwrap();
    let info = run(&["info", path], b"");
    assert_eq!(
        (info.code, info.text().lines().count()),
        (2, 3),
        "{}",
        info.text()
    );
    assert_eq!(info.stderr.lines().count(), 2, "{}", info.stderr);
    let check = run(&["check", path], b"");
    assert_eq!((check.code, check.text().matches(": fine").count()), (2, 2));
    let json = run(&["info", "--json", path], b"");
    assert_eq!(
        json.text()
            .lines()
            .filter(|line| line.starts_with("{\"file\":"))
            .count(),
        2
    );
}

#[test]
fn bad_json_is_refused_with_its_place() {
    for (input, message) in [
        (
            "",
            "not a recording's JSON: EOF while parsing a value at line 1 column 0",
        ),
        (
            "{\"format\":\"tetris\",\"recording\":{}}",
            "unknown variant `tetris`",
        ),
        (
            "{\"format\":\"rumble\",\"recording\":{\"generation\":\"first\",\"replay\":{\"hat\":1}}}",
            "unknown field `hat`",
        ),
    ] {
        let run = run(&["build", "-"], input.as_bytes());
        assert_eq!((run.code, run.stdout.len()), (2, 0));
        assert!(
            run.stderr.starts_with("postgame: -: ") && run.stderr.contains(message),
            "{}",
            run.stderr
        );
        assert_eq!(run.stderr.lines().count(), 1);
    }
}

/// Everything that acts on a terminal or on the text around it.
fn is_active(letter: char) -> bool {
    matches!(letter, '\0'..='\u{9}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}')
        || matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}')
        || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[test]
fn names_cannot_play_tricks_on_a_terminal() {
    const EVIL: &str = "=1\u{1b}[31mA\u{7}\u{7f}\u{9b}2J\u{202e}d\u{2066}a\u{61c}\u{200f}";
    let json = run(&["json", "samples/bout.replay"], b"").text();
    let name = serde_json::to_string(EVIL).unwrap();
    let evil = json.replacen("\"name\":\"Ada\"", &format!("\"name\":{name}"), 1);
    assert_ne!(evil, json);
    let built = run(&["build", "-"], evil.as_bytes());
    assert_eq!(built.code, 0, "{}", built.stderr);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a\u{202e}\u{1b}[2J.replay");
    fs::write(&path, &built.stdout).unwrap();
    fs::write(folder.path().join("b\u{9b}\u{7}.replay"), b"").unwrap();
    for words in [
        &["info"][..],
        &["info", "--long"],
        &["info", "--json"],
        &["check"],
        &["check", "--json"],
        &["stats"],
        &["stats", "--json"],
        &["events"],
        &["events", "--json"],
        &["export", "--table", "players", "--to", "ndjson"],
    ] {
        let run = run(&[words, &[folder.path().to_str().unwrap()]].concat(), b"");
        let printed = run.text() + &run.stderr;
        assert!(!printed.contains(is_active), "{words:?} {printed:?}");
        assert!(
            printed.contains("b\\u{9b}\\u{7}.replay"),
            "{words:?} {printed}"
        );
    }
    // JSON is valid, and says the same.
    let again = run(&["json", path.to_str().unwrap()], b"").text();
    assert!(!again.contains(is_active));
    assert_eq!(run(&["build", "-"], again.as_bytes()).stdout, built.stdout);
    let table = [
        "export",
        path.to_str().unwrap(),
        "--table",
        "players",
        "--columns",
        "name",
    ];
    let rows = run(&[&table[..], &["--to", "ndjson"]].concat(), b"").text();
    let rows: Vec<serde_json::Value> = rows
        .lines()
        .map(|row| serde_json::from_str(row).unwrap())
        .collect();
    assert!(rows.iter().any(|row| row["name"] == EVIL), "{rows:?}");
    // In CSV it is not a formula.
    let csv = run(&table, b"").text();
    assert!(
        csv.contains(&format!("\n'{EVIL}\n")) && !csv.contains("\n="),
        "{csv:?}"
    );
}
