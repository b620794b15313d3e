//! The probe passes on every real file, and fails on deliberately wrong scales, rotations and signs.

use postgame::probe::{Probe, Verdict};
use postgame::timeline::{Timeline, Values};
use postgame::{Recording, rocket_league};

use super::{read, recording, replays};

fn failed(probes: &[Probe]) -> Vec<&str> {
    let failed = probes.iter().filter(|probe| probe.verdict == Verdict::Fail);
    failed.map(|probe| probe.name.as_str()).collect()
}

#[test]
fn every_file_is_plausible() {
    let Some(files) = replays() else { return };
    let (mut passed, mut few) = (0, 0);
    for path in files {
        let recording = read(&path);
        let timeline = recording.timeline();
        let probes = recording.probe(&timeline);
        assert!(
            failed(&probes).is_empty(),
            "{}: {:?}",
            path.display(),
            failed(&probes)
        );
        passed += probes
            .iter()
            .filter(|probe| probe.verdict == Verdict::Pass)
            .count();
        few += probes
            .iter()
            .filter(|probe| probe.verdict == Verdict::TooFewSamples)
            .count();
        for track in timeline.entities.iter().flat_map(|entity| &entity.tracks) {
            for column in &track.columns {
                let Some(rotations) = column.values.rotations() else {
                    continue;
                };
                for rotation in rotations.iter() {
                    let norm: f32 = rotation.iter().map(|part| part * part).sum();
                    assert!(
                        (norm.sqrt() - 1.0).abs() < 1e-5,
                        "{}: {rotation:?}",
                        path.display()
                    );
                }
            }
        }
    }
    println!("{passed} checks pass, {few} have too few samples");
    assert!(passed > 1500, "{passed}");
}

/// One file of each era: no network version, 2, 5, 7 and 10.
fn eras() -> Option<Vec<Recording>> {
    let files = replays()?;
    let mut found: Vec<(u32, Recording)> = Vec::new();
    for path in files {
        let recording = read(&path);
        let Recording::RocketLeague(replay) = &recording else {
            panic!()
        };
        let net = replay.header.versions.net();
        let frames = replay
            .body
            .as_ref()
            .map_or(0, |body| body.network.frame_count());
        if frames > 3000 && found.iter().all(|other| other.0 != net) {
            found.push((net, recording));
        }
    }
    assert!(
        found.len() >= 5,
        "{:?}",
        found.iter().map(|era| era.0).collect::<Vec<_>>()
    );
    Some(found.into_iter().map(|(_, recording)| recording).collect())
}

fn change(timeline: &mut Timeline, column: &str, change: impl Fn(&mut Values)) {
    let bodies = timeline
        .entities
        .iter_mut()
        .filter(|entity| entity.kind == "car" || entity.kind == "ball");
    for track in bodies.flat_map(|entity| &mut entity.tracks) {
        let columns = track
            .columns
            .iter_mut()
            .filter(|candidate| candidate.name == column);
        columns.for_each(|column| change(&mut column.values));
    }
}

fn scaled(by: f32) -> impl Fn(&mut Values) {
    move |values| {
        if let Values::Position(vectors) = values {
            vectors.iter_mut().flatten().for_each(|part| *part *= by);
        }
    }
}

fn turned(how: impl Fn([f32; 4]) -> [f32; 4]) -> impl Fn(&mut Values) {
    move |values| {
        if let Some(rotations) = values.rotations() {
            *values = Values::Rotation(rotations.iter().map(|rotation| how(*rotation)).collect());
        }
    }
}

#[test]
fn what_is_wrong_fails() {
    let Some(eras) = eras() else { return };
    for recording in &eras {
        let right = recording.timeline();
        assert!(failed(&recording.probe(&right)).is_empty());
        let fails = |what: &str, spoil: &dyn Fn(&mut Timeline)| {
            let mut wrong = right.clone();
            spoil(&mut wrong);
            assert!(
                !failed(&recording.probe(&wrong)).is_empty(),
                "{what} passes"
            );
        };
        fails("a location ten times too large", &|timeline| {
            change(timeline, "position", scaled(10.0))
        });
        fails("a location ten times too small", &|timeline| {
            change(timeline, "position", scaled(0.1))
        });
        fails("a velocity ten times too small", &|timeline| {
            change(timeline, "velocity_m_s", scaled(0.1))
        });
        fails("a velocity the other way", &|timeline| {
            change(timeline, "velocity_m_s", scaled(-1.0))
        });
        fails("an angular velocity the other way", &|timeline| {
            change(timeline, "angular_velocity_rad_s", scaled(-1.0));
        });
        fails("an angular velocity ten times too large", &|timeline| {
            change(timeline, "angular_velocity_rad_s", scaled(10.0));
        });
        fails("inverse rotations", &|timeline| {
            change(timeline, "rotation", turned(|[x, y, z, w]| [-x, -y, -z, w]))
        });
        fails("mirrored pitch", &|timeline| {
            change(timeline, "rotation", turned(|[x, y, z, w]| [-x, y, -z, w]))
        });
        fails("w first", &|timeline| {
            change(timeline, "rotation", turned(|[x, y, z, w]| [w, x, y, z]))
        });
        fails("rotations of no length", &|timeline| {
            change(
                timeline,
                "rotation",
                turned(|rotation| rotation.map(|part| part * 0.9)),
            );
        });
    }
}

#[test]
fn the_wrong_era_fails() {
    // The same bits read as another network version's.
    for (name, net) in [("recent-ranked-doubles-2026-03-10", 2), ("rlcs", 5)] {
        let Some(recording) = recording(name) else {
            return;
        };
        let Recording::RocketLeague(mut replay) = recording else {
            panic!()
        };
        replay.header.versions.net = Some(net);
        let timeline = rocket_league::timeline(&replay);
        let probes = rocket_league::probe(&replay, &timeline);
        assert!(
            !failed(&probes).is_empty(),
            "{name} as network version {net} passes"
        );
    }
}
