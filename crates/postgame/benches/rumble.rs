//! Reading the largest RUMBLE replay compared with inflating it, which no reader can avoid. Prints the ratio.

#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use postgame::ReadOptions;

/// Maximum time of reading, relative to inflating.
const MAX_TIMES_INFLATING: f64 = 1.5;

/// Number of runs; the best time counts, because noise only adds time.
const ROUNDS: usize = 300;

fn main() -> ExitCode {
    let Some((name, bytes)) = largest() else {
        println!("no RUMBLE replay to measure on");
        return ExitCode::FAILURE;
    };
    let size = u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]) as usize;
    let (mut read, mut inflate) = (Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        read = read.min(time(|| {
            postgame::read(&bytes, &ReadOptions::default()).is_ok()
        }));
        inflate = inflate.min(time(|| {
            let mut out = vec![0; size];
            libdeflater::Decompressor::new()
                .gzip_decompress(&bytes[12..], &mut out)
                .is_ok()
        }));
    }
    let ratio = read.as_secs_f64() / inflate.as_secs_f64();
    println!("{name}: {} bytes, {size} inflated", bytes.len());
    println!("read    {:8.3} ms", read.as_secs_f64() * 1e3);
    println!("inflate {:8.3} ms", inflate.as_secs_f64() * 1e3);
    println!("reading takes {ratio:.2} times as long as inflating (at most {MAX_TIMES_INFLATING})");
    if ratio <= MAX_TIMES_INFLATING {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn time(work: impl FnOnce() -> bool) -> Duration {
    let start = Instant::now();
    assert!(black_box(work()), "the file is whole");
    start.elapsed()
}

/// The largest first-generation replay of the corpus, or of the samples if there is no corpus.
fn largest() -> Option<(String, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let corpus = std::env::var_os("POSTGAME_CORPUS")
        .map_or_else(|| root.join("../shared/corpus"), PathBuf::from);
    let folders = [corpus.join("rumble"), root.join("samples")];
    let entries = folders
        .iter()
        .find_map(|folder| std::fs::read_dir(folder).ok())?;
    entries
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            Some((
                path.file_name()?.to_str()?.to_owned(),
                std::fs::read(&path).ok()?,
            ))
        })
        .filter(|(_, bytes)| bytes.starts_with(b"RGZP"))
        .max_by_key(|(_, bytes)| bytes.len())
}
