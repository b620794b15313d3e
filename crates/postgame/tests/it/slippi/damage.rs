//! Damaged replays: cut anywhere, with any bit flipped. Whatever can be read is written back as it was.

use postgame::limits::Limits;
use postgame::slippi::live::LiveReader;
use postgame::slippi::{self, Replay, read_header};
use postgame::{ReadOptions, Recording, Repair, Report, Verdict};

use super::{name, read, real, replays};

/// Three files of different ages, without and with items and rollbacks; the sample where there is no corpus.
fn three() -> Vec<(String, Vec<u8>)> {
    let wanted = ["joystick_udlr.slp", "short_game_tbh10.slp", "v3.16.slp"];
    let mut files: Vec<_> = real()
        .into_iter()
        .filter(|path| wanted.contains(&name(path)))
        .collect();
    if files.is_empty() {
        files = replays();
    }
    files
        .iter()
        .map(|path| (name(path).to_owned(), read(path).0))
        .collect()
}

/// What every input must give: an error that says where, or a replay that is written back as it was.
fn read_any(what: &str, bytes: &[u8]) -> Option<(Replay, Report)> {
    let header = read_header(
        std::io::Cursor::new(bytes),
        &Limits::default(),
        &mut Report::default(),
    );
    let mut live = LiveReader::new();
    live.push(bytes);
    while live.next_event().is_some() {}
    match postgame::read(bytes, &ReadOptions::default()) {
        Ok((Recording::Slippi(replay), mut report)) => {
            assert!(header.is_ok(), "{what}: the header alone cannot be read");
            let written = slippi::write(&replay).unwrap_or_else(|error| panic!("{what}: {error}"));
            assert!(
                written == bytes,
                "{what}: written back as something else; {report:?}"
            );
            let live = live.finish().map(|live| slippi::write(&live).unwrap());
            assert!(
                live.as_deref() == Some(bytes),
                "{what}: arrived as something else"
            );
            slippi::check(&replay, &mut report);
            slippi::summary(&replay);
            Some((*replay, report))
        }
        Ok(_) => panic!("{what}: another format"),
        Err(error) => {
            if error.format().is_some() {
                assert!(error.place().is_some(), "{what}: {error}");
            }
            None
        }
    }
}

#[test]
fn every_331st_prefix_gives_its_whole_frames() {
    for (name, bytes) in three() {
        let mut most = 0;
        for length in (0..bytes.len()).step_by(331) {
            let what = format!("{name} cut to {length} bytes");
            let Some((replay, report)) = read_any(&what, &bytes[..length]) else {
                assert!(length < 2000, "{what}: nothing was read");
                continue;
            };
            assert!(!report.is_clean(), "{what}: nothing was found missing");
            let frames = replay.frames.as_ref().unwrap().len();
            assert!(
                frames >= most,
                "{what}: fewer frames than a shorter file gave"
            );
            most = frames;
            assert_eq!(replay.timeline_is_ordered(), Ok(()), "{what}");
        }
        assert!(most > 100, "{name}: {most} frames");
    }
}

/// The timeline of any replay is in order.
trait TimelineIsOrdered {
    fn timeline_is_ordered(&self) -> Result<(), String>;
}

impl TimelineIsOrdered for Replay {
    fn timeline_is_ordered(&self) -> Result<(), String> {
        let timeline = slippi::timeline(self);
        for entity in &timeline.entities {
            for track in &entity.tracks {
                if !track.times_s.is_sorted() {
                    return Err(format!("{}: times go back", entity.name));
                }
                if let Some(column) = track
                    .columns
                    .iter()
                    .find(|column| column.values.len() != track.times_s.len())
                {
                    return Err(format!(
                        "{}.{}: {} values",
                        entity.name,
                        column.name,
                        column.values.len()
                    ));
                }
            }
        }
        Ok(())
    }
}

#[test]
fn ten_thousand_flipped_bits() {
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = move || {
        // xorshift: the same bits in every run.
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random
    };
    for (name, original) in three() {
        let (mut failed, mut found) = (0, 0);
        let mut bytes = original.clone();
        for round in 0..10_000u64 {
            // Half of them where it hurts most: in the first two events and in the last ones.
            let near = 2000.min(original.len() as u64);
            let byte = match round % 4 {
                0 => next() % near,
                1 => original.len() as u64 - 1 - next() % near,
                _ => next() % original.len() as u64,
            } as usize;
            let bit = 1u8 << (next() % 8);
            bytes[byte] ^= bit;
            match read_any(
                &format!("{name} with {bit:#04x} of byte {byte} flipped"),
                &bytes,
            ) {
                Some((_, report)) => found += usize::from(!report.is_clean()),
                None => failed += 1,
            }
            bytes[byte] ^= bit;
        }
        // Most of a replay is numbers that may have any value.
        assert!(
            failed > 5 && found > 500,
            "{name}: {found} findings and {failed} errors"
        );
    }
}

#[test]
fn a_cut_file_is_made_valid_without_inventing_frames() {
    let mut mended_files = 0;
    for path in replays() {
        let (bytes, whole, _) = read(&path);
        let Some((mut replay, report)) = read_any(name(&path), &bytes[..bytes.len() * 3 / 4])
        else {
            continue;
        };
        assert!(!report.is_clean(), "{}", name(&path));
        let frames = replay.frames.as_ref().unwrap().len();
        let mut done = Repair::default();
        slippi::repair(&mut replay, &mut done);
        assert_eq!(done.verdict(), Verdict::Lost, "{}", name(&path));
        let mended = slippi::write(&replay).unwrap();
        let (again, mut report) = postgame::read(&mended, &ReadOptions::default()).unwrap();
        let Recording::Slippi(again) = again else {
            panic!()
        };
        // One frame at most is lost: the one that was cut.
        let ids = &again.frames.as_ref().unwrap().ids;
        assert!(
            ids.len() + 1 >= frames && ids.len() <= frames,
            "{}",
            name(&path)
        );
        assert!(
            whole.frames.as_ref().unwrap().ids.starts_with(ids),
            "{}",
            name(&path)
        );
        assert_eq!(
            (again.stated_length, again.is_closed),
            (None, true),
            "{}",
            name(&path)
        );
        let last = again
            .metadata()
            .unwrap()
            .get("lastFrame")
            .and_then(|last| last.as_int());
        assert_eq!(last, again.last_frame().map(i64::from), "{}", name(&path));
        // What no repair can bring back, and what was odd about the file before it was cut.
        slippi::check(&again, &mut report);
        let lost = report
            .findings()
            .iter()
            .any(|finding| finding.severity == postgame::Severity::Lost);
        assert!(!lost, "{}: {report:?}", name(&path));
        let own = [
            "game-end",
            "payload-size",
            "event-order",
            "frame-gap",
            "finalised",
            "split",
            "port",
        ];
        let left = report.findings().iter().find(|finding| {
            finding.severity == postgame::Severity::Odd && !own.contains(&finding.code)
        });
        assert!(left.is_none(), "{}: {left:?}", name(&path));
        // Repairing twice does nothing more.
        let mut again = again;
        let mut nothing = Repair::default();
        slippi::repair(&mut again, &mut nothing);
        assert_eq!(nothing, Repair::default(), "{}", name(&path));
        mended_files += 1;
    }
    assert_eq!(mended_files, real().len() + 1);
}
