//! The example programs, run on samples.

#[path = "../../examples/ball.rs"]
mod ball;
#[path = "../../examples/container.rs"]
mod container;
#[path = "../../examples/follow.rs"]
mod follow;
#[path = "../../examples/port.rs"]
mod port;
#[path = "../../examples/recordings.rs"]
mod recordings;
#[path = "../../examples/updates.rs"]
mod updates;

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use postgame::{ReadOptions, Recording};
use postgame_testing::corpus;
use serde_json::Value;

/// The lines that an example prints.
fn lines(example: impl FnOnce(&mut Vec<u8>) -> Result<(), Box<dyn Error>>) -> Vec<String> {
    let mut output = Vec::new();
    example(&mut output).unwrap();
    let output = String::from_utf8(output).unwrap();
    output.lines().map(str::to_owned).collect()
}

/// The path of a sample as text.
fn sample(name: &str) -> String {
    corpus::sample(name).to_str().unwrap().to_owned()
}

/// A file of our own in the folder for temporary files.
fn temporary(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("postgame-{}-{name}", std::process::id()))
}

#[test]
fn examples_are_short() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let lines = fs::read_to_string(&path).unwrap().lines().count();
        assert!(lines < 40, "{}: {lines} lines", path.display());
        count += 1;
    }
    assert_eq!(count, 6);
}

#[test]
fn a_folder_is_listed() {
    let folder = corpus::sample("duel.slp");
    let folder = folder.parent().unwrap().to_str().unwrap();
    let lines = lines(|output| recordings::run(folder, output));
    let files = fs::read_dir(folder).unwrap().count();
    assert!(lines.len() > 5 && lines.len() <= files, "{lines:?}");
    let duel = lines.iter().find(|line| line.contains("duel.slp: "));
    let duel = duel.unwrap();
    assert!(
        duel.ends_with(": Super Smash Bros. Melee, Battlefield: Ada, Ben"),
        "{duel}"
    );
}

#[test]
fn a_file_that_is_not_a_recording_does_not_end_the_list() {
    let folder = temporary("folder");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("a.slp"), "hello").unwrap();
    fs::copy(corpus::sample("duel.slp"), folder.join("b.slp")).unwrap();
    let mut lines = lines(|output| recordings::run(folder.to_str().unwrap(), output));
    fs::remove_dir_all(&folder).unwrap();
    lines.sort();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].contains("a.slp: not a recording"), "{lines:?}");
}

#[test]
fn updates_have_names_and_values() {
    let lines = lines(|output| updates::run(&sample("duel.replay"), output));
    let mut attributes = BTreeMap::<String, usize>::new();
    for line in &lines {
        let update: Value = serde_json::from_str(line).unwrap();
        assert!(
            update["frame"].is_u64() && !update["value"].is_null(),
            "{line}"
        );
        let name = update["attribute"].as_str().unwrap().to_owned();
        let object = update["object"].as_str().unwrap();
        if name == "TAGame.Ball_TA:HitTeamNum" {
            assert_eq!(object, "Archetypes.Ball.Ball_Default");
        }
        *attributes.entry(name).or_default() += 1;
    }
    assert!(
        attributes["TAGame.RBActor_TA:ReplicatedRBState"] > 1000,
        "{attributes:?}"
    );
    assert!(attributes.contains_key("Engine.PlayerReplicationInfo:PlayerName"));
}

#[test]
fn the_ball_of_a_sample_is_printed() {
    let lines = lines(|output| ball::run(&sample("duel.replay"), output));
    assert!(lines.len() > 10, "{lines:?}");
    assert!(lines.iter().all(|line| line.split(' ').count() == 4));
}

#[test]
fn the_frames_of_a_port_are_in_order() {
    let lines = lines(|output| port::run(&sample("duel.slp"), output));
    let frames: Vec<i32> = lines
        .iter()
        .map(|line| line.split(' ').next().unwrap().parse().unwrap())
        .collect();
    assert_eq!(frames.first(), Some(&-123));
    assert!(frames.is_sorted_by(|one, other| one < other));
}

/// The real recording with the most rollbacks has each frame once.
#[test]
fn rollbacks_are_resolved() {
    let Some(folder) = corpus::folder() else {
        return;
    };
    let mut repeated = 0;
    for entry in fs::read_dir(folder.join("slippi")).unwrap() {
        let path = entry.unwrap().path();
        let Ok(bytes) = fs::read(&path) else { continue };
        let Ok((Recording::Slippi(replay), _)) = postgame::read(&bytes, &ReadOptions::default())
        else {
            continue;
        };
        let Some(frames) = &replay.frames else {
            continue;
        };
        repeated += frames.rolled_back_rows();
        for number in 1..=6 {
            let Ok(port) = replay.port(number) else {
                continue;
            };
            let ids: Vec<i32> = port.frames().map(|frame| frame.frame).collect();
            assert!(!ids.is_empty(), "{}", path.display());
            assert!(
                ids.is_sorted_by(|one, other| one < other),
                "{}",
                path.display()
            );
        }
    }
    assert!(repeated > 0, "no recording has rollbacks");
}

#[test]
fn a_count_in_a_container_is_changed() {
    let (from, to) = (sample("factory.sav"), temporary("filled.sav"));
    let lines = lines(|output| container::run(&from, to.to_str().unwrap(), output));
    let (before, after) = (fs::read(from).unwrap(), fs::read(&to).unwrap());
    fs::remove_file(to).unwrap();
    assert!(lines[0].ends_with("42 now"), "{lines:?}");
    assert!(before != after);
    let (mut changed, mut report) = postgame::read(&after, &ReadOptions::default()).unwrap();
    changed.check(&mut report);
    assert!(report.is_clean(), "{report:?}");
    let Recording::Satisfactory(save) = &mut changed else {
        panic!("another format");
    };
    let body = save.body.as_mut().unwrap();
    let container = body.of_class("Build_StorageContainerMk1_C").next().unwrap();
    let count = "mStorageInventory.mInventoryStacks[0].NumItems";
    assert_eq!(body.get(container, count).unwrap().int(), Some(42));
    assert!(body.set(container, count, "many").is_err());
    assert!(body.set(container, count, i64::MAX).is_err());
    assert!(body.get(container, "mStorageInventory.mNothing").is_err());
    // With the old count it is the old file.
    let old = lines[0]
        .trim_start_matches("Some(")
        .split(')')
        .next()
        .unwrap();
    body.set(container, count, old.parse::<i64>().unwrap())
        .unwrap();
    assert!(changed.write().unwrap() == before);
}

#[test]
fn a_growing_file_is_followed() {
    let bytes = fs::read(corpus::sample("duel.slp")).unwrap();
    let path = temporary("growing.slp");
    let mut file = fs::File::create(&path).unwrap();
    file.write_all(&bytes[..100]).unwrap();
    let rest = bytes[100..].to_vec();
    let writer = std::thread::spawn(move || {
        for piece in rest.chunks(rest.len() / 7) {
            std::thread::sleep(std::time::Duration::from_millis(5));
            file.write_all(piece).unwrap();
        }
    });
    let lines = lines(|output| follow::run(path.to_str().unwrap(), output));
    writer.join().unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!(lines.first().map(String::as_str), Some("stage 31"));
    let finals = lines.iter().filter(|line| line.ends_with("is final"));
    assert!(finals.count() > 100, "{lines:?}");
}
