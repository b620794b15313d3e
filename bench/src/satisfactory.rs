//! Satisfactory saves compared with `satisfactory-save` from PyPI, which is C++ underneath. It inflates on all cores
//! and decodes on one.

mod speed;

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use postgame::satisfactory::{self, Save};
use postgame::{ReadOptions, Report};

use crate::corpus;
use crate::measure::{Pair, pool, time};
use crate::memory::{self, Counter, Peaks};

/// Minimum speed of a full decode relative to the peer, on one thread and on two.
const FULL: [f64; 2] = [5.0, 8.0];
/// Minimum speed of the index pass relative to the peer.
const INDEX: f64 = 20.0;
/// Maximum memory of a full decode and of the index pass, as a multiple of the inflated body.
const MEMORY: [f64; 2] = [3.0, 1.3];
/// Maximum time of writing, relative to compressing alone.
const WRITING: f64 = 1.3;
/// Number of runs of each piece of work; the best time counts.
const ROUNDS: usize = 15;

/// A Python environment with the peer; created on first use, below the build folder.
fn peer_python() -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/peers/satisfactory-save");
    let python = folder.join("bin/python");
    let run = |command: &mut Command| match command.output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        Err(error) => Err(error.to_string()),
    };
    if run(Command::new(&python).args(["-c", "import satisfactory_save"])).is_err() {
        run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "satisfactory-save"]))?;
    }
    Ok(python)
}

fn read_with(bytes: &[u8], options: &ReadOptions) -> Save {
    match satisfactory::read(bytes, options, &mut Report::default()) {
        Ok(save) => save,
        Err(error) => panic!("{error}"),
    }
}

fn read(bytes: &[u8]) -> Save {
    read_with(bytes, &ReadOptions::default())
}

/// The index alone: the objects and the offsets of their headers. Their data is not inflated.
fn index(bytes: &[u8]) -> Save {
    read_with(bytes, &ReadOptions::index())
}

/// The index, and every header decoded: class, name, and the transform of actors.
fn headers(bytes: &[u8]) -> Save {
    let save = index(bytes);
    if let Some(body) = &save.body {
        let decoder = body.decoder();
        for level in body.all_levels() {
            let form = body.form(level);
            for entry in &level.objects {
                let header = decoder.header(form, entry);
                black_box(header.unwrap_or_else(|error| panic!("{error}")).placement());
            }
        }
    }
    save
}

fn decode(bytes: &[u8]) -> Save {
    let mut save = read(bytes);
    if let Some(body) = &mut save.body {
        body.decode_all().unwrap_or_else(|error| panic!("{error}"));
    }
    save
}

fn on<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    pool(threads).install(work)
}

fn best(mut work: impl FnMut() -> Duration) -> Duration {
    (0..ROUNDS).map(|_| work()).min().unwrap_or_default()
}

/// Reads, decodes and writes the corpus's saves, and compares with the peer.
pub fn compare() -> Vec<String> {
    let files = corpus::files("satisfactory", &["sav"]);
    let mut missed = Vec::new();
    speed(&files, &mut missed);
    memory(&mut missed);
    writing(&files, &mut missed);
    meaning(&files, &mut missed);
    missed
}

fn speed(files: &[(String, Vec<u8>)], missed: &mut Vec<String>) {
    let python = match peer_python() {
        Ok(python) => python,
        Err(error) => {
            missed.push(format!("satisfactory-save cannot be installed: {error}"));
            return;
        }
    };
    let folder = corpus::folder().join("satisfactory");
    let paths = files.iter().map(|(name, _)| folder.join(name));
    let best = match speed::compare(ROUNDS, &python, &paths.collect::<Vec<_>>()) {
        Ok(best) => best,
        Err(error) => {
            missed.push(error);
            return;
        }
    };
    println!(
        "  {} saves that satisfactory-save reads; on one processor against it on one",
        best.saves
    );
    for (what, ours, peer, least) in [
        ("index pass, 1 thread", best.index[0], 0, None),
        ("index pass, 2 threads", best.index[1], 1, Some(INDEX)),
        ("and all headers decoded, 1 thread", best.headers, 0, None),
        ("whole read, nothing decoded, 1 thread", best.whole, 0, None),
        ("full decode, 1 thread", best.full[0], 0, Some(FULL[0])),
        ("full decode, 2 threads", best.full[1], 1, Some(FULL[1])),
    ] {
        let [ours, theirs] = [ours, best.peer[peer]].map(|time| time.as_secs_f64() * 1e3);
        let times = theirs / ours;
        let wanted = least.map_or(String::new(), |least| format!(" (at least {least})"));
        println!("  {what:44} {ours:10.1} ms {theirs:10.1} ms   {times:6.2} times as fast{wanted}");
        if least.is_some_and(|least| times.is_nan() || times < least) {
            missed.push(format!(
                "{what}: only {times:.2} times as fast as satisfactory-save"
            ));
        }
    }
}

/// The inflated body, and the memory of a full decode and of the index pass, on one thread.
pub fn peaks(counter: &Counter) -> Vec<Peaks> {
    let files = corpus::files("satisfactory", &["sav"]).into_iter();
    let peaks = |(file, bytes): (String, Vec<u8>)| {
        let body = read(&bytes).body.map_or(0, |body| body.bytes().len());
        // The body and the copy of the file are in separate pages, which the counting allocator does not see.
        let unseen = body + bytes.len();
        let full = on(1, || counter.peak_bytes(|| decode(&bytes)));
        let index = on(1, || counter.peak_bytes(|| index(&bytes)));
        Peaks {
            file,
            // Assumes that the index pass fills all of the body's pages, although it fills about a quarter of them.
            bytes: vec![body, full + unseen, index + unseen],
        }
    };
    files.map(peaks).collect()
}

fn memory(missed: &mut Vec<String>) {
    let mut most = [0.0f64; 2];
    for Peaks { file, bytes } in memory::measure("satisfactory") {
        let [body, full, index] = bytes[..] else {
            panic!("{file}: three figures are expected")
        };
        let [full, index] = [full, index].map(|bytes| bytes as f64 / body as f64);
        if body > 20_000_000 {
            println!("  peak memory of {file}: {full:.2} bodies decoded, {index:.2} indexed");
        }
        most = [most[0].max(full), most[1].max(index)];
    }
    for (what, most, limit) in [
        ("full decode", most[0], MEMORY[0]),
        ("index pass", most[1], MEMORY[1]),
    ] {
        println!("  peak memory of the {what}: at most {most:.2} inflated bodies (limit {limit})");
        if most > limit {
            missed.push(format!(
                "the {what} takes {most:.2} times the inflated body"
            ));
        }
    }
}

/// Compresses chunks alone, which no writer can avoid.
fn compress(body: &[u8]) -> usize {
    use rayon::prelude::*;
    let new = || flate2::Compress::new(flate2::Compression::new(6), true);
    body.par_chunks(131_072)
        .map_init(new, |compress, chunk| {
            compress.reset();
            let mut out = Vec::with_capacity(chunk.len() + 1024);
            let status = compress.compress_vec(chunk, &mut out, flate2::FlushCompress::Finish);
            status.map_or(0, |_| out.len())
        })
        .sum()
}

fn writing(files: &[(String, Vec<u8>)], missed: &mut Vec<String>) {
    let Some((name, bytes)) = files.iter().max_by_key(|(_, bytes)| bytes.len()) else {
        return;
    };
    let unchanged = read(bytes);
    let inflated = unchanged
        .body
        .as_ref()
        .map(|body| body.bytes().to_vec())
        .unwrap_or_default();
    let mut anew = decode(bytes);
    anew.chunks = satisfactory::chunks::Chunks::new(true);
    let write = |save: &Save| satisfactory::write(save).map(|bytes| bytes.len());
    let (mut ours, mut alone, mut reused) = (Duration::MAX, Duration::MAX, Duration::MAX);
    on(2, || {
        for _ in 0..ROUNDS {
            ours = ours.min(time(|| write(&anew)));
            alone = alone.min(time(|| compress(&inflated)));
            reused = reused.min(time(|| write(&unchanged)));
        }
    });
    let ratio = ours.as_secs_f64() / alone.as_secs_f64();
    println!(
        "  writing {name} anew: {:.0} ms, {ratio:.2} times compressing alone (at most {WRITING}); unchanged: {:.0} ms",
        ours.as_secs_f64() * 1e3,
        reused.as_secs_f64() * 1e3
    );
    if ratio > WRITING {
        missed.push(format!(
            "writing takes {ratio:.2} times as long as compressing alone"
        ));
    }
}

/// Timeline, events and statistics relative to decoding, on one thread: of a decoded save, and of one that is not
/// decoded, in which they decode only the objects they need.
fn meaning(files: &[(String, Vec<u8>)], missed: &mut Vec<String>) {
    let both = |save: &Save| (satisfactory::stats(save), satisfactory::timeline(save));
    let files: Vec<&[u8]> = files.iter().map(|(_, bytes)| bytes.as_slice()).collect();
    let (decoded, undecoded, decoding) = on(1, || {
        let pair = Pair::time_after(ROUNDS, &files, |bytes| decode(bytes), both);
        let saves = files.iter().map(|bytes| read(bytes));
        let undecoded: Duration = saves.map(|save| best(|| time(|| both(&save)))).sum();
        (pair.ours, undecoded, pair.theirs)
    });
    println!(
        "  timeline, events and statistics {:.1} ms, with decoding what they look at {:.1} ms; decoding all {:.1} ms",
        decoded.as_secs_f64() * 1e3,
        undecoded.as_secs_f64() * 1e3,
        decoding.as_secs_f64() * 1e3
    );
    if decoded > decoding {
        missed.push(format!(
            "timeline, events and statistics take {:.2} times as long as decoding",
            decoded.as_secs_f64() / decoding.as_secs_f64()
        ));
    }
}
