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
        return Err(Failure::new("a .glb holds one recording: name only one"));
    };
    let (recording, report) = input::recording(path, &ReadOptions::default())?;
    let tolerance = Tolerance {
        position_m: options.tolerance,
        ..Tolerance::default()
    };
    for (name, value) in [("--from", options.from), ("--until", options.until)] {
        if value.is_some_and(|value| !value.is_finite()) {
            return Err(Failure::new(format!("{name} takes a time in seconds")));
        }
    }
    if let (Some(from), Some(until)) = (options.from, options.until)
        && from >= until
    {
        return Err(Failure::new("--from must be before --until"));
    }
    let timeline = recording.timeline();
    if options.from.is_some_and(|from| from >= timeline.end_s)
        || options.until.is_some_and(|until| until <= timeline.start_s)
    {
        let (start_s, end_s) = (timeline.start_s, timeline.end_s);
        let message = format!("the recording goes from {start_s:.2} s to {end_s:.2} s");
        return Err(Failure::at(path, message));
    }
    let glb = gltf::Options {
        tolerance,
        from_s: options.from,
        to_s: options.until,
    };
    let file = gltf::write(&timeline, &glb).map_err(|error| Failure::at(path, error))?;
    write_file(options.output.as_deref(), false, |output| {
        Ok(output.write_all(&file)?)
    })?;
    Ok(Outcome::of(&report))
}
