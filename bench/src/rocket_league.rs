//! Rocket League compared with boxcars, the reader that most tools use, and the analysis compared with subtr-actor.

mod analysis;

use postgame::{Depth, ReadOptions, Recording};

use crate::corpus;
use crate::measure::{Pair, pool, time};
use crate::memory::{self, Counter, Peaks};

/// Minimum speed relative to boxcars on one thread.
const ONE_THREAD: f64 = 1.3;
/// Minimum speed relative to boxcars on two threads.
const TWO_THREADS: f64 = 2.2;
/// Maximum time for ten times the frames, relative to the original.
const MAX_FOR_TEN_TIMES: f64 = 11.5;

fn peer(bytes: &[u8], network: bool) -> boxcars::Replay {
    let builder = boxcars::ParserBuilder::new(bytes);
    let builder = match network {
        true => builder.must_parse_network_data(),
        false => builder.never_parse_network_data(),
    };
    builder.parse().expect("boxcars reads the file")
}

fn ours(bytes: &[u8], depth: Depth) -> Recording {
    let options = ReadOptions {
        depth,
        ..ReadOptions::default()
    };
    postgame::read(bytes, &options).expect("we read the file").0
}

/// The files that boxcars can read; one that fails early would distort the ratio.
fn readable() -> Vec<(String, Vec<u8>)> {
    let mut files = corpus::files("rocket-league", &["replay"]);
    files.retain(|(name, bytes)| {
        let reads = boxcars::ParserBuilder::new(bytes)
            .must_parse_network_data()
            .parse()
            .is_ok();
        if !reads {
            eprintln!("  left out, boxcars cannot read it: {name}");
        }
        reads
    });
    files
}

/// Time of reading on one thread, time of boxcars, and the file's size.
pub fn peaks(counter: &Counter) -> Vec<Peaks> {
    let one = pool(1);
    let peaks = |(file, bytes): (String, Vec<u8>)| {
        let ours = one.install(|| counter.peak_bytes(|| ours(&bytes, Depth::Full)));
        let theirs = counter.peak_bytes(|| peer(&bytes, true));
        Peaks {
            file,
            bytes: vec![ours, theirs, bytes.len()],
        }
    };
    readable().into_iter().map(peaks).collect()
}

/// Reads the corpus: everything on one and on two threads, and headers alone; also memory, writing, and a long replay.
pub fn compare() -> Vec<String> {
    let mut missed = Vec::new();
    let mut claim = |holds: bool, text: String| {
        if !holds {
            missed.push(text);
        }
    };
    let files = readable();
    let megabytes = files.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() as f64 / 1e6;
    println!("  {} files, {megabytes:.1} MB", files.len());
    let (one, two) = (pool(1), pool(2));
    let full = |bytes: &[u8]| ours(bytes, Depth::Full);
    let full_peer = |(_, bytes): &(String, Vec<u8>)| peer(bytes, true);
    let against_peer = |pool: &rayon::ThreadPool| {
        let ours = |(_, bytes): &(String, Vec<u8>)| pool.install(|| full(bytes));
        Pair::time_each(9, &files, ours, full_peer)
    };
    let pair = against_peer(&one);
    pair.print("read everything, one thread");
    claim(
        pair.speedup() >= ONE_THREAD,
        format!("one thread is {:.2} times as fast", pair.speedup()),
    );
    let pair = against_peer(&two);
    pair.print("read everything, two threads");
    claim(
        pair.speedup() >= TWO_THREADS,
        format!("two threads are {:.2} times as fast", pair.speedup()),
    );
    let pair = Pair::time_each(
        20,
        &files,
        |(_, bytes)| ours(bytes, Depth::Header),
        |(_, bytes)| peer(bytes, false),
    );
    pair.print("read headers only");
    claim(
        pair.speedup() >= 1.0,
        format!("headers are {:.2} times as fast", pair.speedup()),
    );

    let (mut most_ratio, mut worst) = (0.0, String::new());
    let (mut sum, mut sum_peer) = (0, 0);
    for peaks in memory::measure("rocket_league") {
        let [own, other, size] = peaks.bytes[..] else {
            panic!("{}: three figures are expected", peaks.file)
        };
        (sum, sum_peer) = (sum + own, sum_peer + other);
        let ratio = own as f64 / other as f64;
        // Files without frames are a few kilobytes, where some hundred bytes more do not matter.
        if ratio > most_ratio && size > 4096 {
            (most_ratio, worst) = (ratio, peaks.file);
        }
    }
    println!(
        "  peak memory {:.2} of boxcars' in all, {most_ratio:.2} at most ({worst})",
        sum as f64 / sum_peer as f64
    );
    claim(
        most_ratio <= 1.0,
        format!("{worst} takes {most_ratio:.2} times the memory"),
    );

    let recordings: Vec<(&[u8], Recording)> = one.install(|| {
        let files = files.iter();
        files
            .map(|(_, bytes)| (bytes.as_slice(), full(bytes)))
            .collect()
    });
    let pair = Pair::time_each(
        9,
        &recordings,
        |(_, recording)| recording.write().expect("we write it"),
        |(bytes, _)| one.install(|| full(bytes)),
    );
    pair.print("write everything, against reading it");
    claim(
        pair.speedup() >= 1.0,
        format!("writing is {:.2} times as fast as reading", pair.speedup()),
    );
    let analysis = analysis::compare(&files, &recordings);
    drop(recordings);

    let (name, bytes) = files
        .iter()
        .max_by_key(|(_, bytes)| bytes.len())
        .expect("there are files");
    let Recording::RocketLeague(replay) = ours(bytes, Depth::Full) else {
        unreachable!()
    };
    let long = postgame::rocket_league::write(&repeated(&replay, 10)).expect("we write it");
    let best = |bytes: &[u8]| {
        one.install(|| (0..7).map(|_| time(|| ours(bytes, Depth::Full))).min())
            .expect("seven runs")
    };
    let ratio = best(&long).as_secs_f64() / best(bytes).as_secs_f64();
    println!("  ten times {name} takes {ratio:.2} times as long");
    claim(
        ratio <= MAX_FOR_TEN_TIMES,
        format!("ten times the frames take {ratio:.2} times as long"),
    );
    missed.extend(analysis);
    missed
}

/// A replay whose frames are repeated several times.
fn repeated(
    replay: &postgame::rocket_league::Replay,
    times: usize,
) -> postgame::rocket_league::Replay {
    let mut long = replay.clone();
    let frames = replay.stated_frames().unwrap_or(0) as i32;
    long.header
        .properties
        .set_int("NumFrames", frames * times as i32);
    if let Some(body) = &mut long.body {
        let blocks = std::mem::take(&mut body.network.blocks);
        body.network.blocks = (0..times).flat_map(|_| blocks.clone()).collect();
        body.network.stated_size = None;
    }
    long
}
