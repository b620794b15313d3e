//! Whatever can be read is written back as it was, and can be checked and put on a timeline.

#![no_main]

use libfuzzer_sys::fuzz_target;
use postgame::limits::Limits;
use postgame::{Depth, ReadOptions};

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { inflated_bytes: 16 << 20 };
    if let Ok((recording, mut report)) = postgame::read(bytes, &ReadOptions { depth: Depth::Full, limits }) {
        assert_eq!(recording.write().unwrap(), bytes);
        recording.check(&mut report);
        recording.summary();
        recording.timeline();
    }
    // Damage in what the index skips is an error of whoever asks for it, never other bytes.
    if let Ok((recording, mut report)) = postgame::read(bytes, &ReadOptions { depth: Depth::Index, limits }) {
        if let Ok(written) = recording.write() {
            assert_eq!(written, bytes);
        }
        recording.check(&mut report);
    }
});
