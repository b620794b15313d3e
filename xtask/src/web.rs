//! `cargo xtask web`: builds the viewer's page, and tests it in a browser.

use std::path::Path;
use std::process::Command;

use crate::tools::{Result, root, step, target};

/// The browser's path on Debian and similar systems.
const BROWSERS: &[&str] = &[
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
];

/// Builds the page into `web/dist`.
pub fn build() -> Result {
    if !runs("npm", "--version") {
        return Err("the viewer's page needs Node 20 or newer with npm: install it".to_owned());
    }
    if !is_installed() {
        step("installing the page's tools", npm().arg("ci"))?;
    }
    step("building the page", npm().args(["run", "build"]))
}

/// Checks the page's types, format and lints.
pub fn check() -> Result {
    step("the page's types and lints", npm().args(["run", "check"]))
}

/// Runs the page's tests in headless Chromium, installing it if that is allowed.
pub fn test() -> Result {
    let is_there = || {
        std::env::var_os("CHROMIUM").is_some()
            || BROWSERS.iter().any(|browser| Path::new(browser).exists())
    };
    if !is_there() && runs("apt-get", "--version") {
        // A new machine's package lists are old or empty; a failure here shows in the next step.
        drop(Command::new("apt-get").args(["update", "-q"]).status());
        let install = ["install", "-y", "--no-install-recommends", "chromium"];
        // Fails without permission; the message below says what to do.
        if let Err(message) = step("installing Chromium", Command::new("apt-get").args(install)) {
            eprintln!("{message}");
        }
    }
    if !is_there() {
        return Err("the viewer's tests need Chromium: install the package `chromium`, or name one in CHROMIUM".to_owned());
    }
    step(
        "viewer in a browser",
        npm()
            .args(["run", "test"])
            .env("POSTGAME", target().join("debug/postgame")),
    )
}

/// True if the installed packages match the lock file.
fn is_installed() -> bool {
    let time = |path: &str| {
        let metadata = std::fs::metadata(root().join("web").join(path)).ok()?;
        metadata.modified().ok()
    };
    match (
        time("node_modules/.package-lock.json"),
        time("package-lock.json"),
    ) {
        (Some(installed), Some(wanted)) => installed >= wanted,
        _ => false,
    }
}

fn npm() -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(root().join("web"));
    command
}

fn runs(program: &str, argument: &str) -> bool {
    let output = Command::new(program).arg(argument).output();
    output.is_ok_and(|output| output.status.success())
}
