//! The `postgame` command. One file per subcommand; the work is in the library.

mod build;
mod check;
mod clips;
mod compare;
mod controllers;
mod events;
mod export;
mod flow;
mod game_data;
mod generate;
mod info;
mod ingest;
mod input;
mod json;
mod nearest;
mod output;
mod plan;
mod probe;
mod repair;
mod sets;
mod slpz;
mod sql;
mod stats;
mod table;
mod tail;
mod view;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use output::Outcome;

/// Reads game replays and saves, every bit of them, and writes them back unchanged.
#[derive(Parser)]
#[command(name = "postgame", version = env!("POSTGAME_VERSION"), after_help = AFTER_HELP, propagate_version = true, max_term_width = 110)]
struct Arguments {
    /// Memory that reading one recording may take, such as 512MB or 2GB [default: 64 MB and 20 times the file]
    #[arg(long, global = true, value_name = "SIZE", value_parser = input::size)]
    max_memory: Option<u64>,
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
Examples:
  postgame info ~/Replays                 one line for each recording in a folder
  postgame info season.zip                or in an archive
  postgame events bout.replay             one line for each event
  postgame view ~/Replays                 watch them in the browser
  postgame check bout.replay              contradictions in a file, and lost data
  postgame json a.replay | postgame build - -o b.replay
                                          lossless JSON, and back

Formats are detected by content, not by file name. `-` is standard input.

Exit status:
  0  fine
  1  there are findings
  2  something could not be read or written";

#[derive(Subcommand)]
enum Command {
    Info(info::Options),
    Check(check::Options),
    Events(events::Options),
    Stats(stats::Options),
    Probe(probe::Options),
    Compare(compare::Options),
    Flow(flow::Options),
    Nearest(nearest::Options),
    Plan(plan::Options),
    Json(json::Options),
    Build(build::Options),
    Repair(repair::Options),
    Tail(tail::Options),
    Export(export::Options),
    Ingest(ingest::Options),
    Clips(clips::Options),
    Sets(sets::Options),
    Controllers(controllers::Options),
    Slpz(slpz::Options),
    Sql(sql::Options),
    View(view::Options),
    Completions(generate::CompletionsOptions),
    Man(generate::ManOptions),
}

fn main() -> ExitCode {
    // Exceeding a limit on the size of files becomes a write error. If this call fails, the signal keeps its default action.
    drop(postgame_files::signals::report_size_limit());
    let arguments = Arguments::parse();
    input::limit_memory(arguments.max_memory);
    let outcome = match arguments.command {
        Command::Info(options) => info::run(&options),
        Command::Check(options) => check::run(&options),
        Command::Events(options) => events::run(&options),
        Command::Stats(options) => stats::run(&options),
        Command::Probe(options) => probe::run(&options),
        Command::Compare(options) => compare::run(&options),
        Command::Flow(options) => flow::run(&options),
        Command::Nearest(options) => nearest::run(&options),
        Command::Plan(options) => plan::run(&options),
        Command::Json(options) => json::run(&options),
        Command::Build(options) => build::run(&options),
        Command::Repair(options) => repair::run(&options),
        Command::Tail(options) => tail::run(&options),
        Command::Export(options) => export::run(&options),
        Command::Ingest(options) => ingest::run(&options),
        Command::Clips(options) => clips::run(&options),
        Command::Sets(options) => sets::run(&options),
        Command::Controllers(options) => controllers::run(&options),
        Command::Slpz(options) => slpz::run(&options),
        Command::Sql(options) => sql::run(&options),
        Command::View(options) => view::run(&options),
        Command::Completions(options) => generate::completions(&options),
        Command::Man(options) => generate::man(&options),
    };
    match outcome {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::from(1),
        Ok(Outcome::Failed) => ExitCode::from(2),
        // The reader of our output has closed it, which is not a failure.
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            output::complain(&error);
            ExitCode::from(2)
        }
    }
}
