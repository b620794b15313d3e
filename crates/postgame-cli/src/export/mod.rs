//! `postgame export`: recordings in a form that other programs read.
//!
//! - `glb`: the motion, for 3D tools
//! - `tables`: a table of many recordings
//! - `features`: a matrix for machine learning
//! - `voices`: recorded speech as files

mod features;
mod glb;
mod tables;
mod voices;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use postgame::gltf::keys::Tolerance;
use postgame_tables::{ALL, write::FileKind};

use crate::output::{Failure, Outcome};

/// Write recordings for other programs: tables as CSV, NDJSON, Arrow, Parquet or NumPy, motion as glTF
#[derive(Args)]
#[command(after_help = "\
Examples:
  postgame export ~/Replays --table recordings -o recordings.csv
  postgame export duel.replay --table frames_cars --fps 30 -o cars.parquet
  postgame export duel.slp --table frames --where 'port = 0 and post_percent > 100' -o high.arrow
  postgame export bout.replay --table events --to ndjson | jq -r .kind
  postgame export bout.replay --table frames_players --columns head_x_m,head_z_m -o heads.npy
  postgame export duel.replay --table features --fps 10 -o duel.npy
  postgame export duel.replay --table features --groups BallRigidBody,PlayerJump,LabelNextGoal:10 -o duel.npy
  postgame export bout.replay --to glb -o bout.glb
  postgame export bout.replay --from 4 --until 9.5 -o round.glb
  postgame export bout.replay --to voices -o voices

Tables and their columns are described in docs/tables.md. Archives are .zip, .tar, .gz, .zst and .xz; the output can also be an address in an object store, as in `postgame ingest --help`.

A matrix (.npy) has only the numeric columns, as 32-bit floats; their names are written to a file beside it that ends in .columns.txt. The table `features` is for matrices only: the clock, ball and cars of Rocket League side by side, one row for each moment, with the column names of subtr-actor if they mean the same; docs/tables.md lists the groups of columns.

In a .glb every car, ball, structure and part of a player is a node with its name, in metres and seconds, with one animation of the whole recording, or of the part from --from to --until. Absent things have scale 0. Players whose head and hands are recorded have a body and a material each, and the scene has a floor and a camera.

The voices of a RUMBLE replay become files in the folder that -o names; existing files are not replaced.

Exit status: 0 fine, 1 data was lost while reading (glb), 2 something could not be read or written (the other recordings are in the table).")]
pub struct Options {
    /// Recordings: files, folders, patterns, archives, `s3://` addresses; `-` for standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// The table
    #[arg(long, short, value_parser = table_names(), hide_possible_values = true)]
    table: Option<String>,
    /// The output format [default: by the output's extension, else CSV]
    #[arg(long, value_enum)]
    to: Option<Target>,
    /// The output file [default: standard output]
    #[arg(long, short)]
    output: Option<PathBuf>,
    /// For tables of frames: resample to this many rows per second
    #[arg(long)]
    fps: Option<f64>,
    /// Only these columns, in this order
    #[arg(long, value_delimiter = ',')]
    columns: Vec<String>,
    /// For Rocket League's features: these groups of columns, by subtr-actor's names, in this order
    #[arg(long, value_name = "GROUPS", value_delimiter = ',')]
    groups: Vec<String>,
    /// For Rocket League's features: scale numbers to about -1 to 1
    #[arg(long)]
    normalise: bool,
    /// Only rows that meet a condition: comparisons of columns with values, and, or, not, parentheses, is null
    #[arg(long = "where", value_name = "CONDITION")]
    condition: Option<String>,
    /// Number of threads [default: as many as the machine has]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    threads: usize,
    /// For glb: maximum error of positions where key frames are left out, in metres
    #[arg(long, value_name = "METRES", default_value_t = Tolerance::default().position_m)]
    tolerance: f32,
    /// For glb: begin at this time of the recording, in seconds as `postgame events` shows them
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    from: Option<f64>,
    /// For glb: end at this time of the recording, in seconds
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    until: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Target {
    /// Comma-separated values with a heading
    Csv,
    /// A JSON object a line
    Ndjson,
    /// Arrow's file format, also known as Feather
    Arrow,
    /// Parquet with Zstandard
    Parquet,
    /// A NumPy matrix of 32-bit floats
    Npy,
    /// Binary glTF 2.0
    Glb,
    /// Recorded speech of a RUMBLE replay, as files in a folder
    Voices,
}

fn table_names() -> clap::builder::PossibleValuesParser {
    let tables = ALL.iter().map(|table| table.name());
    let all = tables.chain([postgame_tables::features::NAME]);
    all.collect::<Vec<_>>().into()
}

/// Runs the command.
pub fn run(options: &Options) -> Result<Outcome, Failure> {
    let target = target(options)?;
    if target != Target::Glb && (options.from.is_some() || options.until.is_some()) {
        return Err(Failure::new(
            "--from and --until are for glb; choose rows of a table with --where 'time_s >= 4'",
        ));
    }
    match (target, &options.table) {
        (Target::Voices, None) => voices::run(options),
        (Target::Voices, Some(_)) => Err(Failure::new("voices are files, not a table")),
        (Target::Glb, None) => glb::run(options),
        (Target::Glb, Some(_)) => Err(Failure::new("a .glb holds motion, not a table")),
        (Target::Npy, Some(table)) if table == postgame_tables::features::NAME => {
            features::run(options)
        }
        _ if !options.groups.is_empty() || options.normalise => Err(Failure::new(
            "--groups and --normalise are for the matrix --table features",
        )),
        (target, Some(table)) => tables::run(options, table, target),
        (_, None) => {
            let names: Vec<&str> = ALL.iter().map(|table| table.name()).collect();
            let names = names.join(", ");
            Err(Failure::new(format!("name a table with --table: {names}")))
        }
    }
}

fn target(options: &Options) -> Result<Target, Failure> {
    if let Some(target) = options.to {
        return Ok(target);
    }
    let Some(path) = options
        .output
        .as_ref()
        .filter(|path| path.as_os_str() != "-")
    else {
        return Ok(Target::Csv);
    };
    let extension = path
        .extension()
        .and_then(|extension| extension.to_str())
        .unwrap_or_default();
    match FileKind::by_extension(extension) {
        Some(FileKind::Csv) => Ok(Target::Csv),
        Some(FileKind::Ndjson) => Ok(Target::Ndjson),
        Some(FileKind::Arrow) => Ok(Target::Arrow),
        Some(FileKind::Parquet) => Ok(Target::Parquet),
        None if extension.eq_ignore_ascii_case("npy") => Ok(Target::Npy),
        None if extension.eq_ignore_ascii_case("glb") => Ok(Target::Glb),
        None => Err(Failure::at(
            path,
            "no output format has this extension: name one with --to",
        )),
    }
}
