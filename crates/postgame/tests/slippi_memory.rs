//! What Slippi replays cost in memory. A test binary of its own: the counting allocator sees every thread.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::path::{Path, PathBuf};

use postgame::slippi::live::LiveReader;
use postgame::{ReadOptions, Recording};

#[global_allocator]
static MEMORY: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

/// The most memory some work takes beyond what was held before, in bytes.
fn peak<T>(work: impl FnOnce() -> T) -> (usize, T) {
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    let result = work();
    (MEMORY.peak_usage().saturating_sub(before), result)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        eprintln!("NO CORPUS at {}", folder.display());
        return Vec::new();
    };
    let files = entries.map(|entry| entry.unwrap().path());
    files
        .filter(|path| path.extension().is_some_and(|extension| extension == "slp"))
        .collect()
}

/// The sample up to its first frame, and then a million events of one kind.
fn flood(code: u8, size: u16) -> Vec<u8> {
    let sample = std::fs::read(root().join("samples/duel.slp")).unwrap();
    let (recording, _) = postgame::read(&sample, &ReadOptions::default()).unwrap();
    let Recording::Slippi(mut replay) = recording else {
        panic!()
    };
    replay.frames = Some(Default::default());
    replay.after.clear();
    replay.elements.clear();
    replay.is_closed = false;
    let entry = replay
        .payloads
        .sizes
        .iter_mut()
        .find(|entry| entry.code == 0x41)
        .unwrap();
    (entry.code, entry.size) = (code, size);
    let mut bytes = postgame::slippi::write(&replay).unwrap();
    bytes[11..15].fill(0);
    for _ in 0..1_000_000 {
        bytes.push(code);
        bytes.extend(vec![0; size.into()]);
    }
    bytes
}

/// One test, so that nothing else allocates meanwhile.
#[test]
fn memory_stays_in_proportion_to_the_file() {
    let corpus = std::env::var_os("POSTGAME_CORPUS")
        .map_or_else(|| root().join("../shared/corpus"), PathBuf::from);
    let real = files(&corpus.join("slippi"));
    assert!(real.is_empty() || real.len() == 79);
    for path in real.iter().chain(&files(&root().join("samples"))) {
        let bytes = std::fs::read(path).unwrap();
        let (most, replay) = peak(|| postgame::read(&bytes, &ReadOptions::default()).unwrap());
        let times = most as f64 / bytes.len() as f64;
        assert!(times < 1.5, "{}: {times:.2} times the file", path.display());
        let (most, _) = peak(|| replay.0.write().unwrap());
        let times = most as f64 / bytes.len() as f64;
        // The file itself, and for a moment once more what stands around its frames.
        assert!(
            times < 2.2,
            "{}: {times:.2} times the file to write",
            path.display()
        );
    }
    for (code, size) in [(0x77, 0), (0x40, 5), (0x39, 6)] {
        let bytes = flood(code, size);
        let (most, (recording, report)) =
            peak(|| postgame::read(&bytes, &ReadOptions::default()).unwrap());
        let bound = 40 << 20;
        assert!(
            most < bound,
            "{code:#04x}: {most} bytes for {}",
            bytes.len()
        );
        assert!(recording.write().unwrap() == bytes, "{code:#04x}");
        let is_flooded = report
            .findings()
            .iter()
            .any(|finding| finding.code == "event-flood");
        assert_eq!(is_flooded, code != 0x40, "{code:#04x}: {report:?}");
        let (most, live) = peak(|| {
            let mut reader = LiveReader::new();
            for piece in bytes.chunks(4096) {
                reader.push(piece);
                while reader.next_event().is_some() {}
            }
            reader.finish().unwrap()
        });
        assert!(
            most < bound,
            "{code:#04x} live: {most} bytes for {}",
            bytes.len()
        );
        assert!(
            postgame::slippi::write(&live).unwrap() == bytes,
            "{code:#04x} live"
        );
    }
}
