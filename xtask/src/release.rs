//! `cargo xtask release-test`: what only the release build can show.

use crate::tools::{Result, cargo, step, target};
use crate::web;

/// Builds the command as it is released, but for a file that makes it panic, and has tests run that program.
///
/// `cargo test --release` would not do: cargo builds tests and everything they use with unwinding, whatever the profile says.
pub fn test() -> Result {
    // With the page: without it there is no viewer.
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
