//! Files that would take all memory, given to every command with an address space of one gigabyte.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use postgame::rumble::archive::Archive;
use postgame::rumble::model::Codec;

use crate::run::{root, run};

/// Address space for a run, in kilobytes, as the issue has it.
const MAX_ADDRESS_SPACE_KB: u32 = 1_000_000;

/// A bomb is noticed in seconds; the dev profile and a busy machine take some more.
const PATIENCE: Duration = Duration::from_secs(60);

/// The hostile files beside the corpus that would take all memory; none if there is no corpus.
fn attack() -> Vec<PathBuf> {
    let mut files = postgame_testing::corpus::attack_files();
    files.retain(|path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        name.starts_with("bomb") || name.starts_with("deep")
    });
    files
}

/// Runs the command with little address space; its exit status and what it says on standard error.
fn run_small(arguments: &[&str]) -> (i32, String) {
    let start = Instant::now();
    let script = format!("ulimit -v {MAX_ADDRESS_SPACE_KB} && exec \"$0\" \"$@\"");
    let output = Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_postgame")])
        .args(arguments)
        .current_dir(root())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert!(
        start.elapsed() < PATIENCE,
        "{arguments:?} takes {:?}",
        start.elapsed()
    );
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let code = output.status.code();
    (
        code.unwrap_or_else(|| panic!("{arguments:?}: {:?}: {said}", output.status)),
        said,
    )
}

/// A file through every command: none is killed, and those that read all of a bomb fail and say why.
fn no_command_dies(path: &Path, folder: &Path) {
    let file = path.to_str().unwrap();
    let out = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (glb, repaired) = (out("out.glb"), out("repaired"));
    let (csv, parquet) = (out("out.csv"), out("out.parquet"));
    let read_all: [&[&str]; 9] = [
        &["check", file],
        &["json", file],
        &["events", file],
        &["stats", file],
        &["probe", file],
        &["repair", file, "-o", &repaired],
        &["export", file, "-o", &glb],
        &["export", file, "--table", "events", "-o", &parquet],
        &["compare", file, file],
    ];
    // These read the header, or nothing of another game's recording.
    let read_less: [&[&str]; 5] = [
        &["info", file],
        &["info", "--long", file],
        &["export", file, "--table", "recordings", "-o", &csv],
        &[
            "export",
            file,
            "--table",
            "frames_players",
            "--fps",
            "30",
            "-o",
            &csv,
        ],
        &["export", file, "--table", "objects", "-o", &csv],
    ];
    let name = path.file_name().unwrap().to_string_lossy();
    let is_bomb = !name.starts_with("deep");
    for (number, arguments) in read_all.iter().chain(&read_less).enumerate() {
        let (code, said) = run_small(arguments);
        let must_fail = is_bomb && number < read_all.len();
        assert!(
            (i32::from(must_fail)..=2).contains(&code),
            "{arguments:?} ends with {code}: {said}"
        );
        assert!(
            code != 2 || !said.trim().is_empty(),
            "{arguments:?} says nothing"
        );
        assert!(!said.contains("panicked"), "{arguments:?}: {said}");
        assert!(!said.contains("memory allocation"), "{arguments:?}: {said}");
    }
}

#[test]
fn no_command_dies_of_a_bomb() {
    let folder = tempfile::tempdir().unwrap();
    for path in attack() {
        no_command_dies(&path, folder.path());
    }
    // One of our own, wherever there is no corpus.
    let bomb = folder.path().join("own.replay");
    fs::write(&bomb, brotli_bomb()).unwrap();
    no_command_dies(&bomb, folder.path());
}

fn brotli_bomb() -> Vec<u8> {
    let frames = [&b"RPLY"[..], &vec![0; 100 << 20]].concat();
    let mut archive = Archive::new();
    let manifest = archive.add("manifest.json", true);
    manifest.replace(br#"{"Version":"1"}"#).unwrap();
    let packed = Codec::Brotli.deflate(&frames).unwrap();
    archive.add("replay", false).replace(&packed).unwrap();
    archive.write().unwrap()
}

#[test]
fn in_a_folder_a_bomb_is_one_failed_file() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("in");
    fs::create_dir_all(&inside).unwrap();
    let samples = ["bout.replay", "duel.replay", "duel.slp"];
    for name in samples {
        fs::copy(root().join("samples").join(name), inside.join(name)).unwrap();
    }
    fs::write(inside.join("own.replay"), brotli_bomb()).unwrap();
    let packed = Codec::Gzip.deflate(&vec![0; 150 << 20]).unwrap();
    fs::write(inside.join("own.slp.gz"), packed).unwrap();
    let mut bombs = 2;
    for path in attack() {
        fs::copy(&path, inside.join(path.file_name().unwrap())).unwrap();
        // Too deep a manifest is one that is not read; the recording is.
        bombs += usize::from(!path.to_string_lossy().contains("deep-"));
    }
    let output = folder.path().join("out");
    let (inside, output) = (inside.to_str().unwrap(), output.to_str().unwrap());
    let (code, said) = run_small(&["ingest", inside, "-o", output]);
    assert_eq!(code, 1, "{said}");
    assert_eq!(said.lines().count(), bombs, "{said}");
    assert!(said.contains("--max-memory"), "{said}");
    for bomb in ["own.replay", "own.slp.gz"] {
        assert!(said.contains(bomb), "{bomb} was read: {said}");
    }
    for name in samples {
        assert!(
            !said.contains(&format!("/{name}")),
            "{name} was not read: {said}"
        );
    }
    // The segments' lists name what was added.
    let lists = fs::read_dir(folder.path().join("out/_segments")).unwrap();
    let lists: String = lists
        .map(|list| fs::read_to_string(list.unwrap().path()).unwrap())
        .collect();
    for name in samples {
        assert!(lists.contains(name), "{name} is not in the data set");
    }
}

#[test]
fn max_memory_lowers_and_raises_the_budget() {
    let sample = "samples/bout.replay";
    let low = run(&["check", sample, "--max-memory", "1KB"], b"");
    assert_eq!(low.code, 2);
    assert!(
        low.stderr
            .contains("but 1 KiB are allowed for this file (to allow more: --max-memory 128MB)"),
        "{}",
        low.stderr
    );
    let high = run(&["--max-memory", "2GB", "check", sample], b"");
    assert_eq!(high.code, 0, "{}", high.stderr);
    let wrong = run(&["check", sample, "--max-memory", "much"], b"");
    assert_eq!(wrong.code, 2);
    assert!(
        wrong.stderr.contains("sizes are like 512MB or 2GB"),
        "{}",
        wrong.stderr
    );
}
