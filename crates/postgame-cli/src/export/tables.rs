//! A table of many recordings as a file.

use std::io::{self, IsTerminal as _, Write};
use std::path::Path;
use std::sync::Arc;

use arrow::error::ArrowError;
use arrow::record_batch::RecordBatch;
use postgame_files::progress::Line;
use postgame_tables::filter::Filter;
use postgame_tables::input::Only;
use postgame_tables::npy::{Matrix, numeric_columns};
use postgame_tables::write::{FileKind, TableWriter};
use postgame_tables::{Request, Table, TableOptions, find, scan};

use super::{Options, Target};
use crate::input;
use crate::output::{Failure, Outcome, complain, write_file};

/// The wanted part of the table.
struct Wanted {
    /// The columns to write, by name.
    columns: Vec<String>,
    filter: Option<Filter>,
    /// The columns to make, by their place in the schema: those to write, then those that only the filter looks at.
    places: Vec<usize>,
}

/// Writes the table.
pub(super) fn run(options: &Options, table: &str, target: Target) -> Result<Outcome, Failure> {
    let Some(table) = find(table) else {
        return Err(Failure::new(format!("there is no table {table}")));
    };
    check_fps(options)?;
    let wanted = wanted(options, table, target)?;
    let mut outcome = Outcome::Fine;
    let is_text = matches!(target, Target::Csv | Target::Ndjson);
    write_file(options.output.as_deref(), is_text, |output| {
        outcome = write(options, table, target, &wanted, output)?;
        Ok(())
    })?;
    if target == Target::Npy {
        write_names(options, &wanted.columns)?;
    }
    Ok(outcome)
}

pub(super) fn check_fps(options: &Options) -> Result<(), Failure> {
    match options.fps {
        Some(fps) if !(fps > 0.0 && fps <= 10_000.0) => {
            Err(Failure::new("--fps takes a number above 0 and up to 10000"))
        }
        _ => Ok(()),
    }
}

/// Writes the names of a matrix's columns beside it, a line each.
pub(super) fn write_names(options: &Options, columns: &[String]) -> Result<(), Failure> {
    let Some(path) = options
        .output
        .as_ref()
        .filter(|path| path.as_os_str() != "-")
    else {
        return Ok(());
    };
    let mut name = path.as_os_str().to_owned();
    name.push(".columns.txt");
    write_file(Some(Path::new(&name)), true, |output| {
        Ok(writeln!(output, "{}", columns.join("\n"))?)
    })
}

fn wanted(options: &Options, table: &dyn Table, target: Target) -> Result<Wanted, Failure> {
    let schema = table.schema();
    let names = || schema.fields().iter().map(|field| field.name().as_str());
    let columns = match (options.columns.is_empty(), target) {
        (false, _) => options.columns.clone(),
        (true, Target::Npy) => numeric_columns(&schema),
        (true, _) => names().map(str::to_owned).collect(),
    };
    let place = |column: &str| {
        schema.index_of(column).map_err(|_| {
            let all = names().collect::<Vec<_>>().join(", ");
            let table = table.name();
            Failure::new(format!("{table} has no column {column}; it has {all}"))
        })
    };
    let filter = options.condition.as_deref().map(Filter::parse).transpose();
    let filter = filter.map_err(Failure::new)?;
    let mut places = Vec::new();
    for column in &columns {
        places.push(place(column)?);
    }
    if let Some(filter) = &filter {
        for column in filter.columns() {
            let place = place(column)?;
            if !places.contains(&place) {
                places.push(place);
            }
        }
        filter.check(&schema).map_err(Failure::new)?;
    }
    Ok(Wanted {
        columns,
        filter,
        places,
    })
}

fn write(
    options: &Options,
    table: &'static dyn Table,
    target: Target,
    wanted: &Wanted,
    output: &mut (dyn Write + Send),
) -> Result<Outcome, Failure> {
    let file = match target {
        Target::Csv => FileKind::Csv,
        Target::Ndjson => FileKind::Ndjson,
        Target::Arrow => FileKind::Arrow,
        Target::Parquet => FileKind::Parquet,
        Target::Npy | Target::Glb | Target::Voices => {
            let mut matrix = Matrix::new(wanted.columns.clone());
            let outcome = fill(options, table, wanted, &mut |batch| matrix.add(&batch))?;
            matrix.write(&mut &mut *output)?;
            return Ok(outcome);
        }
    };
    let kept = wanted.places.get(..wanted.columns.len());
    let schema = table.schema().project(kept.unwrap_or_default());
    let schema = Arc::new(schema.map_err(failed)?);
    let mut writer = TableWriter::new(file, &schema, output).map_err(failed)?;
    let outcome = fill(options, table, wanted, &mut |batch| writer.write(&batch))?;
    writer.finish().map_err(failed)?;
    Ok(outcome)
}

/// Makes the rows of every recording, in order. A recording that cannot be read is reported and skipped.
fn fill(
    options: &Options,
    table: &'static dyn Table,
    wanted: &Wanted,
    sink: &mut dyn FnMut(RecordBatch) -> Result<(), ArrowError>,
) -> Result<Outcome, Failure> {
    let request = Request {
        options: TableOptions {
            fps: options.fps,
            columns: Some(wanted.places.clone()),
            ..TableOptions::default()
        },
        threads: options.threads,
        only: Only {
            limits: input::limits(),
            ..Only::default()
        },
        ..Request::new(table)
    };
    let kept: Vec<usize> = (0..wanted.columns.len()).collect();
    let mut outcome = Outcome::Fine;
    let scan = scan(options.paths.clone(), request).map_err(failed)?;
    let progress = scan.progress();
    let _line = shows_progress(options)
        .then(|| Line::show(options.paths.clone(), move || progress.status()));
    for item in scan {
        match item {
            Ok(batch) => {
                let batch = match &wanted.filter {
                    Some(filter) => filter.apply(&batch).map_err(failed)?,
                    None => batch,
                };
                let batch = batch.project(&kept).map_err(failed)?;
                sink(batch).map_err(failed)?;
            }
            Err(failure) => {
                complain(&failure);
                if failure.skipped == 0 {
                    outcome.and(Outcome::Failed);
                }
            }
        }
    }
    Ok(outcome)
}

/// True unless the table itself goes to the terminal.
fn shows_progress(options: &Options) -> bool {
    let output = options.output.as_deref();
    output.is_some_and(|path| path.as_os_str() != "-") || !io::stdout().is_terminal()
}

fn failed(error: ArrowError) -> Failure {
    match error {
        // A closed output is recognised by its kind.
        ArrowError::IoError(_, error) => Failure::from(error),
        ArrowError::ExternalError(error) => match error.downcast::<std::io::Error>() {
            Ok(error) => Failure::from(*error),
            Err(error) => Failure::new(error.to_string()),
        },
        error => Failure::new(error.to_string()),
    }
}
