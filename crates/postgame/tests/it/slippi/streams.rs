//! Made-up streams: events in any order, of any kind, with anything in them.

use postgame::slippi::model::payloads::PayloadSize;
use postgame::slippi::{self, Replay};
use postgame::{ReadOptions, Recording, Report};
use proptest::prelude::*;

use super::{name, read, replays};

fn sample() -> Replay {
    let path = replays()
        .into_iter()
        .find(|path| name(path) == "duel.slp")
        .unwrap();
    read(&path).1
}

/// The sample's beginning with other payload sizes, and then some events.
fn stream(sizes: &[(u8, u16)], events: &[u8]) -> Vec<u8> {
    let mut replay = sample();
    let sizes = sizes.iter().map(|&(code, size)| PayloadSize { code, size });
    replay.payloads.sizes = [PayloadSize {
        code: 0x36,
        size: 760,
    }]
    .into_iter()
    .chain(sizes)
    .collect();
    replay.before.clear();
    replay.frames = Some(Default::default());
    replay.after.clear();
    replay.remains = events.into();
    slippi::write(&replay).unwrap()
}

fn read_bytes(bytes: &[u8]) -> (Replay, Report) {
    match postgame::read(bytes, &ReadOptions::default()).unwrap() {
        (Recording::Slippi(replay), report) => (*replay, report),
        _ => panic!("another format"),
    }
}

/// Reads, writes, and goes through JSON; every time the bytes must come back.
fn there_and_back(bytes: &[u8]) -> Replay {
    let (replay, _) = read_bytes(bytes);
    assert!(replay.remains.is_empty(), "{:?}", replay.remains);
    assert!(slippi::write(&replay).unwrap() == bytes);
    let mut json = Vec::new();
    Recording::Slippi(Box::new(replay.clone()))
        .write_json(&mut json, false)
        .unwrap();
    assert!(Recording::read_json(&json[..]).unwrap().write().unwrap() == bytes);
    replay
}

const CODES: [u8; 12] = [
    0x37, 0x38, 0x39, 0x3a, 0x3b, 0x3c, 0x3f, 0x40, 0x41, 0x10, 0x77, 0x36,
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Sizes of no version at all, frames and ports of every kind, events where they do not belong.
    #[test]
    fn any_stream_comes_back(
        sizes in prop::collection::vec(0u16..100, CODES.len() - 1),
        events in prop::collection::vec((0..CODES.len() - 1, -2i32..3, 0u8..10, 0u8..3, any::<u8>()), 0..60),
    ) {
        let sizes: Vec<(u8, u16)> = CODES.iter().copied().zip(sizes).collect();
        let mut bytes = Vec::new();
        for (kind, frame, port, follower, fill) in events {
            let (code, size) = sizes[kind];
            let mut payload = frame.to_be_bytes().to_vec();
            payload.extend([port, follower]);
            payload.resize(usize::from(size).max(6), fill);
            payload.truncate(size.into());
            bytes.push(code);
            bytes.extend(payload);
        }
        there_and_back(&stream(&sizes, &bytes));
    }
}

#[test]
fn what_a_newer_recorder_adds_is_kept() {
    let mut bytes = Vec::new();
    for frame in -123i32..-120 {
        for port in 0..2 {
            bytes.push(0x38);
            bytes.extend(frame.to_be_bytes());
            bytes.extend([port, 0]);
            bytes.extend([7; 78 + 3]);
        }
    }
    let replay = there_and_back(&stream(&[(0x38, 87)], &bytes));
    let frames = replay.frames.as_ref().unwrap();
    let post = &frames.characters[1].post.columns;
    assert_eq!(
        (frames.len(), post.instance.len(), post.tail.0.len()),
        (3, 3, 9)
    );
}

#[test]
fn the_oldest_files_have_no_container() {
    // The description of this form is all there is; no file of it was found.
    let mut bytes = vec![0x36];
    bytes.extend([0, 1, 0, 0]);
    bytes.resize(1 + 0x140, 0);
    for frame in -123i32..-100 {
        bytes.push(0x37);
        bytes.extend(frame.to_be_bytes());
        bytes.extend([0, 0]);
        bytes.push(0x38);
        bytes.extend(frame.to_be_bytes());
        bytes.resize(bytes.len() + 0x46 - 4, 0);
    }
    bytes.extend([0x39, 3]);
    let (replay, _) = read_bytes(&bytes);
    assert!(replay.is_bare && replay.end().is_some());
    assert!(slippi::write(&replay).unwrap() == bytes);
}

/// A change to the model that the format has no room for is refused, with its place.
#[test]
fn what_cannot_be_written_is_refused() {
    let refused = |change: fn(&mut Replay)| {
        let mut replay = sample();
        change(&mut replay);
        slippi::write(&replay).unwrap_err().to_string()
    };
    let said = refused(|replay| {
        replay.frames.as_mut().unwrap().characters[0]
            .pre
            .columns
            .x
            .truncate(5)
    });
    assert!(
        said.starts_with("frames.characters[0]: column x has 5 values"),
        "{said}"
    );
    let said = refused(|replay| replay.frames.as_mut().unwrap().characters[1].port = 9);
    assert!(said.contains("ports 0 to 7"), "{said}");
    let said = refused(|replay| replay.frames.as_mut().unwrap().characters[1].port = 0);
    assert!(said.contains("twice"), "{said}");
    let said = refused(|replay| replay.frames.as_mut().unwrap().items.rows[0] = 99_999);
    assert!(said.contains("not in order"), "{said}");
    let said = refused(|replay| replay.frames.as_mut().unwrap().ids.truncate(100));
    assert!(said.contains("belong to a row"), "{said}");
    let said = refused(|replay| replay.payloads.sizes[2].size = 80);
    assert!(
        said.contains("has 84 bytes, but 80 were declared"),
        "{said}"
    );
    let said = refused(|replay| replay.start.language = None);
    assert!(said.contains("not the declared 760"), "{said}");
}
