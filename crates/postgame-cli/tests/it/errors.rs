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

#[test]
fn names_cannot_play_tricks_on_a_terminal() {
    let json = run(&["json", "samples/bout.replay"], b"").text();
    let evil = json.replacen("\"name\":\"Ada\"", "\"name\":\"\\u001b[31mAda\\u0007\"", 1);
    assert_ne!(evil, json);
    let built = run(&["build", "-"], evil.as_bytes());
    let info = run(&["info", "-"], &built.stdout);
    assert_eq!(info.code, 0);
    assert!(
        !info.text().contains('\u{1b}') && !info.text().contains('\u{7}'),
        "{}",
        info.text()
    );
}
