//! Whose folder a data set is, and who writes to it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use crate::ingest::{contents, recordings, text};
use crate::run::{command, root, run};

/// The digests of the recordings that a data set lists. All files that are listed must be there.
fn listed(set: &Path) -> BTreeSet<String> {
    let mut digests = BTreeSet::new();
    for entry in fs::read_dir(set.join("_segments")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let list = fs::read(path).unwrap();
        let list: serde_json::Value = serde_json::from_slice(&list).unwrap();
        for file in list["files"].as_array().unwrap() {
            let path = set.join(file["path"].as_str().unwrap());
            let bytes = path.metadata().map(|file| file.len()).ok();
            assert_eq!(bytes, file["bytes"].as_u64(), "{}", path.display());
        }
        for recording in list["recordings"].as_array().unwrap() {
            let is_new = digests.insert(recording["sha256"].as_str().unwrap().to_owned());
            assert!(is_new, "a recording is listed twice");
        }
    }
    digests
}

fn digests(folder: &Path) -> BTreeSet<String> {
    let files = contents(folder);
    let digests = files.values().map(|file| postgame::sha256(file));
    digests.collect()
}

fn ingest(input: &Path, output: &Path, more: &[&str]) -> Command {
    let mut command = command();
    command
        .args(["ingest", text(input), "-o", text(output)])
        .args(["--tables", "recordings,players", "--segment-files", "2"])
        .args(["--threads", "1"])
        .args(more)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn said(output: &Output) -> String {
    String::from_utf8([&output.stdout[..], &output.stderr].concat()).unwrap()
}

#[test]
fn two_at_once_lose_nothing_in_thirty_trials() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    recordings(&one, &["duel.slp", "bout.replay"], 4);
    recordings(&two, &["bout.replay", "duel.slp"], 4);
    // One that both have.
    fs::copy(one.join("000000-duel.slp"), two.join("zz.slp")).unwrap();
    let both: BTreeSet<String> = digests(&one).union(&digests(&two)).cloned().collect();
    let mut refused = 0;
    for trial in 0..30 {
        let set = folder.path().join(format!("set-{trial}"));
        let more: &[&str] = if trial % 2 == 0 { &["--wait"] } else { &[] };
        let children = [&one, &two].map(|input| ingest(input, &set, more).spawn().unwrap());
        let outputs = children.map(|child| child.wait_with_output().unwrap());
        listed(&set);
        for (output, input) in outputs.iter().zip([&one, &two]) {
            if output.status.code() == Some(0) {
                continue;
            }
            let said = said(output);
            assert!(more.is_empty() && output.status.code() == Some(2), "{said}");
            assert!(said.contains("is writing to this data set"), "{said}");
            refused += 1;
            let again = ingest(input, &set, &[]).output().unwrap();
            assert!(again.status.success(), "{}", self::said(&again));
        }
        assert_eq!(listed(&set), both, "trial {trial}");
    }
    // Otherwise nothing was tested.
    assert!(refused > 0);
}

#[test]
fn who_is_writing_is_said_and_a_killed_process_blocks_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let (input, set) = (folder.path().join("in"), folder.path().join("set"));
    recordings(&input, &["duel.slp"], 2);
    assert!(ingest(&input, &set, &[]).status().unwrap().success());
    // Recordings come from a pipe that nobody writes to: it waits while it has the lock.
    let pipe = folder.path().join("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let mut child = ingest(&pipe, &set, &[]).spawn().unwrap();
    let lock = set.join("_lock");
    let start = Instant::now();
    while fs::read(&lock).unwrap().is_empty() {
        assert!(start.elapsed().as_secs() < 20);
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let refused = ingest(&input, &set, &[]).output().unwrap();
    let pid = child.id();
    let said = said(&refused);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        said.contains(&format!("process {pid} on ")) && said.contains("--wait"),
        "{said}"
    );
    child.kill().unwrap();
    child.wait().unwrap();
    let again = ingest(&input, &set, &[]).output().unwrap();
    assert!(again.status.success(), "{}", self::said(&again));
    assert_eq!(fs::read(&lock).unwrap(), b"");
}

#[test]
fn foreign_files_stay() {
    let folder = tempfile::tempdir().unwrap();
    let (input, set) = (folder.path().join("in"), folder.path().join("set"));
    recordings(&input, &["duel.slp"], 3);
    assert!(ingest(&input, &set, &[]).status().unwrap().success());
    let game = fs::read_dir(set.join("recordings"))
        .unwrap()
        .next()
        .unwrap();
    let game = game.unwrap().path();
    let foreign = [
        set.join("mine.parquet"),
        set.join("sub/folder/mine.parquet"),
        set.join("recordings/mine.parquet"),
        game.join("mine.parquet"),
        set.join("_aside/mine.parquet"),
        set.join("_journal/mine.parquet"),
        set.join("_journal/notes.json"),
        set.join("_journal/0123456789abcdef.json"),
        set.join("_segments/notes.txt"),
    ];
    for path in &foreign {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "mine").unwrap();
    }
    // A journal that names files which are not a run's own is not believed.
    let journal = serde_json::json!({
        "segment": "00ff", "files": ["mine.parquet", "../in/000000-duel.slp", "recordings/mine.parquet"],
    });
    fs::write(set.join("_journal/00ff.json"), journal.to_string()).unwrap();
    recordings(&input, &["duel.slp"], 5);
    let ingest = ingest(&input, &set, &[]).output().unwrap();
    assert!(ingest.status.success(), "{}", said(&ingest));
    for path in &foreign {
        assert_eq!(fs::read(path).unwrap(), b"mine", "{}", path.display());
    }
    assert_eq!(contents(&input).len(), 5);
    assert_eq!(listed(&set), digests(&input));
}

#[test]
fn a_folder_that_is_not_a_data_set_is_refused_untouched() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    recordings(&input, &["duel.slp"], 1);
    let cases: [(&str, &[(&str, &str)]); 6] = [
        ("parquet", &[("a/b.parquet", "rows"), ("c.parquet", "rows")]),
        ("hidden", &[(".git/HEAD", "ref")]),
        ("lists", &[("_segments/0123.json", "{\"steps\": []}")]),
        ("lock", &[("_lock", "apt")]),
        ("marker", &[("_postgame.json", "{\"name\": \"mine\"}")]),
        (
            "later",
            &[(
                "_postgame.json",
                "{\"format\": \"postgame data set\", \"version\": 99}",
            )],
        ),
    ];
    for (name, files) in cases {
        let set = folder.path().join(name);
        for (file, text) in files {
            let path = set.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let before = contents(&set);
        let refused = ingest(&input, &set, &[]).output().unwrap();
        let said = said(&refused);
        assert_eq!(refused.status.code(), Some(2), "{said}");
        assert!(said.lines().count() == 1 && said.contains(name), "{said}");
        let words = if name == "later" {
            "later version"
        } else {
            "nothing was changed"
        };
        assert!(said.contains(words), "{said}");
        assert!(contents(&set) == before, "{name}");
        assert_eq!(
            fs::read_dir(&set).unwrap().count(),
            1 + usize::from(name == "parquet")
        );
    }
    // An empty folder is taken, and a file is not.
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    assert!(ingest(&input, &empty, &[]).status().unwrap().success());
    let file = folder.path().join("file");
    fs::write(&file, "mine").unwrap();
    assert_eq!(ingest(&input, &file, &[]).status().unwrap().code(), Some(2));
    assert_eq!(fs::read(&file).unwrap(), b"mine");
}

#[test]
fn a_data_set_of_an_earlier_version_is_taken_over() {
    let folder = tempfile::tempdir().unwrap();
    let (input, set) = (folder.path().join("in"), folder.path().join("set"));
    recordings(&input, &["duel.slp", "bout.replay"], 4);
    assert!(ingest(&input, &set, &[]).status().unwrap().success());
    let whole = contents(&set);
    // Without marker and lock it is as earlier versions made it; with one list lost, as they left it when killed.
    for name in ["_postgame.json", "_lock"] {
        fs::remove_file(set.join(name)).unwrap();
    }
    let list = fs::read_dir(set.join("_segments")).unwrap().next().unwrap();
    fs::remove_file(list.unwrap().path()).unwrap();
    let again = ingest(&input, &set, &[]).output().unwrap();
    assert!(again.status.success(), "{}", said(&again));
    assert!(contents(&set) == whole);
}

#[test]
fn a_damaged_data_set_heals() {
    let folder = tempfile::tempdir().unwrap();
    let (input, set) = (folder.path().join("in"), folder.path().join("set"));
    recordings(&input, &["duel.slp", "bout.replay"], 6);
    assert!(ingest(&input, &set, &[]).status().unwrap().success());
    let whole = contents(&set);
    let tables = whole
        .keys()
        .filter(|path| path.extension().is_some_and(|name| name == "parquet"));
    let tables: Vec<&PathBuf> = tables.collect();
    for path in tables.iter().step_by(3) {
        fs::remove_file(set.join(path)).unwrap();
    }
    let other = folder.path().join("other");
    recordings(&other, &["factory.sav"], 1);
    let other = ingest(&other, &set, &[]).output().unwrap();
    let said = said(&other);
    assert_eq!(other.status.code(), Some(1), "{said}");
    assert!(
        said.contains("1 recordings added") && said.contains("is damaged"),
        "{said}"
    );
    let healed = ingest(&input, &set, &[]).output().unwrap();
    assert!(healed.status.success(), "{}", self::said(&healed));
    let now = contents(&set);
    assert!(whole.iter().all(|(path, file)| now.get(path) == Some(file)));
}

/// Without a handler for the signal the system ends the program in the middle of a write.
#[test]
fn a_limit_on_file_sizes_is_an_error_with_a_message() {
    let folder = tempfile::tempdir().unwrap();
    let (input, set) = (folder.path().join("in"), folder.path().join("set"));
    recordings(&input, &["duel.slp", "duel.replay"], 6);
    let script = format!(
        "ulimit -f 16; exec '{}' ingest '{}' -o '{}' --segment-files 1 --threads 1",
        env!("CARGO_BIN_EXE_postgame"),
        text(&input),
        text(&set)
    );
    let full = Command::new("sh").args(["-c", &script]).output().unwrap();
    assert_eq!(full.status.code(), Some(2));
    let said = said(&full);
    assert!(
        said.contains("File too large") && said.contains("the data set is readable"),
        "{said}"
    );
    let now = listed(&set);
    let claim = format!("({} recording", now.len());
    assert!(said.contains(&claim), "{said}");
    let again = run(
        &[
            "ingest",
            text(&input),
            "-o",
            text(&set),
            "--segment-files",
            "1",
        ],
        b"",
    );
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert_eq!(listed(&set), digests(&input));
    let export = format!(
        "ulimit -f 16; exec '{}' export '{}' --table frames -o '{}'",
        env!("CARGO_BIN_EXE_postgame"),
        text(&root().join("samples/duel.slp")),
        text(&folder.path().join("frames.csv"))
    );
    let full = Command::new("sh").args(["-c", &export]).output().unwrap();
    assert_eq!(full.status.code(), Some(2));
    assert!(self::said(&full).contains("File too large"));
    assert!(!folder.path().join("frames.csv").exists());
}
