//! `cargo xtask test`: everything that must hold, in the order in which it fails fastest.

use std::process::Command;

use crate::tools::{Result, cargo, step};
use crate::{demo, r#gen, python, samples, supply, web};

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
    supply::check()
}

fn docs() -> Command {
    let mut cargo = cargo();
    cargo.env("RUSTDOCFLAGS", "-D warnings");
    cargo
}
