//! A recording's motion as binary glTF.

use postgame::ReadOptions;
use postgame::gltf::{self, keys::Tolerance};

use super::Options;
use crate::input;
use crate::output::{Failure, Outcome, write_file};

/// Writes one recording.
pub(super) fn run(options: &Options) -> Result<Outcome, Failure> {
    if !(options.tolerance >= 0.0 && options.tolerance.is_finite()) {
        return Err(Failure::new("a tolerance is a number from 0 up"));
    }
    let [path] = options.paths.as_slice() else {
        return Err(Failure::new("a .glb holds one recording: name one"));
    };
    let (recording, report) = input::recording(path, &ReadOptions::default())?;
    let tolerance = Tolerance {
        position_m: options.tolerance,
        ..Tolerance::default()
    };
    let file = gltf::write(&recording.timeline(), &gltf::Options { tolerance })
        .map_err(|error| Failure::at(path, error))?;
    write_file(options.output.as_deref(), false, |output| {
        Ok(output.write_all(&file)?)
    })?;
    Ok(Outcome::of(&report))
}
