//! `cargo xtask release-test` and `cargo xtask release --dry-run`: what is checked and made for a release.

mod archive;
mod artifacts;
mod checksums;
mod panics;
mod templates;

pub use panics::test;

use crate::tools::{Result, root};
use crate::{package, python, supply, web};
use artifacts::Artifacts;

/// What a release is made with.
#[derive(clap::Args)]
pub struct Options {
    /// Make everything that this machine can make, and publish nothing (required: publishing is the workflow's)
    #[arg(long, required = true)]
    dry_run: bool,
    /// Build the command a second time in another folder, and compare the two files
    #[arg(long)]
    twice: bool,
    /// Leave out the SQL program, which takes 20 minutes to build
    #[arg(long)]
    without_sql: bool,
    /// Leave out the Python wheel
    #[arg(long)]
    without_wheel: bool,
    #[command(flatten)]
    addresses: templates::Addresses,
}

/// Makes the artifacts of a release, and lists those that cannot be made here.
pub fn run(options: &Options) -> Result {
    let version = version()?;
    let mut artifacts = Artifacts::empty()?;
    web::build()?;
    package::check()?;
    let built = archive::build(!options.without_sql)?;
    if options.twice {
        archive::compare_with_second_build(&built)?;
    }
    let archive = archive::pack(&version, &built, artifacts.folder())?;
    artifacts.made(&archive);
    for (target, needs) in archive::NOT_HERE {
        artifacts.missing(&format!("postgame-{version}-{target}"), needs);
    }
    match options.without_wheel {
        true => artifacts.missing("Python wheel", "it was left out with --without-wheel"),
        false => {
            python::wheel()?;
            artifacts.copy_all(&root().join("target/wheels"))?;
        }
    }
    artifacts.missing(
        "Python wheels for other systems",
        "the release workflow, on those systems",
    );
    supply::bill_of_materials()?;
    let sums = checksums::of_folder(artifacts.folder())?;
    templates::fill(&version, &options.addresses, &sums, artifacts.folder())?;
    checksums::write(artifacts.folder())?;
    artifacts.report();
    Ok(())
}

/// The version of the workspace.
fn version() -> Result<String> {
    let path = root().join("Cargo.toml");
    let text = std::fs::read_to_string(&path).map_err(|error| format!("Cargo.toml: {error}"))?;
    let after = text.split("[workspace.package]").nth(1).unwrap_or_default();
    let line = after
        .lines()
        .find_map(|line| line.strip_prefix("version = "));
    let version = line.map(|line| line.trim_matches('"').to_owned());
    version.ok_or_else(|| "Cargo.toml: the workspace has no version".to_owned())
}
