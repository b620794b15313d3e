//! Recordings as one row a moment, for machine learning. Slippi has slippi-ai's schema (`postgame::slippi::learning`).
//!
//! Rocket League has groups of columns that are chosen by name ([`GROUPS`]), most of them those of subtr-actor with the same
//! columns: `Ball - position x`, `Player 0 - linear velocity y`. Positions are in Unreal units, velocities in Unreal units
//! a second. A quantity with another unit has another name: angular velocities are in radians a second here
//! (there a hundred times that). Players are numbered blue team first, then in order of appearance. What is absent is NaN.
//!
//! - `groups`: the names; `rows`: values of the timeline by row
//! - `bodies`, `players`, `labels`: the columns of Rocket League

mod bodies;
mod groups;
mod labels;
mod players;
mod rows;

use arrow::error::ArrowError;
use postgame::Recording;
use postgame::slippi::Replay;
use postgame::slippi::learning::{self, Column};
use postgame::slippi::model::frames::Copies;

use crate::source::Source;
pub use groups::{DEFAULT, GROUPS, Group};
use rows::Rows;

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

/// Which features, and how.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FeatureOptions {
    /// Rows a second; one for every frame if not given.
    pub fps: Option<f64>,
    /// Rocket League's groups, in this order; [`DEFAULT`] if empty.
    pub groups: Vec<Group>,
    /// Whether numbers are scaled to about -1 to 1.
    pub normalised: bool,
}

/// The most numbers of a matrix: an hour at 60 rows a second with eight cars is half of it. They are all in memory.
const MAX_CELLS: usize = 100_000_000;

/// The matrix of a recording, with a row for every frame or for every moment of a rate; `None` for other games.
///
/// # Errors
/// When the rate makes more rows than any recording has, or groups are chosen that the game does not have.
pub fn features(source: &Source, options: &FeatureOptions) -> Result<Option<Features>, ArrowError> {
    match &source.recording {
        Recording::RocketLeague(_) => rocket_league(source, options).map(Some),
        Recording::Slippi(replay) => slippi(replay, options),
        _ => Ok(None),
    }
}

fn rocket_league(source: &Source, options: &FeatureOptions) -> Result<Features, ArrowError> {
    let rows = Rows::new(source, options.fps)?;
    let groups = match options.groups.as_slice() {
        [] => DEFAULT.iter().map(|name| Group::new(name)).collect(),
        groups => Ok(groups.to_vec()),
    };
    let groups = groups.map_err(ArrowError::InvalidArgumentError)?;
    let columns: usize = groups
        .iter()
        .map(|group| group.width(rows.cars.len()))
        .sum();
    if rows.times_s.len().saturating_mul(columns) > MAX_CELLS {
        return Err(ArrowError::ComputeError(format!(
            "{} rows for {} cars are too many for a matrix",
            rows.times_s.len(),
            rows.cars.len()
        )));
    }
    let mut columns: Vec<rows::Column> = Vec::with_capacity(columns);
    for group in groups.iter().filter(|group| !group.is_of_players()) {
        match group {
            Group::Global(name) => bodies::global(&rows, name, &mut columns),
            _ => labels::add(&rows, group, &mut columns),
        }
    }
    for player in 0..rows.cars.len() {
        for group in groups.iter().filter(|group| group.is_of_players()) {
            players::add(&rows, group, player, &mut columns);
        }
    }
    let cells = (0..rows.times_s.len()).flat_map(|row| {
        columns.iter().map(move |column| {
            let value = column.values.get(row).copied().unwrap_or(f32::NAN);
            match options.normalised {
                true => value / column.scale,
                false => value,
            }
        })
    });
    Ok(Features {
        values: cells.collect(),
        columns: columns.iter().map(|column| column.name.clone()).collect(),
    })
}

/// The columns of slippi-ai's schema; `None` for games that are not of two. A row is the first computation of a frame: what
/// the players saw.
fn slippi(replay: &Replay, options: &FeatureOptions) -> Result<Option<Features>, ArrowError> {
    if options.fps.is_some() {
        let message = "Slippi's features have a row for every frame of the game";
        return Err(ArrowError::InvalidArgumentError(message.to_owned()));
    }
    if !options.groups.is_empty() || options.normalised {
        let message =
            "Slippi's features have slippi-ai's schema: they have neither groups nor a scale";
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
