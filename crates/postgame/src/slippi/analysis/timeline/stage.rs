//! Parts of the stage: platforms, those that move, the cloud, the wind, the stadium's shape.

use super::Clock;
use crate::slippi::Replay;
use crate::slippi::codec::model::frames::Many;
use crate::slippi::coords;
use crate::slippi::stages::{RANDALL_WIDTH_UU, id, randall};
use crate::slippi::tables;
use crate::timeline::{Column, Entity, Hold, Presence, Sample, Timeline, Track, Values};

/// Platforms whose middle is farther than this from the stage's are at its sides.
const SIDE_UU: f32 = 10.0;

/// Adds what the stage has.
pub(super) fn add(timeline: &mut Timeline, replay: &Replay, clock: &Clock<'_>) {
    let (Some(&start_s), number) = (clock.times_s.first(), replay.start.info.stage) else {
        return;
    };
    for platform in tables::PLATFORMS.iter().filter(|one| one.stage == number) {
        let middle_uu = (platform.left + platform.right) / 2.0;
        let mut times_s = vec![start_s];
        let mut positions = vec![coords::position(middle_uu, platform.y)];
        // The numbers are those of the recorder's events.
        let (name, side) = match middle_uu {
            x if x > SIDE_UU => ("Right platform", Some(0)),
            x if x < -SIDE_UU => ("Left platform", Some(1)),
            _ => ("Top platform", None),
        };
        if number == id::FOUNTAIN {
            let events = &clock.frames.fod_platforms;
            for (time_s, index) in events_of(events, clock) {
                let columns = &events.columns;
                if let (Some(which), Some(height)) =
                    (columns.platform.get(index), columns.height.get(index))
                    && Some(*which) == side
                {
                    times_s.push(time_s);
                    positions.push(coords::position(middle_uu, coords::fod_height(*height)));
                }
            }
        }
        let width_m = (platform.right - platform.left) * coords::METRES;
        timeline.add(part(
            name,
            "platform",
            start_s,
            vec![
                moving(times_s, positions, Hold::Held),
                width(start_s, width_m),
            ],
        ));
    }
    match number {
        id::YOSHIS_STORY => cloud(timeline, clock, start_s),
        id::DREAM_LAND => wind(timeline, clock, start_s),
        id::STADIUM => shape(timeline, clock, start_s),
        _ => {}
    }
}

fn part(name: &str, kind: &'static str, start_s: f64, tracks: Vec<Track>) -> Entity {
    Entity {
        name: name.to_owned(),
        kind,
        parent: None,
        presence: Presence::from(start_s),
        tracks,
    }
}

fn moving(times_s: Vec<f64>, positions: Vec<[f32; 3]>, hold: Hold) -> Track {
    let values = Values::Position(positions);
    Track {
        times_s,
        hold,
        columns: vec![Column {
            name: "position",
            values,
        }],
    }
}

fn width(start_s: f64, width_m: f32) -> Track {
    Track {
        times_s: vec![start_s],
        hold: Hold::Held,
        columns: vec![Column {
            name: "width_m",
            values: Values::Scalar(vec![width_m]),
        }],
    }
}

/// The events in the frames that count, with their times.
fn events_of<'a, T>(
    events: &'a Many<T>,
    clock: &'a Clock<'_>,
) -> impl Iterator<Item = (f64, usize)> + use<'a, T> {
    // Most stages have none at all: no need to look for them in every frame.
    let offsets = match events.is_empty() {
        true => Vec::new(),
        false => events.offsets(clock.frames.len()),
    };
    let rows = clock.rows.iter().zip(&clock.times_s);
    rows.flat_map(move |(row, time_s)| {
        let of_row = offsets.get(*row).zip(offsets.get(row + 1));
        let of_row = of_row.map_or(0..0, |(start, end)| *start as usize..*end as usize);
        of_row.map(|index| (*time_s, index))
    })
}

fn cloud(timeline: &mut Timeline, clock: &Clock<'_>, start_s: f64) {
    let position = |index: usize| {
        let (y, left) = randall(clock.frame(index))?;
        Some(coords::position(left + RANDALL_WIDTH_UU / 2.0, y))
    };
    let positions: Option<Vec<[f32; 3]>> = (0..clock.times_s.len()).map(position).collect();
    let Some(positions) = positions else { return };
    let tracks = vec![
        moving(clock.times_s.clone(), positions, Hold::Linear),
        width(start_s, RANDALL_WIDTH_UU * coords::METRES),
    ];
    timeline.add(part("Randall", "platform", start_s, tracks));
}

fn names(name: &'static str) -> Column {
    let values = Values::Name {
        names: Vec::new(),
        indices: Vec::new(),
    };
    Column { name, values }
}

fn wind(timeline: &mut Timeline, clock: &Clock<'_>, start_s: f64) {
    let events = &clock.frames.whispy;
    if events.is_empty() {
        return;
    }
    let mut track = Track::new(Hold::Held, vec![names("wind")]);
    for (time_s, index) in events_of(events, clock) {
        let direction = match events.columns.direction.get(index) {
            Some(0) => "none",
            Some(1) => "left",
            Some(2) => "right",
            _ => "unknown",
        };
        add_names(&mut track, time_s, &[direction]);
    }
    timeline.add(part("Whispy Woods", "wind", start_s, vec![track]));
}

fn shape(timeline: &mut Timeline, clock: &Clock<'_>, start_s: f64) {
    let events = &clock.frames.stadium;
    if events.is_empty() {
        return;
    }
    let mut track = Track::new(Hold::Held, vec![names("phase"), names("shape")]);
    for (time_s, index) in events_of(events, clock) {
        let phase = match events.columns.event.get(index) {
            Some(0) => "finished",
            Some(2) => "initialise",
            Some(3) => "on monitor",
            Some(4) => "receding",
            Some(5) => "rising",
            Some(6) => "finalise",
            _ => "unknown",
        };
        let shape = match events.columns.kind.get(index) {
            Some(3) => "fire",
            Some(4) => "grass",
            Some(5) => "normal",
            Some(6) => "rock",
            Some(9) => "water",
            _ => "unknown",
        };
        add_names(&mut track, time_s, &[phase, shape]);
    }
    timeline.add(part("Transformation", "stage-shape", start_s, vec![track]));
}

fn add_names(track: &mut Track, time_s: f64, names: &[&str]) {
    track.times_s.push(time_s);
    for (column, name) in track.columns.iter_mut().zip(names) {
        column.values.push(Sample::Name(name));
    }
}
