//! Positions, rotations and velocities against the PyPI package `subtr-actor-py`, on six files across eras.
//!
//! Units: subtr-actor has uu and uu/s as the statistics do, and leaves angular velocities at a hundredth of a radian a
//! second. Both move a body evenly from sample to sample, and hold its velocities.

use std::path::PathBuf;
use std::process::Command;

use postgame::timeline::track::FAR_S;
use postgame::timeline::{Entity, Sample, Track};

use super::read;
use crate::corpus;

const FILES: [&str; 6] = [
    "rlcs",
    "3381",
    "551c",
    "d52eb",
    "recent-ranked-doubles-2026-03-10",
    "8206e",
];

/// A Python with the package, in a throw-away environment; `None` where PyPI cannot be reached.
fn python() -> Option<PathBuf> {
    let folder = corpus::root().join("target/subtr-actor-venv");
    let python = folder.join("bin/python");
    let has = || {
        Command::new(&python)
            .args(["-c", "import subtr_actor"])
            .output()
            .is_ok_and(|run| run.status.success())
    };
    if !has() {
        let made = Command::new("python3")
            .args(["-m", "venv"])
            .arg(&folder)
            .status();
        let got = Command::new(folder.join("bin/pip"))
            .args(["-q", "install", "numpy", "subtr-actor-py==1.5.1"])
            .status();
        if !made.is_ok_and(|status| status.success()) || !got.is_ok_and(|status| status.success()) {
            eprintln!("NO subtr-actor-py (PyPI cannot be reached): positions were not compared");
            return None;
        }
    }
    has().then_some(python)
}

const SCRIPT: &str = r#"
import json, subtr_actor, sys
data = subtr_actor.get_replay_frames_data(sys.argv[1])
frames, meta = data["frame_data"], data["meta"]
names = {json.dumps(p["remote_id"], sort_keys=True): p["name"] for p in meta["team_zero"] + meta["team_one"]}
def body(frame):
    rigid = frame.get("Data", {}).get("rigid_body") if isinstance(frame, dict) else None
    if not rigid: return None
    zero = {"x": 0.0, "y": 0.0, "z": 0.0}
    parts = [rigid["location"], rigid["rotation"], rigid["linear_velocity"] or zero, rigid["angular_velocity"] or zero]
    return [part[axis] for part in parts for axis in "xyzw" if axis in part]
tracks = [frames["ball_data"]["frames"]] + [player[1]["frames"] for player in frames["players"]]
rows = [[m["time"]] + [body(track[i]) if i < len(track) else None for track in tracks]
        for i, m in enumerate(frames["metadata_frames"]) if i % 15 == 7]
json.dump({"names": [names[json.dumps(player[0], sort_keys=True)] for player in frames["players"]], "rows": rows}, sys.stdout)
"#;

/// Position, rotation, velocity and angular velocity in the game's space at a time.
fn ours(entity: &Entity, time_s: f64) -> Option<[f32; 13]> {
    let ([x, z, y], [qx, qz, qy, qw]) = (entity.position(time_s)?, entity.rotation(time_s)?);
    let track: &Track = entity.tracks.first()?;
    let index = track
        .times_s
        .partition_point(|&time| time <= time_s)
        .checked_sub(1)?;
    let vector = |column: usize| match track.columns[column].values.get(index) {
        Some(Sample::Position(vector)) => vector,
        _ => panic!("a vector"),
    };
    let ([vx, vz, vy], [wx, wz, wy]) = (vector(2), vector(3));
    let next_s = track.times_s.get(index + 1).copied().unwrap_or(time_s);
    if [vx, vy, vz] == [0.0; 3] || next_s - track.times_s[index] > FAR_S {
        // A body at rest is told again when it moves. Theirs drifts until then, ours stays.
        return None;
    }
    Some([
        x * 100.0,
        y * 100.0,
        z * 100.0,
        -qx,
        -qy,
        -qz,
        qw,
        vx * 100.0,
        vy * 100.0,
        vz * 100.0,
        -wx * 100.0,
        -wy * 100.0,
        -wz * 100.0,
    ])
}

fn agrees(ours: &[f32; 13], theirs: &[f64]) -> bool {
    let near = |range: std::ops::Range<usize>, most: f64| {
        range
            .clone()
            .all(|index| (f64::from(ours[index]) - theirs[index]).abs() <= most)
    };
    // A rotation and its negative are the same.
    let dot: f64 = (3..7)
        .map(|index| f64::from(ours[index]) * theirs[index])
        .sum();
    near(0..3, 0.05) && dot.abs() > 0.9999 && near(7..10, 0.02) && near(10..13, 0.1)
}

#[test]
fn bodies_are_where_subtr_actor_has_them() {
    let Some(folder) = corpus::folder() else {
        return;
    };
    let Some(python) = python() else { return };
    for file in FILES {
        let path = folder.join("rocket-league").join(format!("{file}.replay"));
        let run = Command::new(&python)
            .args(["-c", SCRIPT])
            .arg(&path)
            .output()
            .unwrap();
        assert!(
            run.status.success(),
            "{file}: {}",
            String::from_utf8_lossy(&run.stderr)
        );
        let theirs: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
        let timeline = read(&path).timeline();
        let names: Vec<&str> = theirs["names"]
            .as_array()
            .unwrap()
            .iter()
            .map(|name| name.as_str().unwrap())
            .collect();
        let mut bodies = vec![timeline.find("Ball").unwrap()];
        for name in &names {
            let car = timeline.find(&format!("{name} car"));
            bodies.push(car.unwrap_or_else(|| panic!("{file}: a player of theirs is missing")));
        }
        let (mut same, mut different) = (0, 0);
        for row in theirs["rows"].as_array().unwrap() {
            let time_s = row[0].as_f64().unwrap();
            for (number, body) in bodies.iter().enumerate() {
                let Some(theirs) = row[1 + number].as_array() else {
                    continue;
                };
                let theirs: Vec<f64> = theirs.iter().map(|part| part.as_f64().unwrap()).collect();
                if let Some(ours) = ours(timeline.entity(*body).unwrap(), time_s) {
                    match agrees(&ours, &theirs) {
                        true => same += 1,
                        false => different += 1,
                    }
                }
            }
        }
        println!("{file}: {same} of {} bodies are the same", same + different);
        assert!(same > 500, "{file}: {same}");
        // Around starts anew they move a body from its old place to the new one.
        assert!(
            different * 50 <= same,
            "{file}: {different} of {} differ",
            same + different
        );
    }
}
