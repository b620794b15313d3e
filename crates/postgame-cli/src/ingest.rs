//! `postgame ingest`: all tables of many recordings as a data set of Parquet files.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use postgame_files::progress::Line;
use postgame_tables::dataset::ingest::Progress;
use postgame_tables::dataset::{self, IngestOptions, Store};
use postgame_tables::{ALL, find};
use serde_json::json;

use crate::input;
use crate::output::{Failure, Outcome, complain, stdout, write_json};

/// Add recordings to a data set of Parquet files: all tables, in folders by game and month
#[derive(Args)]
#[command(after_help = "\
Examples:
  postgame ingest ~/Replays -o replays
  postgame ingest '~/Slippi/**/*.slp' season.zip -o replays
  postgame ingest ~/Replays -o replays --tables recordings,players,events,stats
  duckdb -c \"SELECT map, count(*) FROM 'replays/recordings/**/*.parquet' GROUP BY map\"
  postgame sql 'SELECT map, count(*) FROM recordings GROUP BY map' --dataset replays
  postgame ingest s3://games/season-3 -o s3://games/replays

Recordings that the data set already has, by content, are skipped, so the command can be repeated at any time, even after it was killed. A damaged data set heals: recordings whose rows are missing are added again. Files that ingest did not write are never touched, and a folder that is neither empty nor a data set is refused. Only one ingest writes to a data set at a time; others fail, or wait with --wait.

Archives are .zip, .tar, .gz, .zst and .xz. Recordings and the data set can be in an object store, s3://BUCKET/PREFIX; set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION, AWS_ENDPOINT_URL and AWS_ALLOW_HTTP as usual.

Exit status: 0 fine, 1 some recordings could not be read (all others are in the data set) or the data set is still damaged, 2 the data set could not be written; the message lists what was added, and the data set is readable.")]
pub struct Options {
    /// Recordings: files, folders, patterns, archives, `s3://` addresses; `-` for standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// The data set's folder, or its address in an object store; created if it does not exist
    #[arg(long, short)]
    output: PathBuf,
    /// Only these tables
    #[arg(long, value_delimiter = ',')]
    tables: Vec<String>,
    /// Number of threads [default: as many as the machine has]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    threads: usize,
    /// Maximum number of recordings written together; fewer take less memory and make smaller files
    #[arg(long, default_value_t = IngestOptions::default().segment_files)]
    segment_files: usize,
    /// Wait while another process writes to the data set
    #[arg(long)]
    wait: bool,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(options: &Options) -> Result<Outcome, Failure> {
    let mut ingest = IngestOptions {
        threads: options.threads,
        segment_files: options.segment_files,
        wait: options.wait,
        limits: input::limits(),
        ..IngestOptions::default()
    };
    if !options.tables.is_empty() {
        let table = |name: &String| {
            let names = || ALL.iter().map(|table| table.name()).collect::<Vec<_>>();
            find(name).ok_or_else(|| {
                let names = names().join(", ");
                Failure::new(format!("there is no table {name}; there are {names}"))
            })
        };
        ingest.tables = options.tables.iter().map(table).collect::<Result<_, _>>()?;
    }
    let store =
        Store::open(&options.output).map_err(|error| Failure::at(&options.output, error))?;
    let progress = Arc::new(Progress::default());
    let shown = Arc::clone(&progress);
    let line = Line::show(options.paths.clone(), move || shown.status());
    let outcome = dataset::ingest(&options.paths, &store, &ingest, &progress);
    drop(line);
    let outcome = outcome.map_err(|error| Failure::at(&options.output, error))?;
    let failed = outcome.failures.len();
    let damaged = outcome.damaged.len() + outcome.unreadable.len();
    let mut output = stdout();
    if options.json {
        let failures: Vec<_> = outcome
            .failures
            .iter()
            .map(|failure| json!({"file": failure.name, "error": failure.message}))
            .collect();
        let summary = json!({
            "added": outcome.added, "known": outcome.known, "failed": failed, "failures": failures,
            "skipped": outcome.skipped, "damaged_segments": damaged,
        });
        write_json(&mut output, &summary)?;
    } else {
        for failure in outcome.failures.iter().chain(&outcome.skips) {
            complain(failure);
        }
        for list in &outcome.unreadable {
            complain(format_args!("{}: {list}", options.output.display()));
        }
        for damage in &outcome.damaged {
            let hint = "to restore it, ingest its recordings again";
            complain(format_args!(
                "{}: {damage}; {hint}",
                options.output.display()
            ));
        }
        write!(
            output,
            "{} recordings added, {} were there already, {failed} could not be read",
            outcome.added, outcome.known
        )?;
        if outcome.skipped > 0 {
            write!(output, ", {} skipped", outcome.skipped)?;
        }
        writeln!(output)?;
    }
    output.flush()?;
    Ok(match failed + damaged {
        0 => Outcome::Fine,
        _ => Outcome::Findings,
    })
}
