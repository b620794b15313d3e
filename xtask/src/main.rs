//! The project's chores: `cargo xtask demo`, `test`, `release-test`, `release`, `fuzz`, `web`, `compare`, `wheel`, `sbom`,
//! `picture`, `docs`, `gen`, `samples`.

mod blowup;
mod demo;
mod docs;
mod features;
mod fuzz;
mod r#gen;
mod package;
mod picture;
mod python;
mod release;
mod samples;
mod supply;
mod test;
mod tools;
mod web;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The project's chores.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Build the page and the program, run the main job on the bundled samples, and open the viewer on them
    Demo {
        /// Do not open the viewer
        #[arg(long)]
        no_view: bool,
    },
    /// Run every test: formatting, lints, generated files, unit, corpus and command-line tests, docs, licences
    Test(test::Options),
    /// Run the tests that only the release build can show: a panic is the failure of one recording
    ReleaseTest,
    /// Make the artifacts of a release that this machine can make, with checksums, and list the others
    Release(release::Options),
    /// Fuzz the inner layers; each finding becomes a file in fuzz/regressions
    Fuzz(fuzz::Options),
    /// Render a moment of a recording with Blender, to look at; needs Python 3.11
    Picture(picture::Options),
    /// Write a bill of materials for everything that is released into target/release-artifacts
    Sbom,
    /// Build the release wheel of the Python package into target/wheels
    Wheel,
    /// Measure against the peers, side by side, with ratios
    Compare {
        /// The games, and `python`; all of them by default
        games: Vec<String>,
    },
    /// Blow a Satisfactory save up, by copies of its buildings with new names, and time reading it
    Blowup {
        /// The save to start from
        input: std::path::PathBuf,
        /// Where to write the large one
        output: std::path::PathBuf,
        /// How large the inflated body is to become, in bytes
        #[arg(long, default_value_t = 1_000_000_000)]
        size: u64,
    },
    /// Build the viewer's page into web/dist; the next build of the program has it
    Web,
    /// Build the site made of docs/ into target/book, and check its links
    Docs,
    /// Turn data/ into the generated tables
    Gen,
    /// Make samples/ anew, byte for byte the same
    Samples,
}

fn main() -> ExitCode {
    let result = match Arguments::parse().chore {
        Chore::Compare { games } => compare(&games),
        Chore::Demo { no_view } => demo::run(!no_view),
        Chore::Web => web::build(),
        Chore::Wheel => python::wheel(),
        Chore::Test(options) => test::run(&options),
        Chore::ReleaseTest => release::test(),
        Chore::Release(options) => release::run(&options),
        Chore::Fuzz(options) => fuzz::run(&options),
        Chore::Picture(options) => picture::run(&options),
        Chore::Sbom => supply::bill_of_materials(),
        Chore::Blowup {
            input,
            output,
            size,
        } => blowup::run(&input, &output, size),
        Chore::Docs => docs::build(),
        Chore::Gen => r#gen::run(),
        Chore::Samples => samples::run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

/// `cargo xtask compare`: the bench crate, built for speed, and the Python package against its peers.
fn compare(games: &[String]) -> tools::Result {
    let (python, games): (Vec<&String>, Vec<&String>) =
        games.iter().partition(|game| *game == "python");
    if python.is_empty() || !games.is_empty() {
        let run = [
            "run",
            "--locked",
            "--release",
            "--package",
            "postgame-bench",
            "--",
        ];
        tools::step("compare", tools::cargo().args(run).args(&games))?;
    }
    if !python.is_empty() || games.is_empty() {
        python::compare()?;
    }
    Ok(())
}
