//! Running programs and finding files.

use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

/// The result of every chore: nothing, or a one-line error message.
pub type Result<T = ()> = std::result::Result<T, String>;

/// The root of the repository.
pub fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.parent().map(PathBuf::from).unwrap_or(here)
}

/// The cargo that runs this, as a command in the root of the repository.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// A cargo command for the whole workspace with Clippy's compiler, which also builds. Running `cargo clippy` in
/// addition to `cargo test` would compile Arrow and DataFusion twice.
pub fn linted(arguments: &[&str]) -> Command {
    let mut cargo = cargo();
    cargo
        .args(arguments)
        .args(["--locked", "--workspace", "--all-features"])
        .env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver")
        // The form in which cargo-clippy passes its arguments on.
        .env("CLIPPY_ARGS", "-Dwarnings__CLIPPY_HACKERY__");
    cargo
}

/// Cargo's target folder.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// A program written in Rust, which is installed into `target/tools` unless this version is there already.
pub fn tool(name: &str, version: &str) -> Result<PathBuf> {
    let tools = root().join("target/tools");
    let program = tools.join("bin").join(name);
    // Cargo's own list of programs installed there.
    let list = std::fs::read_to_string(tools.join(".crates.toml")).unwrap_or_default();
    if program.is_file() && list.contains(&format!("\"{name} {version} ")) {
        return Ok(program);
    }
    let install = ["install", "--locked", name, "--version", version, "--root"];
    step(
        &format!("installing {name}"),
        cargo().args(install).arg(&tools),
    )?;
    Ok(program)
}

/// Runs a step; prints its name and duration.
pub fn step(name: &str, command: &mut Command) -> Result {
    eprintln!("── {name}");
    let start = Instant::now();
    let status = command
        .status()
        .map_err(|error| format!("{name}: cannot start: {error}"))?;
    if !status.success() {
        return Err(format!("{name} failed ({status})"));
    }
    eprintln!("── {name}: {:.0} s", start.elapsed().as_secs_f32());
    Ok(())
}

/// Writes a file unless it already has these contents; prints which of the two happened.
pub fn write_if_changed(path: &str, contents: &[u8]) -> Result<bool> {
    let full = root().join(path);
    if std::fs::read(&full).is_ok_and(|old| old == contents) {
        return Ok(false);
    }
    if let Some(folder) = full.parent() {
        std::fs::create_dir_all(folder).map_err(|error| format!("{path}: {error}"))?;
    }
    std::fs::write(&full, contents).map_err(|error| format!("{path}: {error}"))?;
    eprintln!("wrote {path}");
    Ok(true)
}
