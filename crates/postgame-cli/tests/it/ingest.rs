//! `postgame ingest`: killed, run again, on bad folders, without room, on large folders.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::run::{command, root, run};

/// A folder of recordings that are all different: copies of samples, each with its number at the end.
pub fn recordings(folder: &Path, samples: &[&str], count: usize) {
    fs::create_dir_all(folder).unwrap();
    for number in 0..count {
        let sample = samples[number % samples.len()];
        let mut bytes = fs::read(root().join("samples").join(sample)).unwrap();
        bytes.extend(format!("copy {number:06}").bytes());
        fs::write(folder.join(format!("{number:06}-{sample}")), bytes).unwrap();
    }
}

/// Every file of a data set with its contents; none where nothing was written yet.
pub fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    if !folder.is_dir() {
        return files;
    }
    for entry in walkdir::WalkDir::new(folder) {
        let entry = entry.unwrap();
        if entry.file_type().is_file() {
            let name = entry.path().strip_prefix(folder).unwrap().to_owned();
            files.insert(name, fs::read(entry.path()).unwrap());
        }
    }
    files
}

pub fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn start(input: &Path, output: &Path, more: &[&str]) -> Child {
    command()
        .args(["ingest", text(input), "-o", text(output)])
        .args(more)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn killed_at_sixty_moments_and_run_again_it_is_as_if_never_killed() {
    let folder = tempfile::tempdir().unwrap();
    let (input, once, again) = (
        folder.path().join("in"),
        folder.path().join("once"),
        folder.path().join("again"),
    );
    recordings(&input, &["duel.slp", "factory.sav", "bout.replay"], 24);
    // Small segments, so that there are many moments between them.
    let threads = ["--threads", "2", "--segment-files", "2"];
    let start_time = Instant::now();
    assert!(start(&input, &once, &threads).wait().unwrap().success());
    let whole = start_time.elapsed();
    let expected = contents(&once);
    assert!(expected.len() > 24 && expected.keys().all(|path| !path.starts_with("_aside")));
    let mut seed: u64 = 7;
    for kill in 0..60 {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let part = (seed >> 40) as f64 / (1u64 << 24) as f64;
        let mut child = start(&input, &again, &threads);
        std::thread::sleep(whole.mul_f64(part));
        child.kill().unwrap();
        child.wait().unwrap();
        // What is listed is whole at any moment.
        let now = contents(&again);
        for (path, list) in now.iter().filter(|(path, _)| path.starts_with("_segments")) {
            assert_eq!(Some(list), expected.get(path));
            let list: serde_json::Value = serde_json::from_slice(list).unwrap();
            for file in list["files"].as_array().unwrap() {
                let file = Path::new(file["path"].as_str().unwrap());
                assert_eq!(now.get(file), expected.get(file), "{}", file.display());
            }
        }
        // Now and then to the end, and from the beginning.
        if kill % 5 == 4 {
            assert!(start(&input, &again, &threads).wait().unwrap().success());
            assert!(contents(&again) == expected, "after kill {kill}");
            fs::remove_dir_all(&again).unwrap();
        }
    }
}

#[test]
fn one_thread_makes_the_same_files_and_known_recordings_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    recordings(&input, &["duel.slp", "duel.replay"], 6);
    let ingest = |output: &str, more: &[&str]| {
        let output = folder.path().join(output);
        let mut arguments = vec![
            "ingest",
            text(&input),
            "-o",
            text(&output),
            "--segment-files",
            "2",
        ];
        arguments.extend(more);
        run(&arguments, b"")
    };
    assert_eq!(ingest("one", &["--threads", "1"]).code, 0);
    assert_eq!(ingest("three", &["--threads", "3"]).code, 0);
    let one = contents(&folder.path().join("one"));
    assert!(one == contents(&folder.path().join("three")));
    let summary = |added: usize, known: usize| {
        format!("{added} recordings added, {known} were there already, 0 could not be read\n")
    };
    assert_eq!(ingest("one", &[]).text(), summary(0, 6));
    assert!(one == contents(&folder.path().join("one")));
    // A copy under another name is no new recording; another one is.
    fs::copy(input.join("000000-duel.slp"), input.join("zz-copy.slp")).unwrap();
    fs::copy(root().join("samples/bout.replay"), input.join("zzz.replay")).unwrap();
    assert_eq!(ingest("one", &[]).text(), summary(1, 7));
    assert!(contents(&folder.path().join("one")).len() > one.len());
}

#[test]
fn a_bad_folder_gives_all_good_ones_and_says_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    recordings(&input, &["duel.slp", "duel.replay"], 4);
    let duel = fs::read(root().join("samples/duel.slp")).unwrap();
    fs::write(input.join("cut.slp"), &duel[..9]).unwrap();
    fs::write(input.join("empty.sav"), b"").unwrap();
    fs::write(input.join("foreign.replay"), b"\x89PNG\r\n\x1a\n").unwrap();
    fs::write(input.join("notes.txt"), b"not looked at").unwrap();
    std::os::unix::fs::symlink("nowhere", input.join("lost.slp")).unwrap();
    let output = folder.path().join("out");
    let ingest = run(&["ingest", text(&input), "-o", text(&output)], b"");
    assert_eq!(
        ingest.text(),
        "4 recordings added, 0 were there already, 4 could not be read\n"
    );
    assert_eq!(ingest.code, 1);
    let said: Vec<&str> = ingest.stderr.lines().collect();
    let names = ["cut.slp", "empty.sav", "foreign.replay", "lost.slp"];
    assert_eq!(said.len(), names.len(), "{}", ingest.stderr);
    for (line, name) in said.iter().zip(names) {
        assert!(line.contains(name), "{line}");
    }
    let json = run(
        &["ingest", text(&input), "-o", text(&output), "--json"],
        b"",
    );
    let summary: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(
        (&summary["known"], &summary["failed"]),
        (&4.into(), &4.into())
    );
}

/// A limit on the size of files fails as a full disk does, and needs no rights to set.
#[test]
fn without_room_there_is_a_clear_error_and_the_old_data_set() {
    let folder = tempfile::tempdir().unwrap();
    let (input, more) = (folder.path().join("in"), folder.path().join("more"));
    recordings(&input, &["duel.slp"], 2);
    recordings(&more, &["duel.slp", "duel.replay"], 9);
    let output = folder.path().join("out");
    assert_eq!(
        run(&["ingest", text(&input), "-o", text(&output)], b"").code,
        0
    );
    let before = contents(&output);
    let script = format!(
        "ulimit -f 16; exec '{}' ingest '{}' -o '{}'",
        env!("CARGO_BIN_EXE_postgame"),
        text(&more),
        text(&output)
    );
    let full = Command::new("sh").args(["-c", &script]).output().unwrap();
    assert_eq!(full.status.code(), Some(2));
    let said = String::from_utf8(full.stderr).unwrap();
    assert!(
        said.contains("File too large; 0 segments (0 recordings) were added")
            && said.lines().count() == 1,
        "{said}"
    );
    assert!(contents(&output) == before);
    // And with room again all is well.
    let again = run(&["ingest", text(&more), "-o", text(&output)], b"");
    assert_eq!(again.code, 0, "{}", again.stderr);
}

/// The most memory a run took, in megabytes. Linux keeps it for as long as the process is there.
fn peak_mb(mut child: Child) -> u64 {
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        peak = peak.max(kilobytes.unwrap_or(0) / 1000);
        std::thread::sleep(Duration::from_millis(5));
    }
    // Some of the corpus's recordings cannot be read, which is said at the end.
    assert!(child.wait().unwrap().code().is_some());
    peak
}

/// The most memory that `ingest` and `export` take, in megabytes.
fn peaks_mb(input: &Path, output: &Path, segments: &[&str]) -> [u64; 2] {
    let ingest = peak_mb(start(input, &output.join("set"), segments));
    let file = output.join("out.parquet");
    let arguments = ["--table", "frames", "--threads", "2", "-o", text(&file)];
    let export = command()
        .args(["export", text(input)])
        .args(arguments)
        .stderr(Stdio::null())
        .spawn();
    let peaks = [ingest, peak_mb(export.unwrap())];
    fs::remove_dir_all(output).unwrap();
    peaks
}

#[test]
fn memory_does_not_grow_with_the_number_of_recordings() {
    let folder = tempfile::tempdir().unwrap();
    let samples = ["duel.slp", "duel.replay", "factory.sav", "bout.replay"];
    // Segments as small against the folders as they are against a folder of thousands.
    let segments = ["--threads", "2", "--segment-files", "8"];
    let peaks = |count: usize| {
        let (input, output) = (folder.path().join("in"), folder.path().join("out"));
        recordings(&input, &samples, count);
        fs::create_dir(&output).unwrap();
        let peaks = peaks_mb(&input, &output, &segments);
        fs::remove_dir_all(input).unwrap();
        peaks
    };
    // The allocator takes a while until it finds all the room it needs in what it has.
    for (few, many) in peaks(60).into_iter().zip(peaks(180)) {
        assert!(
            many < 500 && many < few * 5 / 4 + 16,
            "{few} MB, then {many} MB"
        );
    }
}

/// Takes 50 s: `cargo test -p postgame-cli --test it -- --ignored two_thousand --nocapture`.
#[test]
#[ignore = "gigabytes of disk, which a machine for CI may not have; the test above has 60 and 180 copies of samples"]
fn two_thousand_copies_of_the_corpus_take_less_than_500_mb() {
    let corpus = match std::env::var_os("POSTGAME_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => root().join("../shared/corpus"),
    };
    let files: Vec<PathBuf> = ["rocket-league", "rumble", "satisfactory", "slippi"]
        .iter()
        .flat_map(|game| walkdir::WalkDir::new(corpus.join(game)).sort_by_file_name())
        .map(|entry| entry.unwrap().into_path())
        .filter(|path| postgame::Format::is_plausible_name(text(path)))
        // All of these counts, so that what makes a copy another file would spoil it.
        .filter(|path| {
            path.extension()
                .is_none_or(|extension| extension != "sbpcfg")
        })
        .collect();
    assert!(!files.is_empty(), "no corpus at {}", corpus.display());
    let folder = tempfile::tempdir().unwrap();
    let mut last = [u64::MAX; 2];
    for count in [500, 2000] {
        let (input, output) = (folder.path().join("in"), folder.path().join("out"));
        fs::create_dir_all(&input).unwrap();
        fs::create_dir(&output).unwrap();
        for (number, file) in files.iter().cycle().take(count).enumerate() {
            let mut bytes = fs::read(file).unwrap();
            bytes.extend(format!("copy {number:06}").bytes());
            let name = file.file_name().unwrap().to_str().unwrap();
            fs::write(input.join(format!("{number:06}-{name}")), bytes).unwrap();
        }
        let peaks = peaks_mb(&input, &output, &["--threads", "2"]);
        eprintln!(
            "{count} recordings: ingest {} MB, export {} MB",
            peaks[0], peaks[1]
        );
        for (few, many) in last.into_iter().zip(peaks) {
            assert!(
                many < 500 && many < few.saturating_add(few / 4),
                "{peaks:?} MB"
            );
        }
        last = peaks;
    }
}
