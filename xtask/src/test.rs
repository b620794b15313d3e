//! `cargo xtask test`: all checks, the fastest to fail first.

use std::process::Command;

use crate::tools::{Result, cargo, linted, step};
use crate::{demo, features, r#gen, package, python, samples, supply, web};

/// Runs every test.
pub fn run() -> Result {
    step("formatting", cargo().args(["fmt", "--all", "--check"]))?;
    // First, so that everything below is built with the page.
    web::build()?;
    web::check()?;
    eprintln!("── generated files and samples");
    r#gen::check()?;
    samples::check()?;
    step(
        "building with lints",
        &mut linted(&["test", "--no-run", "--all-targets"]),
    )?;
    step("tests", &mut linted(&["test"]))?;
    features::check()?;
    package::check()?;
    step(
        "documentation",
        docs().args([
            "doc",
            "--locked",
            "--workspace",
            // Programs without a public interface, whose dependencies take minutes to check.
            "--exclude=postgame-sql",
            "--exclude=postgame-py",
            "--exclude=postgame-bench",
            "--exclude=xtask",
            "--no-deps",
            "--all-features",
            "--lib",
            "--bins",
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
