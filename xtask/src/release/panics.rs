//! `cargo xtask release-test`: tests that need the release build.

use crate::tools::{Result, cargo, step, target};
use crate::web;

/// Builds the command with the release profile, plus a file that makes it panic, and tests that program.
///
/// `cargo test --release` is not sufficient: cargo builds tests and their dependencies with unwinding, regardless of
/// the profile.
pub fn test() -> Result {
    // With the page, without which there is no viewer.
    web::build()?;
    let features = [
        "--locked",
        "--package",
        "postgame-cli",
        "--features",
        "test-panic",
    ];
    step(
        "building the release",
        cargo().args(["build", "--release"]).args(features),
    )?;
    let suffix = std::env::consts::EXE_SUFFIX;
    step(
        "panics in the release",
        cargo()
            .arg("test")
            .args(features)
            .args(["--test", "it", "panics"])
            .env(
                "POSTGAME_PROGRAM",
                target().join(format!("release/postgame{suffix}")),
            ),
    )
}
