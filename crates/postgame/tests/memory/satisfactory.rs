//! Satisfactory saves: memory in proportion to the inflated body.

use std::path::Path;

use postgame::satisfactory::{self, Save};
use postgame::{ReadOptions, Report};
use postgame_testing::corpus;
use postgame_testing::suite::Suite;

use crate::peak;

pub fn tests(suite: &mut Suite) {
    suite.each(
        "satisfactory",
        corpus::recordings(&["sav"]),
        memory_is_in_proportion,
    );
    suite.test("satisfactory::claims", claims_of_chunks_are_not_believed);
}

fn read(bytes: &[u8]) -> Save {
    satisfactory::read(bytes, &ReadOptions::default(), &mut Report::default()).unwrap()
}

fn memory_is_in_proportion(path: &Path) {
    let bytes = std::fs::read(path).unwrap();
    let (index, body) = peak(|| read(&bytes).body.unwrap().bytes().len());
    // The body and the copy of the file are in pages of their own, which the counting allocator does not see.
    let unseen = body + bytes.len();
    let (full, _) = peak(|| {
        let mut save = read(&bytes);
        save.body.as_mut().unwrap().decode_all().unwrap();
        save
    });
    let bodies = |bytes: usize| (bytes + unseen) as f64 / body as f64;
    assert!(bodies(index) <= 1.3, "{:.2} bodies indexed", bodies(index));
    assert!(bodies(full) <= 3.0, "{:.2} bodies decoded", bodies(full));
}

/// Chunks that claim a terabyte, and as much as is believed of one, with next to nothing in them.
fn claims_of_chunks_are_not_believed() {
    let sample = std::fs::read(corpus::sample("factory.sav")).unwrap();
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
