//! Finds the commit that this program is built from, for `postgame --version`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The number of digits of a commit that people are shown.
const SHOWN_DIGITS: usize = 9;

#[allow(clippy::print_stdout)] // Build scripts give cargo instructions on standard output.
fn main() {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    println!("cargo:rerun-if-env-changed=POSTGAME_COMMIT");
    let commit = env::var("POSTGAME_COMMIT")
        .ok()
        .or_else(|| of_package(&here))
        .or_else(|| of_checkout(&here));
    let version = env!("CARGO_PKG_VERSION");
    let shown = match commit
        .as_deref()
        .and_then(|commit| commit.get(..SHOWN_DIGITS))
    {
        Some(commit) => format!("{version} ({commit})"),
        None => version.to_owned(),
    };
    println!("cargo:rustc-env=POSTGAME_VERSION={shown}");
}

/// The commit that `cargo package` recorded in a published package.
fn of_package(here: &Path) -> Option<String> {
    let text = fs::read_to_string(here.join(".cargo_vcs_info.json")).ok()?;
    let after = text.split("\"sha1\"").nth(1)?;
    Some(after.split('"').nth(1)?.to_owned())
}

/// The commit that is checked out, if this is a checkout of the repository.
#[allow(clippy::print_stdout)]
fn of_checkout(here: &Path) -> Option<String> {
    // A package that was unpacked inside another project's repository has no workspace around it.
    if !here.join("../../xtask").is_dir() {
        return None;
    }
    let git = |arguments: &[&str]| {
        let output = Command::new("git")
            .args(arguments)
            .current_dir(here)
            .output()
            .ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    // Changes with every commit and every checkout.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    println!("cargo:rerun-if-changed={}", here.join(log).display());
    git(&["rev-parse", "HEAD"])
}
