//! Tables: a data set of Rocket League relative to decoding alone, Parquet relative to JSON, and a list of ten thousand
//! replays.

mod parts;

use std::fs;
use std::path::{Path, PathBuf};

use postgame_tables::dataset::ingest::Progress;
use postgame_tables::dataset::{IngestOptions, Store, ingest};
use postgame_tables::write::{FileKind, TableWriter};
use postgame_tables::{Request, Table, TableOptions, find, places, scan};

use crate::corpus;
use crate::measure::{Pair, time};

/// Minimum rate of building a data set, relative to decoding alone.
const INGEST: f64 = 0.6;
/// Minimum speed of Parquet relative to JSON as rrrocket writes it.
const EXPORT: f64 = 10.0;
/// Maximum time of a list of ten thousand Slippi replays.
const LIST_S: f64 = 3.0;
/// Number of replays in the list.
const LISTED: usize = 10_000;

/// Runs all three.
pub fn compare() -> Vec<String> {
    let mut missed = Vec::new();
    parts::print();
    let scratch = std::env::temp_dir().join(format!("postgame-bench-{}", std::process::id()));
    missed.extend(ingest_rate(&scratch));
    missed.extend(export_rate(&scratch.join("export")));
    missed.extend(listing(&scratch.join("list")));
    // Files left in a temporary folder are not a failure.
    drop(fs::remove_dir_all(&scratch));
    missed
}

/// On one thread, like decoding.
fn ingest_rate(scratch: &Path) -> Option<String> {
    let files = corpus::files("rocket-league", &["replay"]);
    let folder = [corpus::folder().join("rocket-league")];
    let decode = || {
        for (_, bytes) in &files {
            std::hint::black_box(postgame::read(bytes, &postgame::ReadOptions::default()).ok());
        }
    };
    let mut run = 0;
    let mut rate = |what: &str, tables: &[&'static dyn Table]| {
        let options = IngestOptions {
            threads: 1,
            tables: tables.to_vec(),
            ..IngestOptions::default()
        };
        let all = || {
            run += 1;
            let store = Store::local(&scratch.join(format!("set-{run}")));
            ingest(&folder, &store, &options, &Progress::default()).expect("a data set")
        };
        let pair = Pair::time(3, all, decode);
        pair.print(what);
        pair.speedup()
    };
    let tables = |names: &[&str]| -> Vec<&'static dyn Table> {
        names.iter().filter_map(|name| find(name)).collect()
    };
    let list = ["recordings", "players"];
    rate("ingest of a list, against decoding", &tables(&list));
    let told = ["recordings", "players", "events", "stats", "pads"];
    rate("and of what happened", &tables(&told));
    rate("and of frames: all but the attributes", &{
        let mut all = postgame_tables::ALL.to_vec();
        all.retain(|table| table.name() != "updates");
        all
    });
    let all = rate("and of all tables", postgame_tables::ALL);
    (all < INGEST).then(|| format!("ingest reaches {all:.2} of the rate of decoding"))
}

/// From file to file, as both programs are used; and with discarded output, which excludes the cost of JSON's size.
fn export_rate(scratch: &Path) -> Option<String> {
    let files = corpus::files("rocket-league", &["replay"]);
    let readable = |bytes: &[u8]| {
        let builder = boxcars::ParserBuilder::new(bytes);
        builder.must_parse_network_data().parse().ok()
    };
    let paths: Vec<PathBuf> = files
        .iter()
        .filter(|(_, bytes)| readable(bytes).is_some())
        .map(|(name, _)| corpus::folder().join("rocket-league").join(name))
        .collect();
    // As rrrocket does: one file beside each replay.
    let json = |output: &Output<'_>| {
        for (number, path) in paths.iter().enumerate() {
            let bytes = fs::read(path).expect("a replay");
            let replay = readable(&bytes).expect("a replay");
            let output = std::io::BufWriter::new(output.open(&format!("{number}.json")));
            serde_json::to_writer(output, &replay).expect("JSON");
        }
    };
    let parquet = |name: &str, fps: Option<f64>, output: &Output<'_>| {
        let table = find(name).expect("a table");
        // As the command does.
        let output = std::io::BufWriter::with_capacity(1 << 16, output.open("table.parquet"));
        let mut writer =
            TableWriter::new(FileKind::Parquet, &table.schema(), output).expect("a file");
        let mut request = Request {
            threads: 1,
            ..Request::new(table)
        };
        request.options.fps = fps;
        for batch in scan(paths.clone(), request).expect("a scan") {
            writer.write(&batch.expect("rows")).expect("rows");
        }
        writer.finish().expect("a file");
    };
    let best = |work: &dyn Fn(&Output<'_>), output: &Output<'_>| {
        let runs = (0..3).map(|_| {
            output.clear();
            time(|| work(output))
        });
        runs.min().expect("three runs")
    };
    let mut cars = 0.0;
    for (output, to) in [
        (Output::Nowhere, "nowhere"),
        (Output::Folder(scratch), "files"),
    ] {
        let theirs = best(&json, &output);
        println!("  Parquet against JSON of boxcars, to {to}");
        if let Some(bytes) = output.bytes() {
            println!("  {:44} {:10.0} MB", "JSON", bytes as f64 / 1e6);
        }
        let rate = |what: &str, name: &str, fps: Option<f64>| {
            let ours = best(&|output| parquet(name, fps, output), &output);
            let pair = Pair { ours, theirs };
            pair.print(what);
            pair.speedup()
        };
        for name in ["recordings", "events", "frames_ball", "stats"] {
            rate(name, name, None);
        }
        rate("frames_cars, ten rows a second", "frames_cars", Some(10.0));
        cars = rate("frames_cars", "frames_cars", None);
    }
    (cars < EXPORT).then(|| format!("Parquet of cars is {cars:.1} times as fast as JSON"))
}

/// The destination of an export.
enum Output<'a> {
    Nowhere,
    Folder(&'a Path),
}

impl Output<'_> {
    fn open(&self, name: &str) -> Box<dyn std::io::Write + Send> {
        match self {
            Self::Nowhere => Box::new(std::io::sink()),
            Self::Folder(folder) => Box::new(fs::File::create(folder.join(name)).expect("a file")),
        }
    }

    /// Removes existing output, whose cost is not part of an export.
    fn clear(&self) {
        if let Self::Folder(folder) = self {
            drop(fs::remove_dir_all(folder));
            fs::create_dir_all(folder).expect("a folder");
        }
    }

    fn bytes(&self) -> Option<u64> {
        let Self::Folder(folder) = self else {
            return None;
        };
        let files = fs::read_dir(folder).expect("a folder").flatten();
        let sizes = files.filter_map(|file| Some(file.metadata().ok()?.len()));
        Some(sizes.sum())
    }
}

/// Links to the corpus's replays: each file is read once per link, from the page cache.
fn listing(folder: &Path) -> Option<String> {
    let files = corpus::files("slippi", &["slp"]);
    fs::create_dir_all(folder).expect("a folder");
    for number in 0..LISTED {
        let (name, _) = &files[number % files.len()];
        let from = corpus::folder().join("slippi").join(name);
        let to = folder.join(format!("{number:05}.slp"));
        std::os::unix::fs::symlink(fs::canonicalize(from).expect("a path"), to).expect("a link");
    }
    let table = find("recordings").expect("a table");
    let all: Vec<&str> = table.columns().iter().map(|column| column.name).collect();
    let mut without_hash = all.clone();
    without_hash.retain(|name| !["recording_id", "sha256"].contains(name));
    let list = |what: &str, columns: &[&str]| {
        let run = || {
            let request = Request {
                options: TableOptions {
                    columns: Some(places(&table.schema(), columns)),
                    ..TableOptions::default()
                },
                ..Request::new(table)
            };
            let items = scan(vec![folder.to_owned()], request).expect("a scan");
            items.filter(Result::is_ok).count()
        };
        let best = (0..3).map(|_| time(run)).min().expect("three runs");
        println!("  {what:44} {:10.2} s", best.as_secs_f64());
        best.as_secs_f64()
    };
    list("list of 10,000, with their SHA-256", &all);
    let best_s = list("list of 10,000", &without_hash);
    (best_s > LIST_S).then(|| format!("a list of {LISTED} takes {best_s:.1} s"))
}
