//! Every command in the README runs.

use std::fs;
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
fn every_command_runs() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let samples = folder.path().join("samples");
    fs::create_dir(&samples).unwrap();
    for entry in fs::read_dir(root().join("samples")).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), samples.join(entry.file_name())).unwrap();
    }
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_postgame"));
    let path = format!(
        "{}:{}",
        program.parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    let mut ran = 0;
    let mut in_shell = false;
    for line in readme.lines() {
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
        assert!(output.status.success(), "{command}: {stderr}");
        ran += 1;
    }
    assert!(ran >= 5, "only {ran} commands were found in the README");
}
