//! Slippi replays: memory in proportion to the file.

use std::path::Path;

use postgame::slippi::live::LiveReader;
use postgame::{ReadOptions, Recording};
use postgame_testing::corpus;
use postgame_testing::suite::Suite;

use crate::peak;

pub fn tests(suite: &mut Suite) {
    suite.each_recording("slippi", &["slp"], memory_is_in_proportion);
    suite.test("slippi::floods", floods_are_bounded);
}

/// The sample up to its first frame, and then a million events of one kind.
fn flood(code: u8, size: u16) -> Vec<u8> {
    let sample = std::fs::read(corpus::sample("duel.slp")).unwrap();
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

fn memory_is_in_proportion(path: &Path) {
    let bytes = std::fs::read(path).unwrap();
    let (most, replay) = peak(|| postgame::read(&bytes, &ReadOptions::default()).unwrap());
    let times = most as f64 / bytes.len() as f64;
    assert!(times < 1.5, "{times:.2} times the file");
    let (most, _) = peak(|| replay.0.write().unwrap());
    let times = most as f64 / bytes.len() as f64;
    // The file itself, and for a moment once more what stands around its frames.
    assert!(times < 2.2, "{times:.2} times the file to write");
}

fn floods_are_bounded() {
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
