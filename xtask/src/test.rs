//! `cargo xtask test`: all checks, the fastest to fail first.

use std::time::Instant;

use crate::tools::{Result, cargo, linted, step};
use crate::{demo, features, r#gen, package, python, samples, supply, web};

/// Which of the steps to run.
#[derive(clap::Args)]
pub struct Options {
    /// Only these steps: page, generated, rust, packages, docs, demo, browser, python, supply
    #[arg(value_parser = STEPS.map(|(name, _)| name))]
    steps: Vec<String>,
}

/// A step: its name and what it does.
type Step = (&'static str, fn() -> Result);

/// All steps in order; the page comes first, so that everything after it is built with it.
const STEPS: [Step; 9] = [
    ("page", page),
    ("generated", generated),
    ("rust", rust),
    ("packages", packages),
    ("docs", docs),
    ("demo", demo::test),
    ("browser", web::test),
    ("python", python::test),
    ("supply", supply::check),
];

/// Runs every test, or the chosen steps.
pub fn run(options: &Options) -> Result {
    let start = Instant::now();
    for (name, run) in STEPS {
        if options.steps.is_empty() || options.steps.iter().any(|step| step == name) {
            run()?;
        }
    }
    eprintln!("── all tests: {:.0} s", start.elapsed().as_secs_f32());
    Ok(())
}

fn page() -> Result {
    web::build()?;
    web::check()
}

fn generated() -> Result {
    step("formatting", cargo().args(["fmt", "--all", "--check"]))?;
    eprintln!("── generated files and samples");
    r#gen::check()?;
    samples::check()
}

fn rust() -> Result {
    step(
        "building with lints",
        &mut linted(&["test", "--no-run", "--all-targets"]),
    )?;
    step("tests", &mut linted(&["test"]))
}

fn packages() -> Result {
    features::check()?;
    package::check()
}

fn docs() -> Result {
    step(
        "documentation",
        cargo().env("RUSTDOCFLAGS", "-D warnings").args([
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
    )
}
