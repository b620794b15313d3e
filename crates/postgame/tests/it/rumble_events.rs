//! Events, statistics and plausibility of the sample bout, whose every throw is known: twelve, one every 1.5 s from
//! 1 s on, of which every third misses; a hit comes 1.45 s after the summons and takes two points.

use postgame::probe::Verdict;
use postgame::rumble::model::Replay;
use postgame::stats::{Number, Stats};
use postgame::timeline::Timeline;
use postgame::{ReadOptions, Recording};

use crate::corpus;

fn sample(name: &str) -> Recording {
    let bytes = std::fs::read(corpus::root().join("samples").join(name)).unwrap();
    postgame::read(&bytes, &ReadOptions::default()).unwrap().0
}

const SAMPLES: [&str; 3] = ["bout.replay", "bout-archive.replay", "bout-2026.replay"];

/// The hits by their time, in frames of 20 ms: the frame at or after the moment.
fn hits() -> Vec<(f64, &'static str)> {
    let throws = (0..12).filter(|throw| throw % 3 != 2);
    let moment = |throw: i32| 1.0 + 1.5 * f64::from(throw) + 1.45;
    throws
        .map(|throw| (moment(throw), if throw % 2 == 0 { "Bo" } else { "Ada" }))
        .collect()
}

fn of_kind<'a>(timeline: &'a Timeline, kind: &str) -> Vec<(f64, &'a str)> {
    let events = timeline.events.iter().filter(|event| event.kind == kind);
    events
        .map(|event| {
            (
                event.time_s,
                timeline.entity(event.whom.unwrap()).unwrap().name.as_str(),
            )
        })
        .collect()
}

#[test]
fn every_hit_and_every_structure_is_an_event() {
    for name in SAMPLES {
        let timeline = sample(name).timeline();
        let damage = of_kind(&timeline, "damage");
        assert_eq!(damage.len(), 8, "{name}");
        for ((time_s, whom), (expected_s, expected)) in damage.iter().zip(hits()) {
            assert!(
                (time_s - expected_s).abs() < 0.021,
                "{name}: {time_s} {expected_s}"
            );
            assert_eq!(*whom, expected, "{name}");
        }
        let appear = of_kind(&timeline, "structure-appears");
        assert_eq!(appear.len(), 12, "{name}");
        for (throw, (time_s, _)) in appear.iter().enumerate() {
            assert!(
                (time_s - (1.0 + 1.5 * throw as f64)).abs() < 0.021,
                "{name}: {time_s}"
            );
        }
        assert_eq!(of_kind(&timeline, "structure-breaks").len(), 8, "{name}");
        assert!(
            timeline.events.is_sorted_by(|a, b| a.time_s <= b.time_s),
            "{name}"
        );
        for event in &timeline.events {
            assert!(
                (event.time_s - event.frame as f64 * 0.02).abs() < 0.001,
                "{name}: {event:?}"
            );
        }
    }
}

fn amount(stats: &Stats, player: usize, group: &str, name: &str) -> f64 {
    match stats.players[player].get(group, name) {
        Some(Number::Amount(Some(amount))) => *amount,
        Some(Number::Count(count)) => *count as f64,
        other => panic!("{group} {name}: {other:?}"),
    }
}

#[test]
fn statistics_are_those_of_the_bout() {
    for name in SAMPLES {
        let recording = sample(name);
        let stats = recording.stats(&recording.timeline()).unwrap();
        for player in 0..2 {
            assert_eq!(amount(&stats, player, "fight", "hits_taken"), 4.0, "{name}");
            assert_eq!(
                amount(&stats, player, "fight", "damage_taken"),
                8.0,
                "{name}"
            );
            assert_eq!(
                amount(&stats, player, "fight", "last_health"),
                12.0,
                "{name}"
            );
            assert_eq!(
                amount(&stats, player, "movement", "time_in_the_air_s"),
                0.0,
                "{name}"
            );
            // The feet circle at three metres with 0.12 rad/s for 20 s: 7.2 m, and a little more from side to side.
            let way = amount(&stats, player, "movement", "rig_distance_m");
            assert!((7.2..8.5).contains(&way), "{name}: {way}");
            // A punch reaches 0.38 m within 0.2 s and back, eased: 1.5 times the mean of 1.9 m/s, plus the hand's way up.
            let top = amount(&stats, player, "movement", "right_hand_top_speed_m_s");
            assert!((2.5..4.0).contains(&top), "{name}: {top}");
        }
        let structures = stats
            .recording
            .iter()
            .find(|group| group.name == "structures")
            .unwrap();
        // The newest sample's last disc is a target.
        let discs = if name == "bout-2026.replay" { 3 } else { 4 };
        assert_eq!(
            structures.get("Disc_count"),
            Some(&Number::Count(discs)),
            "{name}"
        );
    }
}

#[test]
fn the_probe_passes_and_wrong_scales_fail() {
    for path in corpus::samples("bout")
        .into_iter()
        .chain(corpus::files("rumble", &["replay"]).into_iter().flatten())
    {
        let (recording, _) =
            postgame::read(&std::fs::read(&path).unwrap(), &ReadOptions::default()).unwrap();
        let probes = recording.probe(&recording.timeline());
        assert!(
            probes.iter().all(|probe| probe.verdict != Verdict::Fail),
            "{}: {probes:#?}",
            path.display()
        );
    }
    let failed = |change: fn(&mut postgame::rumble::model::first::PlayerState)| {
        let Recording::Rumble(Replay::First(mut replay)) = sample("bout.replay") else {
            panic!()
        };
        replay
            .frames
            .as_mut()
            .unwrap()
            .players
            .states
            .iter_mut()
            .for_each(change);
        let recording = Recording::Rumble(Replay::First(replay));
        let probes = recording.probe(&recording.timeline());
        probes
            .into_iter()
            .filter(|probe| probe.verdict == Verdict::Fail)
            .map(|probe| probe.name)
            .collect::<Vec<_>>()
    };
    let names = failed(|state| {
        for part in [
            &mut state.rig_position,
            &mut state.head_position,
            &mut state.right_hand_position,
        ] {
            *part = part.map(|value| value * 100.0);
        }
    });
    assert_eq!(names.len(), 3, "centimetres for metres: {names:?}");
    let names = failed(|state| state.left_hand_position[0] = -state.left_hand_position[0]);
    assert_eq!(
        names,
        ["hands out of the arms' reach from the head, share"],
        "a wrong sign"
    );
    let names = failed(|state| std::mem::swap(&mut state.head_position, &mut state.rig_position));
    assert!(!names.is_empty(), "head and rig in the wrong order");
}
