//! `postgame probe`: whether what was decoded can be true.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use postgame::ReadOptions;
use postgame::probe::{Aspect, Probe, Verdict};
use serde::Serialize;

use crate::input;
use crate::output::{Failure, Outcome, complain, printable, stdout, write_json};
use crate::table::Table;

/// Measure whether a recording can be true: motion against physics, values against their bounds
#[derive(Args)]
#[command(after_help = "\
Examples:
  postgame probe bout.replay
  postgame probe bout.replay plausibility --json
  postgame probe ~/Replays

Of a folder every recording in it is measured; the table then names the file, and so does each JSON object.

Exit status: 0 every check passes or has too few samples, 1 a check fails, 2 a file could not be read (the others are
measured all the same).")]
pub struct Options {
    /// A recording, or a folder that is searched for them; `-` for standard input
    path: PathBuf,
    /// What to look at; everything by default
    aspect: Option<AspectName>,
    /// One JSON object a line instead of a table
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum AspectName {
    Metadata,
    Plausibility,
    LegacyRotation,
    Demolition,
    VectorRanges,
}

impl From<AspectName> for Aspect {
    fn from(name: AspectName) -> Self {
        match name {
            AspectName::Metadata => Self::Metadata,
            AspectName::Plausibility => Self::Plausibility,
            AspectName::LegacyRotation => Self::LegacyRotation,
            AspectName::Demolition => Self::Demolition,
            AspectName::VectorRanges => Self::VectorRanges,
        }
    }
}

/// A check of one file among several.
#[derive(Serialize)]
struct Row<'a> {
    file: &'a str,
    #[serde(flatten)]
    probe: &'a Probe,
}

/// Runs the command.
pub fn run(options: &Options) -> Result<Outcome, Failure> {
    let is_folder = options.path.is_dir();
    let headings = [
        "VERDICT", "CHECK", "MEASURED", "EXPECTED", "SAMPLES", "FILE",
    ];
    let count = headings.len() - usize::from(!is_folder);
    let mut table = Table::new(headings.into_iter().take(count));
    let mut output = stdout();
    let mut outcome = Outcome::Fine;
    for path in input::files(std::slice::from_ref(&options.path)) {
        let found = path.and_then(|path| Ok((probes(&path, options)?, path)));
        let (probes, path) = match found {
            Ok(found) => found,
            Err(failure) if is_folder => {
                complain(&failure);
                outcome.and(Outcome::Failed);
                continue;
            }
            Err(failure) => return Err(failure),
        };
        if probes.iter().any(|probe| probe.verdict == Verdict::Fail) {
            outcome.and(Outcome::Findings);
        }
        let file = path.display().to_string();
        for probe in &probes {
            match (options.json, is_folder) {
                (true, true) => write_json(&mut output, &Row { file: &file, probe })?,
                (true, false) => write_json(&mut output, probe)?,
                (false, _) => table.add(cells(probe, &file).into_iter().take(count)),
            }
        }
    }
    table.print(&mut output)?;
    output.flush()?;
    Ok(outcome)
}

/// The checks of a recording.
fn probes(path: &Path, options: &Options) -> Result<Vec<Probe>, Failure> {
    let (recording, _) = input::recording(path, &ReadOptions::default())?;
    let aspect = options.aspect.map(Aspect::from);
    let mut probes = recording.probe(&recording.timeline());
    probes.retain(|probe| aspect.is_none_or(|aspect| probe.aspect == aspect));
    Ok(probes)
}

/// The cells of a row.
fn cells(probe: &Probe, file: &str) -> [String; 6] {
    let verdict = match probe.verdict {
        Verdict::Pass => "pass",
        Verdict::Fail => "FAIL",
        Verdict::TooFewSamples => "too few samples",
    };
    [
        verdict.to_owned(),
        printable(&probe.name),
        format!("{:.4}", probe.measured),
        probe.expected.clone(),
        probe.samples.to_string(),
        printable(file),
    ]
}
