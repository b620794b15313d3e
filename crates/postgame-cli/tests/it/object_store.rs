//! Recordings and data sets in an object store.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::ingest::{contents, recordings, text};
use crate::moto::Moto;
use crate::run::{command, root};

/// Runs the command with the store in its environment, and perhaps with other words in it.
fn run(moto: &Moto, arguments: &[&str], more: &[(&str, &str)]) -> (Option<i32>, String) {
    let mut command = command();
    moto.reach(command.args(arguments))
        .envs(more.iter().copied());
    let output = command.output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(said).unwrap())
}

fn summary(added: usize, known: usize) -> (Option<i32>, String) {
    let line =
        format!("{added} recordings added, {known} were there already, 0 could not be read\n");
    (Some(0), line)
}

/// A bucket `games` with the files of a folder below `in/`.
fn upload(moto: &Moto, folder: &Path) {
    let script = "import os\n\
        s3.create_bucket(Bucket='games')\n\
        for name in os.listdir('.'):\n    s3.upload_file(name, 'games', 'in/' + name)\n";
    moto.boto(folder, script);
}

/// Every object below a prefix, by its name there, with the SHA-256 of its contents.
fn objects(moto: &Moto, prefix: &str) -> BTreeMap<String, String> {
    let script = format!(
        "import hashlib\n\
         pages = s3.get_paginator('list_objects_v2').paginate(Bucket='games', Prefix='{prefix}/')\n\
         for one in [one for page in pages for one in page.get('Contents', [])]:\n    \
             body = s3.get_object(Bucket='games', Key=one['Key'])['Body'].read()\n    \
             print(one['Key'][len('{prefix}/'):], hashlib.sha256(body).hexdigest())\n"
    );
    let listed = moto.boto(Path::new("."), &script);
    let pairs = listed.lines().filter_map(|line| line.rsplit_once(' '));
    pairs
        .map(|(name, digest)| (name.to_owned(), digest.to_owned()))
        .collect()
}

/// The same of a data set on disk.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let digest = |(path, bytes): (std::path::PathBuf, Vec<u8>)| {
        let name = path.to_str().unwrap().to_owned();
        (name, postgame::sha256(&bytes))
    };
    contents(folder).into_iter().map(digest).collect()
}

#[test]
fn recordings_go_from_a_bucket_into_a_data_set_in_a_bucket() {
    let Some(moto) = Moto::start(&root()) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    // More than are on their way at a time.
    recordings(&input, &["duel.slp", "bout.replay", "factory.sav"], 20);
    // Also what is in archives.
    let (archive, packed) = (input.join("more.gz"), input.join("000004-bout.replay"));
    let gzip = std::process::Command::new("gzip")
        .arg("-c")
        .arg(&packed)
        .output()
        .unwrap();
    fs::write(&archive, gzip.stdout).unwrap();
    fs::remove_file(&packed).unwrap();
    upload(&moto, &input);
    let to_bucket = ["ingest", "s3://games/in", "-o", "s3://games/set"];
    assert_eq!(run(&moto, &to_bucket, &[]), summary(20, 0));
    assert_eq!(run(&moto, &to_bucket, &[]), summary(0, 20));
    // A folder makes the same files; only what the recordings were called differs.
    let local = folder.path().join("local");
    let to_folder = ["ingest", "s3://games/in/", "-o", text(&local)];
    assert_eq!(run(&moto, &to_folder, &[]), summary(20, 0));
    assert_eq!(objects(&moto, "set"), files(&local));
    // A pattern, and a single one.
    let pattern = [
        "ingest",
        "s3://games/in/*duel.slp",
        "-o",
        "s3://games/duels",
    ];
    assert_eq!(run(&moto, &pattern, &[]), summary(7, 0));
    let table = [
        "export",
        "s3://games/in/000001-bout.replay",
        "--table",
        "recordings",
        "--columns",
        "file,game,frames",
    ];
    let rows = "file,game,frames\ns3://games/in/000001-bout.replay,rumble,1001\n";
    assert_eq!(run(&moto, &table, &[]), (Some(0), rows.to_owned()));
    let one = "s3://games/in/000001-bout.replay";
    for command in ["info", "check", "events", "stats", "probe", "json"] {
        let arguments = match command {
            "json" => vec![command, one],
            _ => vec![command, "--json", one],
        };
        let (code, printed) = run(&moto, &arguments, &[]);
        assert_ne!(code, Some(2), "{command}");
        assert!(printed.contains(one) || command == "json", "{command}");
    }
    let (code, printed) = run(&moto, &["info", "--json", "s3://games/in"], &[]);
    assert_eq!((code, printed.lines().count()), (Some(0), 20));
    let to_object = [&table[..], &["-o", "s3://games/tables/one.csv"]].concat();
    assert_eq!(run(&moto, &to_object, &[]), (Some(0), String::new()));
    let written = "print(s3.get_object(Bucket='games', Key='tables/one.csv')['Body'].read().decode(), end='')";
    assert_eq!(moto.boto(Path::new("."), written), rows);
}

#[test]
fn a_large_table_is_sent_in_pieces() {
    let Some(moto) = Moto::start(&root()) else {
        return;
    };
    moto.boto(Path::new("."), "s3.create_bucket(Bucket='games')");
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    recordings(&input, &["duel.replay"], 16);
    let local = folder.path().join("updates.ndjson");
    for output in [text(&local), "s3://games/tables/updates.ndjson"] {
        let export = ["export", text(&input), "--table", "updates", "-o", output];
        assert_eq!(run(&moto, &export, &[]), (Some(0), String::new()));
    }
    let bytes = fs::read(&local).unwrap();
    assert!(
        bytes.len() > 20 << 20,
        "{} bytes fit into fewer pieces",
        bytes.len()
    );
    let digest = postgame::sha256(&bytes);
    assert_eq!(
        objects(&moto, "tables"),
        [("updates.ndjson".to_owned(), digest)].into()
    );
}

#[test]
fn killed_while_writing_to_a_bucket_it_is_as_if_never_killed() {
    let Some(moto) = Moto::start(&root()) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    recordings(&input, &["duel.slp", "factory.sav", "bout.replay"], 12);
    upload(&moto, &input);
    let arguments = |output: &'static str| {
        let segments = ["--threads", "2", "--segment-files", "2"];
        [&["ingest", "s3://games/in", "-o", output], &segments[..]].concat()
    };
    let start = Instant::now();
    assert_eq!(
        run(&moto, &arguments("s3://games/once"), &[]),
        summary(12, 0)
    );
    let whole = start.elapsed();
    let expected = objects(&moto, "once");
    let lists = |objects: &BTreeMap<String, String>| {
        let names = objects.keys().filter(|name| name.starts_with("_segments"));
        names.cloned().collect::<Vec<_>>()
    };
    assert_eq!(lists(&expected).len(), 6);
    for part in [0.15, 0.4, 0.6, 0.3, 0.8] {
        let mut command = command();
        moto.reach(command.args(arguments("s3://games/again")));
        let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = quiet.spawn().unwrap();
        std::thread::sleep(whole.mul_f64(part));
        child.kill().unwrap();
        child.wait().unwrap();
        // What the server was sent it may still be putting away.
        std::thread::sleep(Duration::from_millis(300));
        // What is listed is whole.
        let now = objects(&moto, "again");
        for list in lists(&now) {
            // The note that a later writer puts there for a segment that was begun and not finished; the end shows that it goes.
            if now.get(&list) != expected.get(&list) {
                continue;
            }
            let id = list
                .trim_start_matches("_segments/")
                .trim_end_matches(".json");
            for (name, digest) in expected.iter().filter(|(name, _)| name.contains(id)) {
                assert_eq!(now.get(name), Some(digest), "{name}");
            }
        }
    }
    let (code, said) = run(&moto, &arguments("s3://games/again"), &[]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(objects(&moto, "again"), expected);
}

#[test]
fn a_bucket_has_one_writer_and_foreign_objects_stay() {
    let Some(moto) = Moto::start(&root()) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    recordings(&one, &["duel.slp"], 4);
    recordings(&two, &["bout.replay"], 4);
    let put = "s3.create_bucket(Bucket='games')\n\
        s3.put_object(Bucket='games', Key='mine/a.parquet', Body=b'mine')\n";
    moto.boto(Path::new("."), put);
    let before = objects(&moto, "mine");
    let (code, said) = run(&moto, &["ingest", text(&one), "-o", "s3://games/mine"], &[]);
    assert!(
        code == Some(2) && said.contains("nothing was changed"),
        "{said}"
    );
    assert_eq!(objects(&moto, "mine"), before);
    // Two at once, of which one waits.
    let children = [&one, &two].map(|input| {
        let mut command = command();
        let set = ["-o", "s3://games/set", "--wait", "--segment-files", "1"];
        moto.reach(command.args(["ingest", text(input)]).args(set));
        command.stderr(Stdio::piped()).stdout(Stdio::null());
        command.spawn().unwrap()
    });
    for child in children {
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{said}");
    }
    for input in [&one, &two] {
        let again = ["ingest", text(input), "-o", "s3://games/set"];
        assert_eq!(run(&moto, &again, &[]), summary(0, 4));
    }
    let put = "s3.put_object(Bucket='games', Key='set/recordings/mine.parquet', Body=b'mine')";
    moto.boto(Path::new("."), put);
    let before = objects(&moto, "set");
    let again = ["ingest", text(&one), "-o", "s3://games/set"];
    assert_eq!(run(&moto, &again, &[]), summary(0, 4));
    assert_eq!(objects(&moto, "set"), before);
}

#[test]
fn what_is_wrong_with_a_store_is_said_in_one_line() {
    let Some(moto) = Moto::start(&root()) else {
        return;
    };
    let sample = root().join("samples/duel.slp");
    let folder = tempfile::tempdir().unwrap();
    let local = folder.path().join("set");
    let one_line = |arguments: &[&str], more: &[(&str, &str)], code: i32, words: &[&str]| {
        let (actual, said) = run(&moto, arguments, more);
        let said = said.lines().find(|line| line.starts_with("postgame: "));
        let said = said.unwrap_or_default();
        assert!(
            actual == Some(code) && words.iter().all(|word| said.contains(word)),
            "{actual:?} {said}"
        );
    };
    let to_nowhere = ["ingest", text(&sample), "-o", "s3://nowhere/set"];
    let no_bucket = "bucket does not exist";
    one_line(&to_nowhere, &[], 2, &["s3://nowhere/set: ", no_bucket]);
    let from_nowhere = ["ingest", "s3://nowhere/in", "-o", text(&local)];
    one_line(&from_nowhere, &[], 1, &["s3://nowhere/in: ", no_bucket]);
    moto.boto(Path::new("."), "s3.create_bucket(Bucket='games')");
    let from_empty = ["ingest", "s3://games/in", "-o", text(&local)];
    one_line(
        &from_empty,
        &[],
        1,
        &["s3://games/in: there are no recordings"],
    );
    let no_name = ["ingest", text(&sample), "-o", "s3://"];
    one_line(&no_name, &[], 2, &["no bucket in this address"]);
    let to_bucket = ["ingest", text(&sample), "-o", "s3://games/set"];
    let dead = [("AWS_ENDPOINT_URL", "http://127.0.0.1:1")];
    one_line(
        &to_bucket,
        &dead,
        2,
        &["s3://games/set: ", "cannot be reached"],
    );
    // From now on the server wants keys that it knows.
    let guard = "import urllib.request, os\n\
        address = os.environ['AWS_ENDPOINT_URL'] + '/moto-api/reset-auth'\n\
        plain = {'Content-Type': 'text/plain'}\n\
        request = urllib.request.Request(address, data=b'0', headers=plain)\n\
        urllib.request.urlopen(request)\n";
    moto.boto(Path::new("."), guard);
    one_line(&to_bucket, &[], 2, &["s3://games/set: ", "Access Key"]);
}
