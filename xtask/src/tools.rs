//! Running programs and finding files.

use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

/// What every chore returns: nothing, or one line for a person.
pub type Result<T = ()> = std::result::Result<T, String>;

/// The top of the repository.
pub fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.parent().map(PathBuf::from).unwrap_or(here)
}

/// The cargo that runs this, as a command in the top folder.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Runs a step, says so, and how long it took.
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

/// Writes a file unless it has these contents already; says which it did.
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
