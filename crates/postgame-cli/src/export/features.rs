//! A matrix of Rocket League or Slippi replays for machine learning.

use postgame::{Depth, Format};
use postgame_tables::features::{FeatureOptions, Group, features};
use postgame_tables::input::Only;
use postgame_tables::npy::Matrix;

use super::Options;
use super::tables::{check_fps, write_names};
use crate::input;
use crate::output::{Failure, Outcome, complain, write_file};

/// Writes the matrix of all replays, one after the other. All must have the same number of players.
pub(super) fn run(options: &Options) -> Result<Outcome, Failure> {
    check_fps(options)?;
    if !options.columns.is_empty() || options.condition.is_some() {
        return Err(Failure::new(
            "features are a matrix: they have no --columns and no --where",
        ));
    }
    let groups = options.groups.iter().map(|name| Group::new(name));
    let chosen = FeatureOptions {
        fps: options.fps,
        groups: groups.collect::<Result<_, _>>().map_err(Failure::new)?,
        normalised: options.normalise,
    };
    let only = Only {
        formats: Some(vec![Format::RocketLeague, Format::Slippi]),
        limits: input::limits(),
        ..Only::default()
    };
    let mut matrix: Option<Matrix> = None;
    let mut outcome = Outcome::Fine;
    for input in input::files(&options.paths, input::Prints::AtTheEnd) {
        let source = input.and_then(|input| Ok(only.read(input, Depth::Full, false)?));
        let failure = match source {
            Ok(Some(source)) => match features(&source, &chosen) {
                Ok(None) => continue,
                Ok(Some(features)) => {
                    let all = matrix.get_or_insert_with(|| Matrix::new(features.columns.clone()));
                    if all.columns() == features.columns {
                        all.add_rows(&features.values);
                        continue;
                    }
                    let what = "its columns differ from those of the first one: another game, or another number of players";
                    format!("{}: {what}", source.file)
                }
                Err(error) => format!("{}: {error}", source.file),
            },
            Ok(None) => continue,
            Err(failure) => failure.to_string(),
        };
        complain(failure);
        outcome.and(Outcome::Failed);
    }
    let Some(matrix) = matrix else {
        return Err(Failure::new(
            "a matrix needs a Rocket League replay or a Slippi game of two players, and there is none",
        ));
    };
    write_file(options.output.as_deref(), false, |output| {
        Ok(matrix.write(&mut &mut *output)?)
    })?;
    write_names(options, matrix.columns())?;
    Ok(outcome)
}
