//! A seek: what is decoded from a keyframe on alone moves as the whole recording does.

use postgame::timeline::{Timeline, Track};
use postgame::{Recording, rocket_league};

use super::read;
use crate::corpus;

/// One file of each form: no network version, 7 and later, with players who come and go.
const FILES: [&str; 3] = ["rumble", "3381", "recent-ranked-doubles-2026-03-10"];

/// The tracks of bodies, by the names of what they belong to.
fn bodies(timeline: &Timeline) -> Vec<(&str, &Track)> {
    let entities = timeline.entities.iter();
    entities
        .filter(|entity| entity.kind == "ball" || entity.kind == "car")
        .map(|entity| (entity.name.as_str(), &entity.tracks[0]))
        .collect()
}

#[test]
fn a_seek_moves_as_the_whole_does() {
    let Some(folder) = corpus::folder() else {
        return;
    };
    for file in FILES {
        let path = folder.join("rocket-league").join(format!("{file}.replay"));
        let bytes = std::fs::read(&path).unwrap();
        let Recording::RocketLeague(replay) = read(&path) else {
            panic!()
        };
        let whole = rocket_league::timeline(&replay);
        let body = replay.body.as_ref().unwrap();
        let mut compared = 0;
        for keyframe in [1, body.keyframes.len() / 2, body.keyframes.len() - 2] {
            let [from, to] = [keyframe, keyframe + 1].map(|index| &body.keyframes[index]);
            let frames = (to.frame - from.frame) as usize;
            let network = rocket_league::read_from_keyframe(&bytes, keyframe, frames).unwrap();
            assert_eq!(network.frame_count(), frames);
            let mut part = replay.clone();
            part.body.as_mut().unwrap().network = network;
            let part = rocket_league::timeline(&part);
            assert_eq!(part.start_s, f64::from(from.time_s), "{file}");
            let range_s = |track: &Track| {
                let inside = |time_s: &f64| *time_s >= part.start_s && *time_s <= part.end_s;
                let first = track.times_s.iter().position(inside).unwrap_or(0);
                first..first + track.times_s.iter().filter(|time_s| inside(time_s)).count()
            };
            for (name, own) in bodies(&part) {
                let of_name = bodies(&whole).into_iter().filter(|other| other.0 == name);
                // Two cars can have one name: one of them moves the same.
                let is_same = |track: &Track| {
                    let range = range_s(track);
                    track.times_s[range.clone()] == own.times_s[..]
                        && track.columns.iter().zip(&own.columns).all(|(whole, own)| {
                            let whole = range.clone().map(|index| whole.values.get(index));
                            let own = (0..own.values.len()).map(|index| own.values.get(index));
                            whole.eq(own)
                        })
                };
                assert!(
                    of_name.clone().any(|(_, track)| is_same(track)),
                    "{file}: {name} from keyframe {keyframe} on"
                );
                compared += own.times_s.len();
            }
        }
        assert!(compared > 500, "{file}: {compared} samples");
    }
}
