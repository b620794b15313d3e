//! `postgame probe`: physical plausibility of recordings.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use postgame::ReadOptions;
use postgame::probe::{Aspect, Probe, Verdict};
use postgame_files::Input;
use serde::Serialize;

use crate::input;
use crate::output::{Failure, Outcome, complain, printable, stdout, write_json};
use crate::table::Table;

/// Check recordings for physical plausibility: motion against physics, values against their bounds
#[derive(Args)]
#[command(after_help = "\
Examples:
  postgame probe bout.replay
  postgame probe bout.replay plausibility --json
  postgame probe season.zip --aspect plausibility

Exit status: 0 every check passes or has too few samples, 1 a check fails, 2 a file could not be read (the others are unaffected).")]
pub struct Options {
    /// Recordings: files, folders, patterns, archives, `s3://` addresses; `-` for standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Only the checks of this aspect (after a single recording, `--aspect` can be omitted)
    #[arg(long)]
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

#[derive(Serialize)]
struct Row<'a> {
    file: &'a str,
    #[serde(flatten)]
    probe: &'a Probe,
}

/// Runs the command.
pub fn run(options: &Options) -> Result<Outcome, Failure> {
    let (paths, aspect) = split(options);
    let mut output = stdout();
    let mut outcome = Outcome::Fine;
    let mut inputs = input::files(paths, input::Prints::Meanwhile).peekable();
    let mut number = 0;
    while let Some(input) = inputs.next() {
        number += 1;
        let is_alone = number == 1 && inputs.peek().is_none();
        match input.and_then(|input| Ok((probe(&input, aspect)?, input.name))) {
            Ok((probes, file)) => {
                if !is_alone && !options.json {
                    writeln!(output, "{}", printable(&file))?;
                }
                print(&mut output, options, &file, &probes)?;
                if probes.iter().any(|probe| probe.verdict == Verdict::Fail) {
                    outcome.and(Outcome::Findings);
                }
            }
            Err(failure) => {
                output.flush()?;
                complain(&failure);
                outcome.and(Outcome::Failed);
            }
        }
    }
    output.flush()?;
    Ok(outcome)
}

/// The paths and the aspect, which may also follow one path without `--aspect`.
fn split(options: &Options) -> (&[PathBuf], Option<Aspect>) {
    if let (None, [path, last]) = (options.aspect, options.paths.as_slice())
        && !last.exists()
        && let Ok(aspect) = AspectName::from_str(&last.to_string_lossy(), false)
    {
        return (std::slice::from_ref(path), Some(aspect.into()));
    }
    (&options.paths, options.aspect.map(Aspect::from))
}

fn probe(input: &Input, aspect: Option<Aspect>) -> Result<Vec<Probe>, Failure> {
    let (recording, _) = input::read(input, &ReadOptions::default())?;
    let mut probes = recording.probe(&recording.timeline());
    probes.retain(|probe| aspect.is_none_or(|aspect| probe.aspect == aspect));
    Ok(probes)
}

fn print(
    output: &mut impl Write,
    options: &Options,
    file: &str,
    probes: &[Probe],
) -> Result<(), Failure> {
    let mut table = Table::new(["VERDICT", "CHECK", "MEASURED", "EXPECTED", "SAMPLES"]);
    for probe in probes {
        if options.json {
            write_json(output, &Row { file, probe })?;
            continue;
        }
        let verdict = match probe.verdict {
            Verdict::Pass => "pass",
            Verdict::Fail => "FAIL",
            Verdict::TooFewSamples => "too few samples",
        };
        table.add([
            verdict.to_owned(),
            printable(&probe.name),
            format!("{:.4}", probe.measured),
            probe.expected.clone(),
            probe.samples.to_string(),
        ]);
    }
    Ok(table.print(output)?)
}
