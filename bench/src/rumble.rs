//! RUMBLE has no peer with a library, so the reference is inflating alone, which no reader can avoid.

use postgame::ReadOptions;

use crate::corpus;
use crate::measure::Pair;
use crate::memory::{self, Counter, Peaks};

/// Maximum time of reading the largest file, relative to inflating it.
const MAX_TIMES_INFLATING: f64 = 1.5;

/// The largest first-generation file.
fn largest() -> Option<(String, Vec<u8>)> {
    let files = corpus::files("rumble", &["replay"]).into_iter();
    let first_generation = files.filter(|(_, bytes)| bytes.starts_with(b"RGZP"));
    first_generation.max_by_key(|(_, bytes)| bytes.len())
}

/// Memory of reading.
pub fn peaks(counter: &Counter) -> Vec<Peaks> {
    let peaks = |(file, bytes): (String, Vec<u8>)| {
        let peak = counter.peak_bytes(|| postgame::read(&bytes, &ReadOptions::default()));
        Peaks {
            file,
            bytes: vec![peak],
        }
    };
    largest().map(peaks).into_iter().collect()
}

/// Reads the largest first-generation file, and inflates it with libdeflater alone.
pub fn compare() -> Vec<String> {
    let Some((name, bytes)) = largest() else {
        return vec!["there is no first-generation file".to_owned()];
    };
    let inflate = || {
        let size = u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]) as usize;
        let mut out = vec![0; size];
        libdeflater::Decompressor::new()
            .gzip_decompress(&bytes[12..], &mut out)
            .map(|_| out)
    };
    let read = || postgame::read(&bytes, &ReadOptions::default());
    let pair = Pair::time(200, read, inflate);
    pair.print(&format!("read {name}, against inflating it alone"));
    let ratio = pair.ours.as_secs_f64() / pair.theirs.as_secs_f64();
    println!(
        "  reading takes {ratio:.2} times as long as inflating (at most {MAX_TIMES_INFLATING})"
    );
    let mut missed = Vec::new();
    if ratio > MAX_TIMES_INFLATING {
        missed.push(format!(
            "reading takes {ratio:.2} times as long as inflating"
        ));
    }
    let files = corpus::files("rumble", &["replay"]);
    let read = |bytes: &[u8]| postgame::read(bytes, &ReadOptions::default()).ok();
    let readable = files.iter().filter(|(_, bytes)| read(bytes).is_some());
    let pair = Pair::time_after(
        50,
        &readable.collect::<Vec<_>>(),
        |(_, bytes)| read(bytes),
        |read| {
            read.as_ref()
                .map(|(recording, _)| recording.analysis().into_parts())
        },
    );
    pair.print("timeline, events and statistics, against reading");
    if pair.speedup() < 1.0 {
        missed.push(format!(
            "timeline, events and statistics are {:.2} times as fast as reading",
            pair.speedup()
        ));
    }
    let inflated = inflate().map_or(0, |out| out.len());
    for peaks in memory::measure("rumble") {
        println!(
            "  peak memory {:.2} times the inflated size",
            peaks.bytes[0] as f64 / inflated as f64
        );
    }
    missed
}
