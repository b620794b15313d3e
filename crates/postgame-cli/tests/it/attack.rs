//! Hostile and damaged files, given to every command with an address space of one gigabyte.

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

/// The hostile files beside the corpus; none if there is no corpus.
fn attack() -> Vec<PathBuf> {
    postgame_testing::corpus::attack_files()
}

/// True for a file that would take all memory: whoever reads all of it must fail.
fn is_bomb(path: &Path) -> bool {
    name(path).starts_with("bomb")
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
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
    let (glb, repaired, built) = (out("out.glb"), out("repaired"), out("built"));
    let (csv, parquet, voices) = (out("out.csv"), out("out.parquet"), out("voices"));
    let (slpz, set, npy) = (out("out.slpz"), out("set"), out("out.npy"));
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
    // These read the header, or nothing of another game's recording, or fail because the file is not what they take.
    let read_less: [&[&str]; 21] = [
        &["info", file],
        &["info", "--long", file],
        &["info", "--json", file],
        &["check", "--json", file],
        &["events", "--json", file],
        &["stats", "--json", file],
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
        &["export", file, "--to", "voices", "-o", &voices],
        &[
            "export", file, "--table", "features", "--fps", "10", "-o", &npy,
        ],
        &["flow", file, "screws"],
        &["nearest", file, "--at", "0,0"],
        &["plan", file],
        &["clips", file],
        &["sets", file],
        &["controllers", file],
        &["slpz", file, "-o", &slpz],
        &["build", file, "-o", &built],
        &["tail", file, "--timeout", "0.5"],
        &["ingest", file, "-o", &set],
    ];
    for (number, arguments) in read_all.iter().chain(&read_less).enumerate() {
        let (code, said) = run_small(arguments);
        let must_fail = is_bomb(path) && number < read_all.len();
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
        assert!(
            !said.chars().any(is_active),
            "{arguments:?} prints control characters: {said:?}"
        );
    }
}

/// True for a character that changes what a terminal shows.
fn is_active(letter: char) -> bool {
    let is_control = letter.is_control() && letter != '\n';
    is_control || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[test]
fn no_command_dies_of_a_hostile_file() {
    let folder = tempfile::tempdir().unwrap();
    for path in attack() {
        no_command_dies(&path, folder.path());
    }
    // One of our own, wherever there is no corpus.
    let bomb = folder.path().join("bomb-own.replay");
    fs::write(&bomb, brotli_bomb()).unwrap();
    no_command_dies(&bomb, folder.path());
}

/// The finding by which `check --json` says that data is lost.
const LOST: &str = "\"severity\":\"lost\"";

/// Repairs a file by the command. The result has nothing lost, repairing it again changes nothing, and the exit status
/// is 1: none of these files can be proven to be what was recorded.
fn is_clean_after_repair(path: &Path, folder: &Path) {
    let out = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (repaired, again) = (out("repaired"), out("again"));
    let (code, said) = run_small(&["repair", path.to_str().unwrap(), "-o", &repaired]);
    assert_eq!(code, 1, "{}: {said}", path.display());
    let checked = run(&["check", "--json", &repaired], b"");
    assert!(checked.code < 2, "{}: {}", path.display(), checked.stderr);
    assert!(
        !checked.text().contains(LOST),
        "{}: {}",
        path.display(),
        checked.text()
    );
    let (code, said) = run_small(&["repair", &repaired, "-o", &again]);
    assert_eq!(code, 0, "{}, again: {said}", path.display());
    assert!(fs::read(&repaired).unwrap() == fs::read(&again).unwrap());
}

#[test]
fn damaged_files_are_clean_after_repair_and_not_called_whole() {
    let folder = tempfile::tempdir().unwrap();
    let is_damaged = |path: &PathBuf| {
        let name = name(path);
        name.contains("repair-unclean")
            || name.starts_with("rl-onebit")
            || name.starts_with("zip-zero512")
    };
    for path in attack().into_iter().filter(is_damaged) {
        is_clean_after_repair(&path, folder.path());
    }
    // One of our own, wherever there is no corpus: a bit in a name.
    let mut bytes = fs::read(root().join("samples/duel.replay")).unwrap();
    let mut windows = bytes.windows(10);
    let at = windows.position(|window| window == b"PlayerName").unwrap();
    bytes[at + 40] ^= 1;
    let own = folder.path().join("own.replay");
    fs::write(&own, bytes).unwrap();
    is_clean_after_repair(&own, folder.path());
    // What `LOST` is compared with is what the command prints.
    let cut = fs::read(root().join("samples/duel.slp")).unwrap();
    fs::write(&own, &cut[..cut.len() / 2]).unwrap();
    let checked = run(&["check", "--json", own.to_str().unwrap()], b"");
    assert!(checked.text().contains(LOST), "{}", checked.text());
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
    for path in attack().into_iter().filter(|path| is_bomb(path)) {
        fs::copy(&path, inside.join(name(&path))).unwrap();
        bombs += 1;
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
