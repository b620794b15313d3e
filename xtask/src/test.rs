//! `cargo xtask test`: everything that must hold, in the order in which it fails fastest.

use std::path::PathBuf;
use std::process::Command;

use crate::tools::{Result, cargo, root, step};
use crate::{demo, r#gen, python, samples, web};

/// The version of cargo-deny that the configuration was written for.
const CARGO_DENY: &str = "0.20.2";

/// Runs every test.
pub fn run() -> Result {
    step("formatting", cargo().args(["fmt", "--all", "--check"]))?;
    // First, so that everything below is built with the page.
    web::build()?;
    eprintln!("── generated files and samples");
    r#gen::check()?;
    samples::check()?;
    let clippy = [
        "clippy",
        "--locked",
        "--workspace",
        "--all-targets",
        "--all-features",
        "--",
        "-D",
        "warnings",
    ];
    step("lints", cargo().args(clippy))?;
    step(
        "tests",
        cargo().args(["test", "--locked", "--workspace", "--all-features"]),
    )?;
    step(
        "documentation",
        docs().args([
            "doc",
            "--locked",
            "--workspace",
            "--no-deps",
            "--all-features",
            // With the examples, dependencies have the features that the lints have had them checked with.
            "--lib",
            "--bins",
            "--examples",
        ]),
    )?;
    demo::test()?;
    web::test()?;
    python::test()?;
    licences()
}

fn docs() -> Command {
    let mut cargo = cargo();
    cargo.env("RUSTDOCFLAGS", "-D warnings");
    cargo
}

/// Licences, sources and duplicate dependencies, by cargo-deny, which is installed into `target` when it is not there.
fn licences() -> Result {
    let tools = root().join("target/tools");
    let deny: PathBuf = tools.join("bin/cargo-deny");
    if !deny.is_file() {
        let version = [
            "install",
            "--locked",
            "cargo-deny",
            "--version",
            CARGO_DENY,
            "--root",
        ];
        step("installing cargo-deny", cargo().args(version).arg(&tools))?;
    }
    let check = [
        "--offline",
        "check",
        "--hide-inclusion-graph",
        "licenses",
        "bans",
        "sources",
    ];
    step(
        "licences and sources",
        Command::new(deny).args(check).current_dir(root()),
    )
}
