//! The program that `postgame sql` starts.

use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use datafusion::error::DataFusionError;
use postgame_files::text::{Escaped, Style};
use postgame_files::{AsideFile, printable};
use postgame_sql::output::{self, Form};
use postgame_sql::{Over, Session, shell};
use postgame_tables::write::FileKind;

/// Query recordings or a data set with SQL.
#[derive(Parser)]
#[command(
    name = "postgame sql",
    version,
    max_term_width = 110,
    after_help = "\
Examples:
  postgame sql 'SELECT map, count(*) FROM recordings GROUP BY map' ~/Replays
  postgame sql 'SELECT name, max(boost_percent) FROM frames_cars GROUP BY name' duel.replay --csv
  postgame sql 'EXPLAIN SELECT file FROM recordings' ~/Replays
  postgame sql --dataset replays 'SELECT * FROM stats' --parquet stats.parquet
  postgame sql --dataset replays

Recordings are decoded while the query runs, and only the columns it uses; a data set (postgame ingest) is faster. Tables and their columns are described in docs/tables.md, examples in docs/queries.md. Without a query, a shell starts.

Exit status: 0 fine, 1 some recordings could not be read (the answer is from all others), 2 no answer."
)]
struct Arguments {
    /// The query (none starts a shell), then recordings: files, folders, patterns, archives, `s3://` addresses
    arguments: Vec<PathBuf>,
    /// Query a data set made by `postgame ingest`, in a folder or an object store (s3://BUCKET/PREFIX)
    #[arg(long, value_name = "FOLDER")]
    dataset: Option<PathBuf>,
    /// Print a JSON object a line
    #[arg(long, conflicts_with_all = ["csv", "parquet"])]
    json: bool,
    /// Print comma-separated values
    #[arg(long, conflicts_with = "parquet")]
    csv: bool,
    /// Write a Parquet file
    #[arg(long, value_name = "FILE")]
    parquet: Option<PathBuf>,
    /// Number of threads [default: as many as the machine has]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    threads: usize,
}

fn main() -> ExitCode {
    // Exceeding a limit on the size of files becomes a write error. If this call fails, the signal keeps its default
    // action.
    drop(postgame_files::signals::report_size_limit());
    match run(&Arguments::parse()) {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&plain(&error));
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<ExitCode, DataFusionError> {
    let (query, over) = question(arguments)?;
    let form = match (arguments.json, arguments.csv, &arguments.parquet) {
        (true, ..) => Form::File(FileKind::Ndjson),
        (_, true, _) => Form::File(FileKind::Csv),
        (.., Some(_)) => Form::File(FileKind::Parquet),
        _ => Form::Table {
            width: io::stdout()
                .is_terminal()
                .then(|| terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)))
                .flatten(),
        },
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let session = Session::new(&over, arguments.threads)?;
    let Some(query) = query else {
        let mut answer = |text: &str| {
            if shell::is_help(text) {
                complain(text);
                return;
            }
            let answered = runtime.block_on(async {
                let (schema, stream) = session.query(text).await?;
                output::write(form, &schema, stream, &mut io::stdout()).await
            });
            if let Err(error) = answered {
                complain(&plain(&error));
            }
            tell_failures(&session);
        };
        shell::run(&mut answer).map_err(|error| DataFusionError::External(error.into()))?;
        return Ok(ExitCode::SUCCESS);
    };
    let answered: Result<(), DataFusionError> = runtime.block_on(async {
        let (schema, stream) = session.query(&query).await?;
        match &arguments.parquet {
            Some(path) => {
                let mut file = AsideFile::begin(path)?;
                output::write(form, &schema, stream, &mut file).await?;
                Ok(file.finish()?)
            }
            None => {
                let mut stdout = BufWriter::new(io::stdout());
                if io::stdout().is_terminal() {
                    let mut safe = Escaped::new(stdout, Style::Terminal);
                    output::write(form, &schema, stream, &mut safe).await?;
                    return Ok(safe.flush()?);
                }
                output::write(form, &schema, stream, &mut stdout).await?;
                Ok(stdout.flush()?)
            }
        }
    });
    answered?;
    Ok(match tell_failures(&session) {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::from(1),
    })
}

/// The query, unless a shell is wanted, and its sources.
fn question(arguments: &Arguments) -> Result<(Option<String>, Over), DataFusionError> {
    let mistake = |message: &str| DataFusionError::Plan(message.to_owned());
    let words = &arguments.arguments;
    // A query contains spaces, which distinguishes it from a file; a file with such a name can be given as ./NAME.
    let is_query = words
        .first()
        .is_some_and(|word| word.to_str().is_some_and(|word| word.contains(' ')) && !word.exists());
    let (query, paths) = match words.split_first() {
        Some((query, paths)) if is_query => (query.to_str().map(str::to_owned), paths),
        _ => (None, words.as_slice()),
    };
    match (&arguments.dataset, paths) {
        (Some(_), [_, ..]) => Err(mistake("name recordings or a data set, not both")),
        (Some(dataset), []) => Ok((query, Over::Dataset(dataset.clone()))),
        (None, []) => Err(mistake(
            "name recordings to ask, or a data set with --dataset",
        )),
        (None, paths) => Ok((query, Over::Recordings(paths.to_vec()))),
    }
}

/// Reports which recordings could not be read, and counts them.
fn tell_failures(session: &Session) -> usize {
    let failures = session.take_failures();
    for failure in &failures {
        complain(&failure.to_string());
    }
    let unread = failures.iter().filter(|failure| failure.skipped == 0);
    unread.count()
}

/// An error without DataFusion's wrapping.
fn plain(error: &DataFusionError) -> String {
    match error {
        DataFusionError::Plan(message) | DataFusionError::Execution(message) => message.clone(),
        error => error.strip_backtrace(),
    }
}

fn is_broken_pipe(error: &DataFusionError) -> bool {
    matches!(error, DataFusionError::IoError(error) if error.kind() == io::ErrorKind::BrokenPipe)
}

fn complain(message: &str) {
    // If standard error fails, there is nowhere left to report it.
    let lines: Vec<String> = message.lines().map(printable).collect();
    drop(writeln!(io::stderr(), "postgame sql: {}", lines.join("\n")));
}
