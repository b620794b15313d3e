//! A part of a timeline with exact start and end.

use crate::timeline::{Column, Entity, Timeline, Track, Values};

/// The part from `from_s` to `to_s`, in the timeline's own seconds, without samples outside of it: values at its start,
/// and at its end if they interpolate, are sampled.
pub(super) fn clip(timeline: &Timeline, from_s: Option<f64>, to_s: Option<f64>) -> Timeline {
    let start_s = from_s.unwrap_or(timeline.start_s).max(timeline.start_s);
    let end_s = to_s.unwrap_or(timeline.end_s).min(timeline.end_s);
    let end_s = end_s.max(start_s);
    let entity = |entity: &Entity| Entity {
        tracks: entity
            .tracks
            .iter()
            .map(|track| clip_track(track, start_s, end_s))
            .collect(),
        ..entity.clone()
    };
    Timeline {
        start_s,
        end_s,
        entities: timeline.entities.iter().map(entity).collect(),
        events: timeline.events_between(start_s, end_s).to_vec(),
    }
}

fn clip_track(track: &Track, start_s: f64, end_s: f64) -> Track {
    let times_s = times_of(track, start_s, end_s);
    let columns = track.columns.iter().enumerate();
    let columns = columns.map(|(index, column)| {
        let mut values = match &column.values {
            Values::Position(_) => Values::Position(Vec::new()),
            Values::Rotation(_) | Values::Packed(_) => Values::Rotation(Vec::new()),
            Values::Scalar(_) => Values::Scalar(Vec::new()),
            Values::Flag(_) => Values::Flag(Vec::new()),
            Values::Name { names, .. } => Values::Name {
                names: names.clone(),
                indices: Vec::new(),
            },
        };
        for sample in track.resample(index, &times_s).into_iter().flatten() {
            values.push(sample);
        }
        Column {
            name: column.name,
            values,
        }
    });
    Track {
        columns: columns.collect(),
        hold: track.hold,
        times_s,
    }
}

/// The times at which the part needs samples, ascending; each has a value.
fn times_of(track: &Track, start_s: f64, end_s: f64) -> Vec<f64> {
    let Some(&first_s) = track.times_s.first() else {
        return Vec::new();
    };
    let inner = track
        .times_s
        .iter()
        .copied()
        .filter(|time_s| (start_s..=end_s).contains(time_s));
    let mut times_s: Vec<f64> = inner.collect();
    times_s.push(start_s);
    if track.hold.is_moving() {
        times_s.push(end_s);
        // A resting body starts to move shortly before its next sample; clipping must not change when.
        for edge_s in [start_s, end_s] {
            let after = track.times_s.partition_point(|&time_s| time_s <= edge_s);
            let before_s = after.checked_sub(1).and_then(|at| track.times_s.get(at));
            if let (Some(&before_s), Some(&after_s)) = (before_s, track.times_s.get(after)) {
                times_s.push(track.hold.moves_from_s(before_s, after_s));
            }
        }
    }
    times_s.retain(|time_s| *time_s >= first_s && (start_s..=end_s).contains(time_s));
    times_s.sort_by(f64::total_cmp);
    times_s.dedup();
    times_s
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::{Hold, Sample, ball};

    fn timeline(hold: Hold, times_s: &[f64], xs: &[f32]) -> Timeline {
        let positions = xs.iter().map(|&x| [x, 0.0, 0.0]).collect();
        ball(hold, times_s.to_vec(), positions)
    }

    #[test]
    fn a_clip_says_what_the_whole_says_and_nothing_outside() {
        for hold in [Hold::Held, Hold::Linear, Hold::Resting] {
            let whole = timeline(
                hold,
                &[0.0, 2.0, 2.2, 8.0, 10.0],
                &[0.0, 1.0, 5.0, 3.0, 4.0],
            );
            for (from_s, to_s) in [(0.5, 7.95), (2.1, 7.97), (7.95, 9.0), (3.0, 4.0)] {
                let part = clip(&whole, Some(from_s), Some(to_s));
                let track = &part.entities[0].tracks[0];
                assert!(
                    track
                        .times_s
                        .iter()
                        .all(|time_s| (from_s..=to_s).contains(time_s))
                );
                assert_eq!(track.times_s.len(), track.columns[0].values.len());
                for step in 0..=100 {
                    let time_s = from_s + (to_s - from_s) * f64::from(step) / 100.0;
                    let (Some(Sample::Position(a)), Some(Sample::Position(b))) = (
                        track.sample(0, time_s),
                        whole.entities[0].tracks[0].sample(0, time_s),
                    ) else {
                        panic!("{hold:?} {time_s}")
                    };
                    assert!((a[0] - b[0]).abs() < 1e-4, "{hold:?} {time_s}: {a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn bounds_outside_of_the_recording_are_its_own() {
        let whole = timeline(Hold::Held, &[0.0, 5.0], &[0.0, 1.0]);
        let part = clip(&whole, Some(-3.0), None);
        assert_eq!((part.start_s, part.end_s), (0.0, 10.0));
        let part = clip(&whole, Some(7.0), Some(6.0));
        assert_eq!((part.start_s, part.end_s), (7.0, 7.0));
    }
}
