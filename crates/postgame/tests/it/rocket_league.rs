//! Rocket League replays from end to end.

mod damage;
mod golden;
mod patches;
mod peer;
mod timeline;

use std::path::{Path, PathBuf};

use postgame::rocket_league::Replay;
use postgame::rocket_league::model::network::{FrameView, What};
use postgame::{ReadOptions, Recording, Report};

use crate::corpus;

/// The real replays; `None` without a corpus.
fn replays() -> Option<Vec<PathBuf>> {
    corpus::files("rocket-league", &["replay"])
}

fn name(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

fn read(path: &Path) -> (Vec<u8>, Replay, Report) {
    let bytes = std::fs::read(path).unwrap();
    let (recording, report) = postgame::read(&bytes, &ReadOptions::default())
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let Recording::RocketLeague(replay) = recording else {
        panic!("{}: not a Rocket League replay", path.display());
    };
    (bytes, replay, report)
}

/// Runs a test on every file, on all cores: the corpus is a hundred megabytes.
fn for_each<T: Send>(files: &[PathBuf], work: impl Fn(&Path) -> T + Sync) -> Vec<T> {
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let next = std::sync::atomic::AtomicUsize::new(0);
    let results = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let Some(path) = files.get(index) else { return };
                    let result = work(path);
                    results.lock().unwrap().push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap();
    results.sort_by_key(|(index, _)| *index);
    assert_eq!(results.len(), files.len(), "a test panicked");
    results.into_iter().map(|(_, result)| result).collect()
}

#[test]
fn every_file_is_read_whole_and_written_back_identical() {
    let Some(files) = replays() else { return };
    for_each(&files, |path| {
        let (bytes, replay, report) = read(path);
        assert!(report.is_clean(), "{}: {report:#?}", name(path));
        let network = &replay.body.as_ref().unwrap().network;
        let frames = network.frame_count();
        assert_eq!(
            frames as u32,
            replay.stated_frames().unwrap_or(0),
            "{}",
            name(path)
        );
        let written = postgame::rocket_league::write(&replay).unwrap();
        assert!(written == bytes, "{}: differs", name(path));
    });
}

#[cfg(feature = "parallel")]
#[test]
fn several_threads_read_what_one_reads() {
    let Some(files) = replays() else { return };
    let pool = |threads| {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap()
    };
    let (one, many) = (pool(1), pool(3));
    for path in &files {
        let (_, sequential, report) = one.install(|| read(path));
        let (_, parallel, parallel_report) = many.install(|| read(path));
        assert!(sequential == parallel, "{}", name(path));
        assert_eq!(report, parallel_report, "{}", name(path));
    }
}

/// Everything that is there at a keyframe is sent anew: reading can begin there.
#[test]
fn reading_can_begin_at_any_keyframe() {
    let Some(files) = replays() else { return };
    let tried: usize = for_each(&files, |path| {
        let (bytes, replay, _) = read(path);
        let body = replay.body.as_ref().unwrap();
        // A tool has edited this file and left the positions empty.
        if name(path) == "002c.replay" {
            assert!(postgame::rocket_league::read_from_keyframe(&bytes, 1, 1).is_err());
            return 0;
        }
        let all: Vec<_> = body.network.frames().collect();
        for (index, keyframe) in body.keyframes.iter().enumerate().step_by(7) {
            let from = postgame::rocket_league::read_from_keyframe(&bytes, index, 40)
                .unwrap_or_else(|error| panic!("{}: {index}: {error}", name(path)));
            let expected = all[keyframe.frame as usize..].iter().take(40);
            assert_eq!(from.frame_count(), expected.len());
            for (frame, expected) in from.frames().zip(expected) {
                assert_eq!(frame.time_s, expected.time_s);
                let text = |frame: &FrameView<'_>| {
                    format!(
                        "{:?}",
                        frame
                            .actions()
                            .map(|action| (
                                action.actor,
                                match action.what {
                                    What::Deleted => "deleted".to_owned(),
                                    What::Spawned(spawn) => format!("{spawn:?}"),
                                    What::Updated(updates) =>
                                        format!("{:?}", updates.collect::<Vec<_>>()),
                                }
                            ))
                            .collect::<Vec<_>>()
                    )
                };
                assert_eq!(text(&frame), text(expected), "{}", name(path));
            }
        }
        body.keyframes.len().div_ceil(7)
    })
    .into_iter()
    .sum();
    assert!(tried > 300, "{tried} keyframes");
}

#[test]
fn the_header_alone_has_the_facts_and_no_body() {
    let Some(files) = replays() else { return };
    for path in &files {
        let bytes = std::fs::read(path).unwrap();
        // Whatever is behind the header is not looked at.
        let header_size = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
        let (recording, report) =
            postgame::read(&bytes[..8 + header_size], &ReadOptions::header()).unwrap();
        assert!(report.is_clean(), "{}: {report:?}", name(path));
        let Recording::RocketLeague(replay) = recording else {
            panic!()
        };
        assert!(replay.body.is_none());
        assert_eq!(replay.header, read(path).1.header);
        assert!(postgame::rocket_league::write(&replay).is_err());
    }
}

/// What is odd about the real files, all of it seen by eye.
#[test]
fn every_file_checks_clean_but_for_one_that_a_tool_has_edited() {
    let Some(files) = replays() else { return };
    let odd: Vec<String> = for_each(&files, |path| {
        let (_, replay, mut report) = read(path);
        postgame::rocket_league::check(&replay, &mut report);
        let findings = report.findings().iter();
        findings
            .map(|finding| format!("{}: {finding}", name(path)))
            .collect::<Vec<_>>()
    })
    .into_iter()
    .flatten()
    .collect();
    for finding in &odd {
        println!("{finding}");
    }
    let others: Vec<_> = odd
        .iter()
        .filter(|finding| !finding.starts_with("002c.replay: odd [keyframe]"))
        .collect();
    assert!(others.is_empty(), "{others:#?}");
}
