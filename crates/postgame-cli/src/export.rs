//! `postgame export`: a recording in a form that other programs read.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use postgame::ReadOptions;
use postgame::gltf::{self, keys::Tolerance};

use crate::input;
use crate::output::{Failure, Outcome, write_file};

/// Write a recording's motion for other programs: glTF for Blender and every other 3D tool
#[derive(Args)]
#[command(after_help = "\
Examples:
  postgame export bout.replay --to glb -o bout.glb
  postgame export bout.replay --to glb --tolerance 0.01 -o small.glb

In a .glb every player's part, car, ball and structure is a node of its name, in metres and seconds, with one
animation as long as the recording. What is absent has the scale 0.

Exit status: 0 fine, 1 data was lost while reading, 2 the file could not be read or written.")]
pub struct Options {
    /// The recording; `-` for standard input
    path: PathBuf,
    /// What to write
    #[arg(long, value_enum)]
    to: Target,
    /// Where to write it; standard output by default
    #[arg(long, short)]
    output: Option<PathBuf>,
    /// How far positions may be off where key frames are left out, in metres
    #[arg(long, value_name = "METRES", default_value_t = Tolerance::default().position_m)]
    tolerance: f32,
}

#[derive(Clone, Copy, ValueEnum)]
enum Target {
    /// Binary glTF 2.0
    Glb,
}

/// Runs the command.
pub fn run(options: &Options) -> Result<Outcome, Failure> {
    if !(options.tolerance >= 0.0 && options.tolerance.is_finite()) {
        return Err(Failure::new("a tolerance is a number from 0 up"));
    }
    let (recording, report) = input::recording(&options.path, &ReadOptions::default())?;
    let file = match options.to {
        Target::Glb => {
            let tolerance = Tolerance {
                position_m: options.tolerance,
                ..Tolerance::default()
            };
            gltf::write(&recording.timeline(), &gltf::Options { tolerance })
                .map_err(|error| Failure::at(&options.path, error))?
        }
    };
    write_file(options.output.as_deref(), false, |output| {
        Ok(output.write_all(&file)?)
    })?;
    Ok(Outcome::of(&report))
}
