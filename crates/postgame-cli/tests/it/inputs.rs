//! Every command takes recordings from wherever they are, and says the same about them.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::ingest::text;
use crate::run::{Run, root, run};

const SAMPLES: [&str; 3] = ["bout.replay", "duel.replay", "duel.slp"];

fn sample(name: &str) -> Vec<u8> {
    fs::read(root().join("samples").join(name)).unwrap()
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let options = lzma_rust2::XzOptions::with_preset(1);
    let mut writer = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    writer.write_all(bytes).unwrap();
    writer.finish().unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn tar() -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for name in SAMPLES {
        let bytes = sample(name);
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        tar.append_data(&mut header, name, &bytes[..]).unwrap();
    }
    tar.into_inner().unwrap()
}

fn zip() -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for name in SAMPLES {
        let options = zip::write::SimpleFileOptions::default();
        zip.start_file(name, options).unwrap();
        zip.write_all(&sample(name)).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// The three samples in every place that a path can mean.
fn places(folder: &Path) -> Vec<Vec<PathBuf>> {
    let at = |name: &str| folder.join(name);
    fs::create_dir(at("folder")).unwrap();
    fs::create_dir(at("packed")).unwrap();
    for name in SAMPLES {
        fs::write(at("folder").join(name), sample(name)).unwrap();
        fs::write(at("packed").join(format!("{name}.xz")), xz(&sample(name))).unwrap();
    }
    fs::write(at("season.zip"), zip()).unwrap();
    fs::write(at("season.tar.gz"), gzip(&tar())).unwrap();
    fs::write(at("season.tar.xz"), xz(&tar())).unwrap();
    let single = |name: &str| vec![at(name)];
    let members = SAMPLES.map(|name| at("season.zip").join(name));
    let packed = SAMPLES.map(|name| at("packed").join(format!("{name}.xz")));
    vec![
        single("folder"),
        single("folder/*.[rs]*"),
        single("packed"),
        packed.to_vec(),
        single("season.zip"),
        single("season.tar.gz"),
        single("season.tar.xz"),
        members.to_vec(),
    ]
}

/// What a run prints, with the names of files cut to their last part.
fn printed(run: &Run, folder: &Path) -> String {
    let root = text(folder);
    let mut said = run.text();
    for place in [
        "folder",
        "packed",
        "season.zip",
        "season.tar.gz",
        "season.tar.xz",
    ] {
        said = said.replace(&format!("{root}/{place}/"), "");
    }
    said
}

#[test]
fn every_command_reads_every_place() {
    let folder = tempfile::tempdir().unwrap();
    let places = places(folder.path());
    let commands: [&[&str]; 11] = [
        &["info", "--json"],
        &["info", "--long"],
        &["check"],
        &["events"],
        &["events", "--json"],
        &["stats"],
        &["stats", "--json"],
        &["probe"],
        &["probe", "--json", "--aspect", "metadata"],
        &["clips", "--any-end", "--json"],
        &["sets", "--json"],
    ];
    for command in commands {
        let mut expected = None;
        for paths in &places {
            let paths = paths.iter().map(|path| text(path));
            let arguments: Vec<&str> = command.iter().copied().chain(paths).collect();
            let run = run(&arguments, b"");
            assert_eq!(run.stderr, "", "{arguments:?}");
            let printed = printed(&run, folder.path());
            if command[0] != "sets" && command[0] != "clips" {
                for name in SAMPLES {
                    assert!(printed.contains(name), "{arguments:?}: {printed}");
                }
            }
            let first = expected.get_or_insert((run.code, printed.clone()));
            assert_eq!((run.code, printed), *first, "{arguments:?}");
        }
    }
}

#[test]
fn tables_and_data_sets_have_the_same_rows_from_every_place() {
    let folder = tempfile::tempdir().unwrap();
    let mut expected = None;
    for (number, paths) in places(folder.path()).iter().enumerate() {
        let paths: Vec<&str> = paths.iter().map(|path| text(path)).collect();
        let columns = ["--columns", "recording_id,game,frames,file_bytes"];
        let table = [&["export", "--table", "recordings"], &columns[..], &paths].concat();
        let table = run(&table, b"");
        assert_eq!((table.code, table.stderr.as_str()), (0, ""), "{paths:?}");
        assert_eq!(table.text().lines().count(), 1 + SAMPLES.len());
        let first = expected.get_or_insert(table.text());
        assert_eq!(table.text(), *first, "{paths:?}");
        let set = folder.path().join(format!("set-{number}"));
        let ingest = [
            &["ingest", "-o", text(&set), "--tables", "players"],
            &paths[..],
        ]
        .concat();
        assert_eq!(
            run(&ingest, b"").text(),
            "3 recordings added, 0 were there already, 0 could not be read\n"
        );
    }
}

#[test]
fn commands_for_one_recording_take_it_from_an_archive() {
    let folder = tempfile::tempdir().unwrap();
    let zip = folder.path().join("season.zip");
    fs::write(&zip, self::zip()).unwrap();
    let member = zip.join("duel.slp");
    let packed = folder.path().join("game.slp.xz");
    fs::write(&packed, xz(&sample("duel.slp"))).unwrap();
    let json = run(&["json", "samples/duel.slp"], b"").stdout;
    for path in [&member, &packed] {
        assert!(run(&["json", text(path)], b"").stdout == json);
        let controllers = run(&["controllers", "--json", text(path)], b"");
        assert!(controllers.text().contains("duel.slp") || path == &packed);
        assert_ne!(controllers.code, 2, "{}", controllers.stderr);
    }
    let several = run(&["json", text(&zip)], b"");
    assert_eq!(several.code, 2);
    assert!(
        several.stderr.contains("several recordings"),
        "{}",
        several.stderr
    );
    let none = run(&["info", text(&zip.join("duel.sav"))], b"");
    let message = "season.zip/duel.sav: there is no such recording in the archive\n";
    assert!(none.stderr.ends_with(message), "{}", none.stderr);
    assert_eq!(none.code, 2);
}

/// A damaged member does not hide the others.
#[test]
fn a_bad_member_is_one_failure() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("season.tar.gz");
    let mut tar = tar::Builder::new(Vec::new());
    for (name, bytes) in [
        ("1.slp", sample("duel.slp")),
        ("2.slp", b"not a replay".to_vec()),
        ("3.replay", sample("bout.replay")),
    ] {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        tar.append_data(&mut header, name, &bytes[..]).unwrap();
    }
    fs::write(&path, gzip(&tar.into_inner().unwrap())).unwrap();
    for command in ["info", "check", "events", "stats", "probe"] {
        let run = run(&[command, "--json", text(&path)], b"");
        assert_eq!(run.code, 2, "{command}");
        assert_eq!(run.stderr.lines().count(), 1, "{command}: {}", run.stderr);
        assert!(run.stderr.contains("season.tar.gz/2.slp: "), "{command}");
        if command != "check" {
            assert!(run.text().contains("1.slp") && run.text().contains("3.replay"));
        }
    }
}
