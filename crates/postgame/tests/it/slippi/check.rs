//! What is found odd: in real files, and in a sample made odd one way at a time.

use std::collections::BTreeSet;

use postgame::slippi::model::frames::Rows;
use postgame::slippi::model::messages::Message;
use postgame::slippi::model::payloads::PayloadSize;
use postgame::slippi::ubjson::{Str, Value};
use postgame::slippi::{self, Replay};
use postgame::{Report, Severity};

use super::{name, read, real, replays};

/// The real files with findings, and why: see `docs/formats/slippi.md`, Odd files. All others are clean.
const ODD: &[(&str, &[&str])] = &[
    ("10-Man.slp", &["event-order"]),
    ("FodPlatforms.slp", &["payload-size"]),
    ("Training.slp", &["finalised", "frame-gap", "game-end"]),
    (
        "corrupt.slp",
        &["event-cut", "file-cut", "game-end", "length", "split"],
    ),
    ("duplicate_game_end.slp", &["game-end"]),
    ("ffa_1p2p_winner_2p.slp", &["payload-size"]),
    ("geckoCodes.slp", &["game-end"]),
    ("incomplete.slp", &["file-cut", "game-end", "length"]),
    ("itemExport.slp", &["event-order", "payload-size"]),
    ("netplay.slp", &["trailing"]),
    ("severed_metadata.slp", &["file-cut", "game-end", "length"]),
    ("streaming_game.slp", &["length"]),
    ("test-2.slp", &["payload-size"]),
];

fn codes(report: &Report) -> Vec<&'static str> {
    let serious = report
        .findings()
        .iter()
        .filter(|finding| finding.severity > Severity::Note);
    serious
        .map(|finding| finding.code)
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect()
}

#[test]
fn odd_files_are_found_odd_and_no_others() {
    let mut odd = Vec::new();
    for path in real() {
        let (_, replay, mut report) = read(&path);
        slippi::check(&replay, &mut report);
        if !report.is_clean() {
            odd.push((name(&path).to_owned(), codes(&report)));
        }
    }
    let expected: Vec<_> = ODD
        .iter()
        .map(|(name, codes)| ((*name).to_owned(), codes.to_vec()))
        .collect();
    assert!(real().is_empty() || odd == expected, "{odd:#?}");
}

fn sample() -> Replay {
    let path = replays()
        .into_iter()
        .find(|path| name(path) == "duel.slp")
        .unwrap();
    read(&path).1
}

/// What one change to the sample makes `check` find.
fn found(change: impl FnOnce(&mut Replay)) -> Vec<(Severity, &'static str)> {
    let mut replay = sample();
    change(&mut replay);
    let mut report = Report::default();
    slippi::check(&replay, &mut report);
    let findings: BTreeSet<_> = report
        .findings()
        .iter()
        .map(|finding| (finding.severity, finding.code))
        .collect();
    findings.into_iter().collect()
}

fn metadata(replay: &mut Replay) -> &mut Vec<(Str, Value)> {
    match &mut replay.elements[0].1 {
        Value::Object(_, pairs) => pairs,
        _ => panic!("the metadata is an object"),
    }
}

#[test]
fn every_finding_has_its_change() {
    use Severity::{Note, Odd};
    assert_eq!(found(|_| {}), []);
    assert_eq!(
        found(|replay| replay.stated_length = Some(0)),
        [(Odd, "length")]
    );
    assert_eq!(
        found(|replay| replay.stated_length = Some(5)),
        [(Odd, "length")]
    );
    assert_eq!(
        found(|replay| replay.trailing = b"\n".as_slice().into()),
        [(Odd, "trailing")]
    );
    assert_eq!(found(|replay| replay.elements.clear()), [(Odd, "metadata")]);
    assert_eq!(
        found(|replay| replay.elements.push(("more".into(), Value::Null))),
        [(Note, "element")]
    );
    assert_eq!(
        found(|replay| replay.payloads.sizes[1].size = 64),
        [(Odd, "payload-size")]
    );
    assert_eq!(
        found(|replay| replay.payloads.sizes.truncate(11)),
        [(Odd, "payload-size")]
    );
    let twice = |replay: &mut Replay| {
        replay.payloads.sizes.push(PayloadSize {
            code: 0x36,
            size: 760,
        })
    };
    assert_eq!(found(twice), [(Odd, "payload-size")]);
    let unknown = |replay: &mut Replay| {
        replay.payloads.sizes.push(PayloadSize {
            code: 0x77,
            size: 1,
        })
    };
    assert_eq!(found(unknown), [(Note, "event-unknown")]);
    assert_eq!(
        found(|replay| replay.start.version = [4, 0, 0, 0]),
        [(Note, "newer")]
    );
    assert_eq!(
        found(|replay| replay.start.info.stage = 999),
        [(Note, "stage")]
    );
    assert_eq!(
        found(|replay| replay.start.info.players[0].character = 99),
        [(Odd, "character")]
    );
    assert_eq!(
        found(|replay| replay.start.info.players[0].costume = 9),
        [(Note, "costume")]
    );
    assert_eq!(
        found(|replay| replay.start.info.players[0].player_type = 9),
        [(Odd, "player-type")]
    );
    assert_eq!(
        found(|replay| replay.start.is_pal = Some(2)),
        [(Odd, "flag")]
    );
    let fix = |replay: &mut Replay| replay.start.controller_fixes.as_mut().unwrap()[2].dashback = 3;
    assert_eq!(found(fix), [(Odd, "controller-fix")]);
    assert_eq!(
        found(|replay| replay.start.info.players[2].player_type = 0),
        [(Odd, "port")]
    );
    assert_eq!(
        found(|replay| replay.start.info.players[1].player_type = 3),
        [(Note, "port")]
    );
    assert_eq!(found(|replay| replay.after.clear()), [(Odd, "game-end")]);
    assert_eq!(
        found(|replay| replay.after.push(replay.after[0].clone())),
        [(Odd, "game-end")]
    );
    let other = |replay: &mut Replay| {
        replay.after.push(Message::Other {
            code: 0x77,
            payload: b"x".as_slice().into(),
        });
    };
    assert_eq!(found(other), [(Note, "event-unknown")]);
    let split = |replay: &mut Replay, change: fn(&mut u16, &mut u8)| match &mut replay.before[0] {
        Message::Split { used, is_last, .. } => change(used, is_last),
        _ => panic!("the first message is a piece of the gecko list"),
    };
    assert_eq!(
        found(|replay| split(replay, |_, is_last| *is_last = 0)),
        [(Odd, "split")]
    );
    assert_eq!(
        found(|replay| split(replay, |used, _| *used = 8)),
        [(Odd, "gecko-size")]
    );
    assert_eq!(
        found(|replay| split(replay, |used, _| *used = 600)),
        [(Odd, "gecko-size"), (Odd, "split")]
    );
}

#[test]
fn frames_that_contradict_themselves_are_found() {
    use Severity::{Note, Odd};
    fn frames(replay: &mut Replay) -> &mut slippi::model::frames::Frames {
        replay.frames.as_mut().unwrap()
    }
    let order = |replay: &mut Replay| {
        let order = vec![0x11, 0x00];
        frames(replay)
            .orders
            .push(slippi::model::frames::OddOrder { row: 3, order });
    };
    assert_eq!(found(order), [(Odd, "event-order")]);
    let other = |replay: &mut Replay| {
        let payload = b"x".as_slice().into();
        frames(replay).others.push(slippi::model::frames::Other {
            row: 3,
            code: 0x77,
            payload,
        });
    };
    assert_eq!(found(other), [(Note, "event-unknown")]);
    assert_eq!(
        found(|replay| frames(replay).ids[0] = -124),
        [(Odd, "frame-gap")]
    );
    assert_eq!(
        found(|replay| frames(replay).bookends.columns.finalised[9] = 5000),
        [(Odd, "finalised")]
    );
    let no_start = |replay: &mut Replay| {
        let rows = frames(replay).len();
        frames(replay).starts.rows = (0..rows - 1).collect::<Rows>();
    };
    assert_eq!(found(no_start), [(Odd, "frame-incomplete")]);
    let no_bookend = |replay: &mut Replay| {
        let rows = frames(replay).len();
        frames(replay).bookends.rows = (0..rows - 1).collect::<Rows>();
    };
    assert_eq!(found(no_bookend), [(Odd, "frame-incomplete")]);
    let unpaired = |replay: &mut Replay| {
        let rows = frames(replay).len();
        frames(replay).characters[0].pre.rows = (0..rows - 1).collect::<Rows>();
    };
    assert_eq!(found(unpaired), [(Note, "event-unpaired")]);
    let items = |replay: &mut Replay| {
        let row = frames(replay).items.rows[0];
        frames(replay).items.rows[1] = row;
        frames(replay).items.columns.spawn_id[1] = 0;
    };
    assert_eq!(found(items), [(Odd, "item-order")]);
    let last = |replay: &mut Replay| metadata(replay)[1].1 = Value::int(7);
    assert_eq!(found(last), [(Odd, "last-frame")]);
    let count = |replay: &mut Replay| frames(replay).characters[1].post.columns.character[5] = 7;
    assert_eq!(found(count), [(Odd, "character-count")]);
    let code = |replay: &mut Replay| {
        let codes = replay.start.connect_codes.as_mut().unwrap();
        codes.swap(0, 1);
    };
    assert_eq!(found(code), [(Odd, "name")]);
    let key = |replay: &mut Replay| match &mut metadata(replay)[2].1 {
        Value::Object(_, players) => players[0].0 = "x".into(),
        _ => panic!("players is an object"),
    };
    assert_eq!(found(key), [(Odd, "metadata")]);
}
