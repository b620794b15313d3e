//! Every command in the README and in the guides runs.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::run::root;

/// Commands that are not run here: `cargo xtask test` runs them, or runs this.
const ELSEWHERE: &[&str] = &[
    "cargo xtask demo",
    "cargo xtask test",
    "cargo xtask compare",
    "cargo install --path crates/postgame-cli",
    // A program of its own, which takes minutes to build; it has its own tests.
    "cargo install --path crates/postgame-sql",
    "postgame sql 'SELECT map, count(*) FROM recordings GROUP BY map' samples",
    "postgame sql 'SELECT map, count(*) FROM recordings GROUP BY map' --dataset replays",
    // Serves until it is stopped; the tests in web/tests do that.
    "postgame view samples",
];

#[test]
fn every_command_of_the_readme_runs() {
    let ran = run_commands(&root().join("README.md"));
    assert!(ran >= 5, "only {ran} commands were found");
}

#[test]
fn every_command_of_the_guides_runs() {
    let mut ran = 0;
    for entry in fs::read_dir(root().join("docs/guide")).unwrap() {
        ran += run_commands(&entry.unwrap().path());
    }
    assert!(ran >= 20, "only {ran} commands were found");
}

/// Runs every command of a page's shell blocks in a folder with a copy of the samples; returns how many there were.
fn run_commands(page: &Path) -> usize {
    let text = fs::read_to_string(page).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let samples = folder.path().join("samples");
    fs::create_dir(&samples).unwrap();
    for entry in fs::read_dir(root().join("samples")).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), samples.join(entry.file_name())).unwrap();
    }
    let program = Path::new(env!("CARGO_BIN_EXE_postgame"));
    let path = format!(
        "{}:{}",
        program.parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    let mut ran = 0;
    let mut in_shell = false;
    for line in text.lines() {
        if line.starts_with("```") {
            in_shell = line == "```sh";
            continue;
        }
        let command = line.split(" #").next().unwrap_or_default().trim();
        if !in_shell || command.is_empty() || ELSEWHERE.contains(&command) {
            continue;
        }
        let output = Command::new("bash")
            .args(["-o", "pipefail", "-c", command])
            .current_dir(folder.path())
            .env("PATH", &path)
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "{}: {command}: {stderr}",
            page.display()
        );
        ran += 1;
    }
    ran
}
