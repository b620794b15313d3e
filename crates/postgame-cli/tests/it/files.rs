//! Which files are opened, and where results are written.

use std::ffi::OsStr;
use std::fs;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::ingest::text;
use crate::run::{command, root, run};

/// Runs the command with a limit on its memory; it must end within seconds.
fn bounded(arguments: &[&OsStr]) -> Output {
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -v 1500000; exec \"$@\"", "sh"])
        .arg(env!("CARGO_BIN_EXE_postgame"))
        .args(arguments)
        .current_dir(root())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(30) {
            child.kill().unwrap();
            panic!("{arguments:?} hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

fn fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn only_regular_files_of_a_folder_are_opened() {
    let folder = tempfile::tempdir().unwrap();
    let (input, outside) = (folder.path().join("in"), folder.path().join("outside"));
    fs::create_dir_all(input.join("inner")).unwrap();
    fs::create_dir(&outside).unwrap();
    let good = input.join("inner/good.slp");
    fs::copy(root().join("samples/duel.slp"), &good).unwrap();
    fifo(&input.join("pipe.replay"));
    fifo(&outside.join("pipe"));
    symlink(outside.join("pipe"), input.join("link-to-pipe.slp")).unwrap();
    symlink("/dev/zero", input.join("zero.sav")).unwrap();
    symlink("/dev/urandom", input.join("random.zip")).unwrap();
    symlink("..", input.join("inner/round.slp")).unwrap();
    let _listener = UnixListener::bind(input.join("socket.slp")).unwrap();
    let set = folder.path().join("set");
    let frames = folder.path().join("players.csv");
    let commands: [&[&str]; 6] = [
        &["info"],
        &["check"],
        &["stats"],
        &["events"],
        &["export", "--table", "players", "-o", text(&frames)],
        &["ingest", "-o", text(&set)],
    ];
    for words in commands {
        let mut arguments: Vec<&OsStr> = words.iter().map(OsStr::new).collect();
        arguments.push(input.as_os_str());
        let output = bounded(&arguments);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{words:?} {said}");
        assert!(
            said.contains("in: skipped 2 FIFOs, 1 socket, 2 devices"),
            "{words:?} {said}"
        );
        assert_eq!(said.lines().count(), 1, "{said}");
        if words[0] == "ingest" {
            let summary = String::from_utf8(output.stdout).unwrap();
            assert!(
                summary.ends_with("0 could not be read, 5 skipped\n"),
                "{summary}"
            );
        }
    }
}

#[test]
fn a_device_that_is_named_is_refused_and_a_fifo_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("zero.replay");
    symlink("/dev/zero", &link).unwrap();
    let set = folder.path().join("set");
    for path in [Path::new("/dev/zero"), &link] {
        let commands: [&[&str]; 6] = [
            &["info"],
            &["check"],
            &["json"],
            &["build"],
            &["tail"],
            &["export", "--table", "players"],
        ];
        for words in commands {
            let mut arguments: Vec<&OsStr> = words.iter().map(OsStr::new).collect();
            arguments.push(path.as_os_str());
            let output = bounded(&arguments);
            assert_eq!(output.status.code(), Some(2), "{words:?}");
        }
        let arguments = ["ingest", text(path), "-o", text(&set)].map(OsStr::new);
        assert_eq!(bounded(&arguments).status.code(), Some(1));
    }
    let pipe = folder.path().join("pipe");
    fifo(&pipe);
    let sample = fs::read(root().join("samples/bout.replay")).unwrap();
    let to = pipe.clone();
    let feeding = std::thread::spawn(move || fs::write(to, sample));
    let info = bounded(&["info", "--json", text(&pipe)].map(OsStr::new));
    feeding.join().unwrap().unwrap();
    assert_eq!(info.status.code(), Some(0));
    // A pipe without end is given up, with a message, before it takes all memory.
    let mut endless = Command::new("sh")
        .args(["-c", "cat /dev/zero > \"$0\" 2>/dev/null"])
        .arg(&pipe)
        .spawn()
        .unwrap();
    let info = bounded(&["info", text(&pipe)].map(OsStr::new));
    endless.wait().unwrap();
    assert_eq!(info.status.code(), Some(2));
    assert_eq!(String::from_utf8(info.stderr).unwrap().lines().count(), 1);
}

#[test]
fn a_name_that_is_not_unicode_is_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    fs::create_dir(&input).unwrap();
    let name = OsStr::from_bytes(b"caf\xe9.slp");
    fs::copy(root().join("samples/duel.slp"), input.join(name)).unwrap();
    let set = folder.path().join("set");
    let ingest = run(&["ingest", text(&input), "-o", text(&set)], b"");
    assert_eq!(
        ingest.text(),
        "1 recordings added, 0 were there already, 0 could not be read\n"
    );
    for words in [
        &["info"][..],
        &["check"],
        &["export", "--table", "recordings"],
    ] {
        for path in [input.clone(), input.join(name)] {
            let output = command().args(words).arg(path).output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{words:?}");
            let printed = String::from_utf8(output.stdout).unwrap();
            assert!(printed.contains("caf\u{fffd}.slp"), "{printed}");
        }
    }
}

/// Writes a table to a path, and gives the table.
fn export(path: &Path) -> Vec<u8> {
    let table = [
        "export",
        "samples/bout.replay",
        "--table",
        "players",
        "--to",
        "csv",
    ];
    let expected = run(&table, b"").stdout;
    let written = run(&[&table[..], &["-o", text(path)]].concat(), b"");
    assert_eq!((written.code, written.stderr.as_str()), (0, ""));
    expected
}

#[test]
fn an_output_keeps_what_its_path_is() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("secret.csv"), "old").unwrap();
    fs::set_permissions(at("secret.csv"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("secret.csv", at("link.csv")).unwrap();
    let table = export(&at("link.csv"));
    assert!(at("link.csv").is_symlink());
    assert_eq!(fs::read(at("secret.csv")).unwrap(), table);
    let mode = fs::metadata(at("secret.csv")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    symlink("new.csv", at("dangling.csv")).unwrap();
    assert_eq!(
        fs::read(at("new.csv")).unwrap_or(export(&at("dangling.csv"))),
        table
    );
    assert_eq!(fs::read(at("new.csv")).unwrap(), table);
    // A FIFO has a reader.
    let pipe = at("pipe");
    fifo(&pipe);
    let from = pipe.clone();
    let reading = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        fs::File::open(from)?.read_to_end(&mut bytes)?;
        Ok::<_, std::io::Error>(bytes)
    });
    export(&pipe);
    assert_eq!(reading.join().unwrap().unwrap(), table);
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
    export(Path::new("/dev/null"));
    assert!(
        fs::metadata("/dev/null")
            .unwrap()
            .file_type()
            .is_char_device()
    );
    let names: Vec<PathBuf> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert_eq!(names.len(), 5, "{names:?}");
}

#[test]
fn standard_output_can_be_named() {
    let table = [
        "export",
        "samples/bout.replay",
        "--table",
        "players",
        "--to",
        "csv",
    ];
    let expected = run(&table, b"").stdout;
    let named = [&table[..], &["-o", "/dev/stdout"]].concat();
    assert_eq!(run(&named, b"").stdout, expected);
    // A file that the shell opened is written to, not replaced.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.csv");
    let file = fs::File::create(&path).unwrap();
    let status = command().args(&named).stdout(file).status().unwrap();
    assert!(status.success());
    assert_eq!(fs::read(&path).unwrap(), expected);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
