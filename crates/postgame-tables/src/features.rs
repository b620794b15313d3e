//! Recordings as one row a moment, for machine learning. Slippi has slippi-ai's schema (`postgame::slippi::learning`).
//!
//! Rocket League has the clock, the ball, and every player's car side by side.
//!
//! Columns have the names that users of subtr-actor know where the meaning is the same: `Ball - position x`,
//! `player 0 - linear velocity y`. Positions are in Unreal units, velocities in Unreal units a second, rotations are
//! quaternions. What has another unit there has another name here: angular velocities are in radians a second (there a
//! hundred times that), boost is in percent (there from 0 to 255). Players are numbered blue team first, then in order
//! of appearance. A car that is not there is NaN.

use arrow::error::ArrowError;
use postgame::Recording;
use postgame::slippi::Replay;
use postgame::slippi::learning::{self, Column};
use postgame::slippi::model::frames::Copies;
use postgame::timeline::{Entity, Timeline};

use crate::games::rocket_league::{game_turn, game_uu};
use crate::games::samples::{flags, positions, rotations, scalars};
use crate::source::Source;

/// The name by which it is asked for.
pub const NAME: &str = "features";

/// A matrix of one recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Features {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// Row after row.
    pub values: Vec<f32>,
}

/// The most numbers of a matrix: an hour at 60 rows a second with eight cars is half of it. They are all in memory.
const MAX_CELLS: usize = 100_000_000;

/// About how many columns a car has.
const COLUMNS_OF_A_CAR: usize = 20;

const AXES: [&str; 3] = ["x", "y", "z"];
const PARTS: [&str; 4] = ["x", "y", "z", "w"];

/// The matrix of a recording, with a row for every frame or for every moment of a rate; `None` for other games.
///
/// # Errors
/// When the rate makes more rows than any recording has.
pub fn features(source: &Source, fps: Option<f64>) -> Result<Option<Features>, ArrowError> {
    let replay = match &source.recording {
        Recording::RocketLeague(replay) => replay,
        Recording::Slippi(replay) => return slippi(replay, fps),
        _ => return Ok(None),
    };
    let times_s = source.times_s(fps, || {
        let frames = replay.body.iter().flat_map(|body| body.network.frames());
        let mut times_s: Vec<f64> = frames.map(|frame| frame.time_s.into()).collect();
        times_s.sort_by(f64::total_cmp);
        times_s
    })?;
    let timeline = source.timeline();
    let find = |kind: &str| timeline.entities.iter().find(|entity| entity.kind == kind);
    let mut columns: Vec<(String, Vec<Option<f32>>)> = vec![
        (
            "current time".to_owned(),
            times_s.iter().map(|&time_s| Some(time_s as f32)).collect(),
        ),
        (
            "seconds remaining".to_owned(),
            scalars(find("game"), "seconds_remaining", &times_s),
        ),
    ];
    body("Ball", find("ball"), &times_s, &mut columns);
    let cars = cars(timeline);
    let cells = times_s
        .len()
        .saturating_mul(COLUMNS_OF_A_CAR * (1 + cars.len()));
    if cells > MAX_CELLS {
        return Err(ArrowError::ComputeError(format!(
            "{} rows for {} cars are too many for a matrix",
            times_s.len(),
            cars.len()
        )));
    }
    for (number, (car, team)) in cars.into_iter().enumerate() {
        let name = format!("player {number}");
        body(&name, Some(car), &times_s, &mut columns);
        let boost = scalars(Some(car), "boost_percent", &times_s);
        columns.push((format!("{name} - boost percent"), boost));
        for (column, what) in [("boosting", "boosting"), ("handbrake", "handbrake")] {
            let flags = flags(Some(car), column, &times_s).into_iter();
            let numbers = flags.map(|flag| flag.map(|flag| f32::from(u8::from(flag))));
            columns.push((format!("{name} - {what}"), numbers.collect()));
        }
        columns.push((format!("{name} - team"), vec![Some(team); times_s.len()]));
    }
    let rows = 0..times_s.len();
    let cells = rows.flat_map(|row| columns.iter().map(move |(_, values)| values.get(row)));
    let values = cells.map(|cell| cell.copied().flatten().unwrap_or(f32::NAN));
    Ok(Some(Features {
        values: values.collect(),
        columns: columns.into_iter().map(|(name, _)| name).collect(),
    }))
}

/// The columns of slippi-ai's schema; `None` for games that are not of two. A row is the first computation of a frame: what
/// the players saw.
fn slippi(replay: &Replay, fps: Option<f64>) -> Result<Option<Features>, ArrowError> {
    if fps.is_some() {
        let message = "Slippi's features have a row for every frame of the game";
        return Err(ArrowError::InvalidArgumentError(message.to_owned()));
    }
    let Some(columns) = learning::columns(replay, Copies::First) else {
        return Ok(None);
    };
    let rows = columns.first().map_or(0, |column| column.values.len());
    if rows.saturating_mul(columns.len()) > MAX_CELLS {
        let message = format!("{rows} rows are too many for a matrix");
        return Err(ArrowError::ComputeError(message));
    }
    let cells = (0..rows).flat_map(|row| {
        let number = move |column: &Column| column.values.number(row).unwrap_or(f64::NAN);
        // Every value of the schema is one in single precision.
        columns.iter().map(move |column| number(column) as f32)
    });
    Ok(Some(Features {
        values: cells.collect(),
        columns: columns.iter().map(|column| column.name.clone()).collect(),
    }))
}

/// The cars with their teams: blue first, then in order of appearance.
fn cars(timeline: &Timeline) -> Vec<(&Entity, f32)> {
    let cars = timeline
        .entities
        .iter()
        .filter(|entity| entity.kind == "car");
    let team = |car: &Entity| {
        let owner = timeline.entity(car.parent?)?;
        let track = owner.tracks.iter().find(|track| {
            let mut columns = track.columns.iter();
            columns.any(|column| column.name == "team")
        })?;
        // The first team is the one the player joined.
        match track.sample(0, *track.times_s.first()?)? {
            postgame::timeline::Sample::Scalar(team) => Some(team),
            _ => None,
        }
    };
    let mut cars: Vec<(&Entity, f32)> = cars.map(|car| (car, team(car).unwrap_or(0.0))).collect();
    cars.sort_by(|one, other| one.1.total_cmp(&other.1));
    cars
}

/// Where a body is and how it moves.
fn body(
    name: &str,
    entity: Option<&Entity>,
    times_s: &[f64],
    columns: &mut Vec<(String, Vec<Option<f32>>)>,
) {
    let mut add =
        |what: &str, parts: &[&str], unit: &str, part: &dyn Fn(usize, usize) -> Option<f32>| {
            for (index, axis) in parts.iter().enumerate() {
                let values = (0..times_s.len()).map(|row| part(row, index)).collect();
                columns.push((format!("{name} - {what} {axis}{unit}"), values));
            }
        };
    let place = positions(entity, "position", times_s);
    add("position", &AXES, "", &|row, axis| {
        game_uu(place[row])[axis]
    });
    let turned = rotations(entity, times_s);
    add("quaternion", &PARTS, "", &|row, part| {
        let [x, y, z, w] = turned[row];
        let [x, y, z] = game_turn([x, y, z]);
        [x, y, z, w][part]
    });
    let speed = positions(entity, "velocity_m_s", times_s);
    add("linear velocity", &AXES, "", &|row, axis| {
        game_uu(speed[row])[axis]
    });
    let spin = positions(entity, "angular_velocity_rad_s", times_s);
    add("angular velocity", &AXES, " rad/s", &|row, axis| {
        game_turn(spin[row])[axis]
    });
}
