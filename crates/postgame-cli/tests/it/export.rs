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
    assert!(files.len() == 9 && files.is_sorted(), "{files:?}");
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
        "Player 0 - linear velocity x",
        "Player 1 - boost percent",
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
fn groups_of_features_are_chosen_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("duel.npy");
    let arguments = [
        "export",
        "samples/duel.replay",
        "--table",
        "features",
        "--groups",
        "BallRigidBodyBasis,PlayerJump,PlayerEvent:touch,LabelNextGoal:5,LabelNextTouch",
        "--normalise",
        "-o",
    ];
    let run = run(&[&arguments[..], &[path.to_str().unwrap()]].concat(), b"");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let names = fs::read_to_string(folder.path().join("duel.npy.columns.txt")).unwrap();
    let names: Vec<&str> = names.lines().collect();
    // Columns of the game come first, then those of each of the two players.
    assert_eq!(names.len(), 15 + 2 + 3 + 2 * (3 + 1));
    assert_eq!(names[3], "Ball - forward x");
    assert_eq!(names[15], "label - blue scores within 5 s");
    assert_eq!(names[20], "Player 0 - dodge active");
    let (rows, columns, values) = matrix(&fs::read(path).unwrap());
    let column = |name: &str| names.iter().position(|one| *one == name).unwrap();
    let of = |name: &str| {
        (0..rows)
            .map(|row| values[row * columns + column(name)])
            .collect::<Vec<_>>()
    };
    // A unit vector's parts are within 1, and so is a ball within the field after scaling.
    assert!(
        of("Ball - forward x")
            .iter()
            .all(|part| part.is_nan() || part.abs() <= 1.001)
    );
    assert!(
        of("Ball - position y")
            .iter()
            .all(|part| part.is_nan() || part.abs() < 2.7)
    );
    let goals = of("label - blue scores within 5 s");
    assert!(goals.iter().all(|goal| *goal == 0.0 || *goal == 1.0));
    let ahead = of("label - next touch in s");
    assert!(
        ahead
            .iter()
            .all(|seconds| seconds.is_nan() || *seconds >= 0.0)
    );
}

#[test]
fn mistakes_are_said_in_a_line() {
    for (arguments, message) in [
        (&["samples"][..], "name a table with --table"),
        (
            &[
                "samples/duel.replay",
                "--table",
                "features",
                "--to",
                "npy",
                "--groups",
                "Boost",
            ],
            "there is no group of features called Boost; there are CurrentTime, ",
        ),
        (
            &["samples", "--table", "frames", "--normalise"],
            "--groups and --normalise are for the matrix --table features",
        ),
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
            "no output format has this extension",
        ),
        (
            &["samples", "--table", "frames", "-o", "a.glb"],
            "a .glb holds motion, not a table",
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

#[test]
fn a_part_of_a_recording_is_a_shorter_file() {
    let folder = tempfile::tempdir().unwrap();
    let glb = |name: &str, more: &[&str]| {
        let path = folder.path().join(name);
        let arguments = [
            "export",
            "samples/bout.replay",
            "-o",
            path.to_str().unwrap(),
        ];
        let run = run(&[&arguments, more].concat(), b"");
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        fs::read(path).unwrap().len()
    };
    let (whole, part) = (
        glb("a.glb", &[]),
        glb("b.glb", &["--from", "4", "--until", "6.5"]),
    );
    // An eighth of the time; the arena and the bodies are in both.
    assert!(part * 2 < whole, "{part} {whole}");
    for (arguments, says) in [
        (
            &["-o", "c.glb", "--from", "30"][..],
            "the recording goes from 0.00 s to 20.00 s",
        ),
        (
            &["-o", "c.glb", "--from", "5", "--until", "5"],
            "--from must be before --until",
        ),
        (
            &["--table", "events", "--from", "5"],
            "--from and --until are for glb",
        ),
    ] {
        let run = run(
            &[&["export", "samples/bout.replay"], arguments].concat(),
            b"",
        );
        assert_eq!(run.code, 2, "{arguments:?}");
        assert!(run.stderr.contains(says), "{}", run.stderr);
    }
}

#[test]
fn voices_become_files_and_none_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let voices = folder.path().join("voices");
    let arguments = [
        "export",
        "samples/bout-2026.replay",
        "--to",
        "voices",
        "-o",
        voices.to_str().unwrap(),
    ];
    let first = run(&arguments, b"");
    assert_eq!((first.code, first.stderr.as_str()), (0, ""));
    assert!(first.text().starts_with("3.00\tBo\t"), "{}", first.text());
    let file = voices.join("pBo_SAMPLE1_v0_150.ogg");
    assert!(fs::read(&file).unwrap().starts_with(b"OggS"));
    fs::write(&file, b"mine").unwrap();
    let second = run(&arguments, b"");
    assert_eq!(second.code, 2, "{}", second.stderr);
    assert_eq!(fs::read(&file).unwrap(), b"mine");
    let none = run(
        &["export", "samples/bout.replay", "--to", "voices", "-o", "x"],
        b"",
    );
    assert!(
        none.code == 2 && none.stderr.contains("second generation"),
        "{}",
        none.stderr
    );
}

/// The names in an archive are anybody's: they must not lead out of the folder.
#[test]
fn names_of_voices_cannot_leave_the_folder() {
    let bytes = fs::read(crate::run::root().join("samples/bout-2026.replay")).unwrap();
    let (recording, _) = postgame::read(&bytes, &postgame::ReadOptions::default()).unwrap();
    let postgame::Recording::Rumble(postgame::rumble::Replay::Second(mut replay)) = recording
    else {
        panic!()
    };
    for name in [
        "voices/../../up.ogg",
        "voices/a/b.ogg",
        "voices/c/b.ogg",
        "voices//etc/x.ogg",
        "voices/..",
    ] {
        replay.archive.add(name, false).replace(b"speech").unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let (file, inner) = (folder.path().join("evil.replay"), folder.path().join("a/b"));
    let recording = postgame::Recording::Rumble(postgame::rumble::Replay::Second(replay));
    fs::write(&file, recording.write().unwrap()).unwrap();
    let arguments = [
        "export",
        file.to_str().unwrap(),
        "--to",
        "voices",
        "-o",
        inner.to_str().unwrap(),
    ];
    let run = run(&arguments, b"");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let mut names: Vec<_> = fs::read_dir(&inner)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(
        names,
        [
            "2_b.ogg",
            "b.ogg",
            "pBo_SAMPLE1_v0_150.ogg",
            "up.ogg",
            "voice",
            "x.ogg"
        ]
    );
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        2,
        "nothing beside it"
    );
}
