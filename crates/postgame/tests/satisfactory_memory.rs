//! What Satisfactory saves cost in memory. A test binary of its own: the counting allocator sees every thread.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::path::{Path, PathBuf};

use postgame::satisfactory::{self, Save};
use postgame::{ReadOptions, Report};

#[global_allocator]
static MEMORY: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

/// The most memory some work takes beyond what was held before, in bytes.
fn peak<T>(work: impl FnOnce() -> T) -> (usize, T) {
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    let result = work();
    (MEMORY.peak_usage().saturating_sub(before), result)
}

fn read(bytes: &[u8]) -> Save {
    satisfactory::read(bytes, &ReadOptions::default(), &mut Report::default()).unwrap()
}

fn corpus() -> Vec<PathBuf> {
    let folder = match std::env::var_os("POSTGAME_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"),
    };
    let Ok(entries) = std::fs::read_dir(folder.join("satisfactory")) else {
        eprintln!("NO CORPUS at {}", folder.display());
        return Vec::new();
    };
    let files = entries.map(|entry| entry.unwrap().path());
    files
        .filter(|path| path.extension().is_some_and(|extension| extension == "sav"))
        .collect()
}

/// One test, so that nothing else allocates meanwhile.
#[test]
fn memory_stays_within_so_many_inflated_bodies() {
    for path in corpus() {
        let bytes = std::fs::read(&path).unwrap();
        let (index, body) = peak(|| read(&bytes).body.unwrap().bytes().len());
        // The body and the copy of the file are in pages of their own, which the counting allocator does not see.
        let unseen = body + bytes.len();
        let (full, _) = peak(|| {
            let mut save = read(&bytes);
            save.body.as_mut().unwrap().decode_all().unwrap();
            save
        });
        let bodies = |bytes: usize| (bytes + unseen) as f64 / body as f64;
        let name = path.display();
        assert!(bodies(index) <= 1.3, "{name}: {:.2} indexed", bodies(index));
        assert!(bodies(full) <= 3.0, "{name}: {:.2} decoded", bodies(full));
    }
    // Chunks that claim a terabyte, and as much as is believed of one, with next to nothing in them.
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/factory.sav");
    let sample = std::fs::read(sample).unwrap();
    let tag = 0x9e2a_83c1_u32.to_le_bytes();
    let header = sample.windows(4).position(|window| window == tag).unwrap();
    for claimed in [1_i64 << 40, (16 << 20) + 1] {
        let mut hostile = sample[..header + 17].to_vec();
        for _ in 0..2 {
            hostile.extend(64_i64.to_le_bytes());
            hostile.extend(claimed.to_le_bytes());
        }
        hostile.extend([0; 64]);
        let mut report = Report::default();
        let (cost, save) =
            peak(|| satisfactory::read(&hostile, &ReadOptions::default(), &mut report).unwrap());
        assert_eq!(save.body.unwrap().bytes(), [0; 0]);
        assert!(!report.is_clean(), "{claimed} bytes are believed");
        assert!(cost < 100_000, "{cost} bytes for a claim of {claimed}");
    }
}
