//! Replays in pieces.

use postgame::slippi::live::{LiveEvent, LiveReader};
use postgame::slippi::{self, Replay};

use super::{name, read, real, replays};

/// Feeds pieces of the lengths that `next` gives and collects everything that comes out.
fn feed(bytes: &[u8], mut next: impl FnMut() -> usize) -> (Vec<LiveEvent>, Option<Replay>) {
    let (mut reader, mut events, mut rest) = (LiveReader::new(), Vec::new(), bytes);
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(next().clamp(1, rest.len()));
        reader.push(piece);
        while let Some(event) = reader.next_event() {
            events.push(event);
        }
        rest = after;
    }
    (events, reader.finish())
}

/// Pieces of random lengths up to `most`, the same in every run.
fn random(most: usize) -> impl FnMut() -> usize {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as usize % most + 1
    }
}

/// NaN is never equal to itself; its text is.
fn text(events: &[LiveEvent]) -> String {
    events
        .iter()
        .map(|event| serde_json::to_string(event).unwrap() + "\n")
        .collect()
}

#[test]
fn the_pieces_make_no_difference() {
    let mut files = replays();
    // A byte at a time takes a while: the smaller half of the files has all kinds.
    files.retain(|path| std::fs::metadata(path).unwrap().len() < 450_000);
    assert!(
        real().is_empty() || files.len() > 30,
        "{} files",
        files.len()
    );
    for path in files {
        let (bytes, ..) = read(&path);
        let whole = text(&feed(&bytes, || usize::MAX).0);
        assert!(
            text(&feed(&bytes, || 1).0) == whole,
            "{}: a byte at a time",
            name(&path)
        );
        assert!(
            text(&feed(&bytes, random(700)).0) == whole,
            "{}: random pieces",
            name(&path)
        );
    }
}

#[test]
fn what_arrived_is_what_reading_the_file_gives() {
    let mut done = 0;
    for path in replays() {
        let (bytes, replay, report) = read(&path);
        let (events, live) = feed(&bytes, random(5000));
        let live = live.unwrap();
        assert!(slippi::write(&live).unwrap() == bytes, "{}", name(&path));
        let frames = live.frames.as_ref().unwrap();
        assert_eq!(
            frames.ids,
            replay.frames.as_ref().unwrap().ids,
            "{}",
            name(&path)
        );
        assert_eq!(live.is_closed, replay.is_closed, "{}", name(&path));
        let finalised: Vec<i32> = events
            .iter()
            .filter_map(|event| match event {
                LiveEvent::Finalised { frame } => Some(*frame),
                _ => None,
            })
            .collect();
        assert!(
            finalised.is_sorted_by(|a, b| a < b),
            "{}: a frame is final twice",
            name(&path)
        );
        if replay.end().is_some() {
            assert_eq!(
                finalised.last().copied(),
                frames.last_frame(),
                "{}",
                name(&path)
            );
            done += 1;
        }
        let is_broken = events
            .iter()
            .any(|event| matches!(event, LiveEvent::Broken { .. }));
        assert!(!is_broken || !report.is_clean(), "{}", name(&path));
    }
    assert!(real().is_empty() || done >= 74, "{done} files with an end");
}
