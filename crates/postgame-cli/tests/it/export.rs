//! `postgame export --table`: kinds of files, columns, conditions, rates, mistakes.

use std::fs;

use crate::run::run;

#[test]
fn columns_and_conditions_decide_what_is_written() {
    let csv = |arguments: &[&str]| {
        let run = run(
            &[
                &["export", "samples/duel.slp", "--table", "frames"],
                arguments,
            ]
            .concat(),
            b"",
        );
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.text()
    };
    // The first frame of every game is -123, and both players are in it.
    assert_eq!(
        csv(&["--columns", "port,frame", "--where", "frame < -121"]),
        "port,frame\n0,-123\n0,-122\n1,-123\n1,-122\n"
    );
    assert_eq!(
        csv(&[
            "--columns",
            "frame",
            "--where",
            "port = 1 and (frame = -123 or frame = -100)"
        ]),
        "frame\n-123\n-100\n"
    );
    // Sixty frames a second: at ten, every sixth.
    assert_eq!(
        csv(&[
            "--columns",
            "frame",
            "--fps",
            "10",
            "--where",
            "port = 0 and frame < -105"
        ]),
        "frame\n-123\n-117\n-111\n"
    );
}

#[test]
fn a_folder_becomes_one_table_of_any_kind() {
    let folder = tempfile::tempdir().unwrap();
    for (name, begins) in [
        ("a.csv", &b"recording_id,time_s,"[..]),
        ("a.ndjson", b"{\"recording_id\":"),
        ("a.arrow", b"ARROW1"),
        ("a.parquet", b"PAR1"),
        ("a.npy", b"\x93NUMPY"),
    ] {
        let path = folder.path().join(name);
        let arguments = [
            "export",
            "samples",
            "--table",
            "recordings",
            "-o",
            path.to_str().unwrap(),
        ];
        let run = run(&arguments, b"");
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{name}");
        assert!(fs::read(&path).unwrap().starts_with(begins), "{name}");
    }
    let lines = fs::read_to_string(folder.path().join("a.ndjson")).unwrap();
    let files: Vec<String> = lines
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .map(|row| row["file"].as_str().unwrap().to_owned())
        .collect();
    assert!(files.len() == 7 && files.is_sorted(), "{files:?}");
    let columns = fs::read_to_string(folder.path().join("a.npy.columns.txt")).unwrap();
    assert_eq!(columns, "time_s\nfile_bytes\nduration_s\nframes\nplayers\n");
}

/// The shape that a matrix's header states, and its values.
fn matrix(bytes: &[u8]) -> (usize, usize, Vec<f32>) {
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let header = std::str::from_utf8(&bytes[10..10 + length]).unwrap();
    let shape = header
        .split("'shape': (")
        .nth(1)
        .unwrap()
        .split(')')
        .next()
        .unwrap();
    let (rows, columns) = shape.split_once(", ").unwrap();
    let values = bytes[10 + length..].chunks_exact(4);
    let values = values.map(|value| f32::from_le_bytes(value.try_into().unwrap()));
    (
        rows.parse().unwrap(),
        columns.parse().unwrap(),
        values.collect(),
    )
}

#[test]
fn features_are_a_row_a_moment() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("duel.npy");
    let arguments = [
        "export",
        "samples/duel.replay",
        "--table",
        "features",
        "--fps",
        "10",
        "-o",
    ];
    let run = run(&[&arguments[..], &[path.to_str().unwrap()]].concat(), b"");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let names = fs::read_to_string(folder.path().join("duel.npy.columns.txt")).unwrap();
    let names: Vec<&str> = names.lines().collect();
    let (rows, columns, values) = matrix(&fs::read(path).unwrap());
    assert_eq!((columns, values.len()), (names.len(), rows * columns));
    let column = |name: &str| names.iter().position(|one| *one == name).unwrap();
    for name in [
        "Ball - position z",
        "player 0 - linear velocity x",
        "player 1 - boost percent",
    ] {
        assert!(column(name) < columns);
    }
    let time = column("current time");
    for row in 1..rows {
        let step = values[row * columns + time] - values[(row - 1) * columns + time];
        assert!((step - 0.1).abs() < 1e-4, "{step}");
    }
}

#[test]
fn mistakes_are_said_in_a_line() {
    for (arguments, message) in [
        (&["samples"][..], "name a table with --table"),
        (
            &["samples", "--table", "frames", "--columns", "speed"],
            "frames has no column speed; it has recording_id, ",
        ),
        (
            &["samples", "--table", "frames", "--where", "speed > 1"],
            "frames has no column speed",
        ),
        (
            &["samples", "--table", "frames", "--where", "port >"],
            "the condition ends too early",
        ),
        (
            &["samples", "--table", "frames", "--where", "port = 'x'"],
            "port cannot be compared",
        ),
        (
            &["samples", "--table", "frames", "--fps", "0"],
            "--fps takes a number above 0",
        ),
        (
            &["samples", "--table", "frames", "-o", "a.xyz"],
            "nothing that can be written has this extension",
        ),
        (
            &["samples", "--table", "frames", "-o", "a.glb"],
            "a .glb holds motion, no table",
        ),
        (
            &["samples", "--to", "glb", "-o", "a.glb"],
            "this is a folder",
        ),
    ] {
        let run = run(&[&["export"], arguments].concat(), b"");
        assert_eq!(run.code, 2, "{arguments:?}");
        assert!(
            run.stderr.contains(message) && run.stderr.lines().count() == 1,
            "{}",
            run.stderr
        );
    }
    // What cannot be read is said, and the rest is written.
    let run = run(
        &[
            "export",
            "README.md",
            "samples/duel.slp",
            "--table",
            "recordings",
            "--columns",
            "file",
        ],
        b"",
    );
    assert_eq!(
        (run.code, run.text().as_str()),
        (2, "file\nsamples/duel.slp\n")
    );
    assert!(run.stderr.contains("README.md"), "{}", run.stderr);
}
