//! Peak memory of a piece of work, measured by the program `memory`, which counts allocations.

use std::hint::black_box;
use std::process::Command;

use peak_alloc::PeakAlloc;

use crate::{rocket_league, rumble, satisfactory, slippi};

/// Memory of a file, in bytes, one figure for each piece of work.
pub struct Peaks {
    /// The file's name.
    pub file: String,
    /// The figures, in the order of the game's `peaks`.
    pub bytes: Vec<usize>,
}

/// Measures one piece of work: its peak beyond the memory held before it.
pub struct Counter(pub &'static PeakAlloc);

impl Counter {
    /// Peak memory of the work, in bytes.
    pub fn peak_bytes<T>(&self, work: impl FnOnce() -> T) -> usize {
        self.0.reset_peak_usage();
        let before = self.0.current_usage();
        black_box(work());
        self.0.peak_usage().saturating_sub(before)
    }
}

/// Runs in the program `memory`: measures a game's files and prints their memory.
pub fn print(game: &str, counter: &Counter) {
    let peaks = match game {
        "rocket_league" => rocket_league::peaks(counter),
        "rumble" => rumble::peaks(counter),
        "satisfactory" => satisfactory::peaks(counter),
        "slippi" => slippi::peaks(counter),
        _ => Vec::new(),
    };
    for Peaks { file, bytes } in peaks {
        let bytes: Vec<String> = bytes.iter().map(usize::to_string).collect();
        println!("{file}\t{}", bytes.join("\t"));
    }
}

/// Runs in the other program: starts the measurement of a game.
pub(crate) fn measure(game: &str) -> Vec<Peaks> {
    let output = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--release", "--package", "postgame-bench"])
        .args(["--bin", "memory", "--", game])
        .stderr(std::process::Stdio::inherit())
        .output();
    let output = match output {
        Ok(output) if output.status.success() => output.stdout,
        Ok(output) => panic!("memory: {}", output.status),
        Err(error) => panic!("memory: {error}"),
    };
    String::from_utf8_lossy(&output)
        .lines()
        .filter_map(|line| {
            let mut fields = line.split('\t');
            let file = fields.next()?.to_owned();
            let bytes = fields.filter_map(|field| field.parse().ok()).collect();
            Some(Peaks { file, bytes })
        })
        .collect()
}
