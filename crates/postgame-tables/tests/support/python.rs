//! Packages from PyPI, in an environment under `target` that stays for the next run.
//!
//! Other crates' tests have this file too, by its path.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A Python that has some packages; `None`, with a word about it, where PyPI cannot be reached.
///
/// The name is the environment's: another list needs another one.
pub fn python(root: &Path, name: &str, packages: &[&str]) -> Option<PathBuf> {
    let folder = root.join("target").join(name);
    let python = folder.join("bin/python");
    let ready = folder.join("ready");
    if ready.is_file() {
        return Some(python);
    }
    let run = |program: &Path, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output();
        output.is_ok_and(|output| output.status.success())
    };
    let pip = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
    ];
    let is_made = run(Path::new("python3"), &["-m", "venv", folder.to_str()?])
        && run(&python, &[&pip, packages].concat());
    if !is_made {
        eprintln!("NO PYTHON PACKAGES: neither venv nor PyPI can be reached, nothing was checked");
        return None;
    }
    File::create(ready).unwrap();
    Some(python)
}
