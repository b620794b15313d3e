//! Slippi compared with peppi, on every file of the corpus that peppi can read.

use std::fs::File;
use std::hint::black_box;
use std::io::{Cursor, Read as _, Write as _};
use std::process::{Command, Stdio};

use postgame::limits::Limits;
use postgame::{ReadOptions, Report, slippi};

use crate::corpus;
use crate::measure::{Pair, pool, time};
use crate::memory::{self, Counter, Peaks};

/// Minimum speed of decoding relative to peppi.
const MIN_SPEEDUP: f64 = 2.0;

/// Maximum memory of decoding beyond the file, as a multiple of its size.
const MAX_MEMORY: f64 = 1.5;

/// Maximum time of reading a header, for any file size.
const MAX_HEADER_US: f64 = 100.0;

/// Set in the process that tests whether peppi can read a file.
const PROBE: &str = "POSTGAME_BENCH_PROBE";

/// Number of repetitions of each measurement; the best counts.
const ROUNDS: usize = 20;

fn ours(bytes: &[u8]) -> Option<slippi::Replay> {
    slippi::read(bytes, &ReadOptions::default(), &mut Report::default()).ok()
}

fn theirs(bytes: &[u8]) -> Option<peppi::game::immutable::Game> {
    peppi::io::slippi::read(Cursor::new(bytes), None).ok()
}

/// True if peppi can read a file. It panics on some, which aborts a release build, so another process has to try.
fn peppi_reads(bytes: &[u8]) -> bool {
    let try_it = || -> std::io::Result<bool> {
        let mut child = Command::new(std::env::current_exe()?)
            .arg("slippi")
            .env(PROBE, "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        if let Some(mut input) = child.stdin.take() {
            input.write_all(bytes)?;
        }
        Ok(child.wait()?.success())
    };
    try_it().unwrap_or(false)
}

/// Runs in the other process: the test of [`peppi_reads`].
fn probe() -> Vec<String> {
    let mut bytes = Vec::new();
    let is_read = std::io::stdin().read_to_end(&mut bytes).is_ok() && theirs(&bytes).is_some();
    if is_read {
        Vec::new()
    } else {
        vec!["peppi cannot read it".to_owned()]
    }
}

/// Memory of reading, and the file's size.
pub fn peaks(counter: &Counter) -> Vec<Peaks> {
    let files = corpus::files("slippi", &["slp"]).into_iter();
    let peaks = |(file, bytes): (String, Vec<u8>)| Peaks {
        file,
        bytes: vec![counter.peak_bytes(|| ours(&bytes)), bytes.len()],
    };
    files.map(peaks).collect()
}

/// Loads everything into memory, then measures decoding, writing, headers and memory.
pub fn compare() -> Vec<String> {
    if std::env::var_os(PROBE).is_some() {
        return probe();
    }
    let files = corpus::files("slippi", &["slp"]);
    let (readable, refused): (Vec<_>, Vec<_>) =
        files.iter().partition(|(_, bytes)| peppi_reads(bytes));
    let megabytes: f64 = readable
        .iter()
        .map(|(_, bytes)| bytes.len() as f64 / 1e6)
        .sum();
    println!(
        "  {} files, {megabytes:.1} MB; left out, as peppi cannot read them: {}",
        readable.len(),
        refused.len()
    );

    let pair = Pair::time_each(
        ROUNDS,
        &readable,
        |(_, bytes)| ours(bytes),
        |(_, bytes)| theirs(bytes),
    );
    pair.print("decode to columns, one thread");
    println!(
        "  {:.0} MB/s against {:.0} MB/s",
        megabytes / pair.ours.as_secs_f64(),
        megabytes / pair.theirs.as_secs_f64()
    );

    // The whole corpus, including files that peppi cannot read.
    let all: Vec<(&[u8], slippi::Replay)> = files
        .iter()
        .filter_map(|(_, bytes)| Some((bytes.as_slice(), ours(bytes)?)))
        .collect();
    let writing = Pair::time_each(
        ROUNDS,
        &all,
        |(_, replay)| slippi::write(replay),
        |(bytes, _)| ours(bytes),
    );
    writing.print("write, against our own reading");
    let analysis = |threads: usize| {
        pool(threads).install(|| {
            Pair::time_after(
                ROUNDS,
                &all,
                |(bytes, _)| ours(bytes),
                |replay| replay.as_ref().map(slippi::timeline_and_stats),
            )
        })
    };
    let meaning = analysis(1);
    meaning.print("timeline, events, statistics, against decoding");
    // Decoding goes from event to event, so it cannot use a second thread.
    analysis(2).print("the same on two threads");

    let header =
        |bytes: &[u8]| slippi::read(bytes, &ReadOptions::header(), &mut Report::default()).is_ok();
    let slowest = files.iter().map(|(name, bytes)| {
        let best = (0..ROUNDS)
            .map(|_| time(|| black_box(header(bytes))))
            .min()
            .unwrap_or_default();
        (best.as_secs_f64() * 1e6, name, bytes.len())
    });
    let (header_us, name, size) = slowest
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .expect("there are files");
    println!(
        "  slowest header of all {} files: {header_us:.1} us ({name}, {size} bytes)",
        files.len()
    );

    let folder = corpus::folder().join("slippi");
    let header_of_file = |name: &str| {
        let file = File::open(folder.join(name))?;
        slippi::read_header(file, &Limits::default(), &mut Report::default())
    };
    let all = || {
        files
            .iter()
            .filter(|(name, _)| header_of_file(name).is_ok())
            .count()
    };
    let all_s = (0..ROUNDS)
        .map(|_| time(all).as_secs_f64())
        .fold(f64::INFINITY, f64::min);
    let each_us = all_s * 1e6 / files.len() as f64;
    println!(
        "  opening a file and reading its header in two small reads: {each_us:.1} us on average"
    );

    let most = memory::measure("slippi")
        .into_iter()
        .map(|peaks| (peaks.bytes[0] as f64 / peaks.bytes[1] as f64, peaks.file));
    let (memory, name) = most
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .expect("there are files");
    println!("  peak memory of reading, in times the file, at most {memory:.2} ({name})");

    let mut missed = Vec::new();
    if pair.speedup() < MIN_SPEEDUP {
        missed.push(format!(
            "decoding is {:.2} times as fast as peppi",
            pair.speedup()
        ));
    }
    if writing.speedup() < 1.0 {
        missed.push(format!(
            "writing is {:.2} times as fast as reading",
            writing.speedup()
        ));
    }
    if meaning.speedup() < 1.0 {
        missed.push(format!(
            "timeline, events and statistics are {:.2} times as fast as decoding",
            meaning.speedup()
        ));
    }
    if header_us.max(each_us) > MAX_HEADER_US {
        missed.push(format!("a header takes {header_us:.0} us"));
    }
    if memory > MAX_MEMORY {
        missed.push(format!("reading takes {memory:.2} times the file's size"));
    }
    missed
}
