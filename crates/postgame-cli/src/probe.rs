//! `postgame probe`: whether what was decoded can be true.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use postgame::ReadOptions;
use postgame::probe::{Aspect, Verdict};

use crate::input;
use crate::output::{Failure, Outcome, printable, stdout, write_json};
use crate::table::Table;

/// Measure whether a recording can be true: motion against physics, values against their bounds
#[derive(Args)]
#[command(after_help = "\
Examples:
  postgame probe bout.replay
  postgame probe bout.replay plausibility --json

Exit status: 0 every check passes or has too few samples, 1 a check fails, 2 error.")]
pub struct Options {
    /// The recording; `-` for standard input
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

/// Runs the command.
pub fn run(options: &Options) -> Result<Outcome, Failure> {
    let (recording, _) = input::recording(&options.path, &ReadOptions::default())?;
    let aspect = options.aspect.map(Aspect::from);
    let mut probes = recording.probe(&recording.timeline());
    probes.retain(|probe| aspect.is_none_or(|aspect| probe.aspect == aspect));
    let mut output = stdout();
    let mut table = Table::new(["VERDICT", "CHECK", "MEASURED", "EXPECTED", "SAMPLES"]);
    for probe in &probes {
        if options.json {
            write_json(&mut output, probe)?;
            continue;
        }
        let verdict = match probe.verdict {
            Verdict::Pass => "pass",
            Verdict::Fail => "FAIL",
            Verdict::TooFewSamples => "too few samples",
        };
        let measured = format!("{:.4}", probe.measured);
        let expected = probe.expected.clone();
        table.add([
            verdict.to_owned(),
            printable(&probe.name),
            measured,
            expected,
            probe.samples.to_string(),
        ]);
    }
    table.print(&mut output)?;
    output.flush()?;
    let has_failed = probes.iter().any(|probe| probe.verdict == Verdict::Fail);
    Ok(if has_failed {
        Outcome::Findings
    } else {
        Outcome::Fine
    })
}
