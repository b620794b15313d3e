//! The crates that can be published: their descriptions, and the files that their packages would have.

use crate::tools::{Result, cargo};

/// The published crates.
const PUBLISHED: &[&str] = &[
    "postgame",
    "postgame-files",
    "postgame-tables",
    "postgame-sql",
    "postgame-view",
    "postgame-cli",
];

/// What crates.io and its readers want to know of each crate.
const FIELDS: &[&str] = &[
    "description",
    "license",
    "readme",
    "rust_version",
    "keywords",
    "categories",
];

/// Checks every published crate.
pub fn check() -> Result {
    eprintln!("── packages");
    let metadata = output(&["metadata", "--locked", "--no-deps", "--format-version=1"])?;
    let metadata: serde_json::Value =
        serde_json::from_str(&metadata).map_err(|error| format!("cargo metadata: {error}"))?;
    for name in PUBLISHED {
        let packages = metadata["packages"].as_array();
        let mut packages = packages.into_iter().flatten();
        let package = packages.find(|package| package["name"] == *name);
        let package = package.ok_or_else(|| format!("{name} is not in the workspace"))?;
        for field in FIELDS {
            let value = &package[field];
            let is_empty = value.as_array().is_some_and(Vec::is_empty);
            if value.is_null() || value == "" || is_empty {
                return Err(format!("{name} has no {field}"));
            }
        }
        let list = [
            "package",
            "--locked",
            "--allow-dirty",
            "--no-verify",
            "--list",
        ];
        let files = output(&[&list[..], &["--package", name]].concat())?;
        check_files(name, &files)?;
    }
    Ok(())
}

/// Fails if a package lacks its sources or its README, or has recordings in it.
fn check_files(name: &str, files: &str) -> Result {
    let files: Vec<&str> = files.lines().collect();
    let has_code = files.contains(&"src/lib.rs") || files.contains(&"src/main.rs");
    if !has_code || !files.contains(&"README.md") {
        return Err(format!("the package of {name} has no sources or no README"));
    }
    let endings = [".replay", ".slp", ".slpz", ".sav", ".sbp", ".sbpcfg", ".rr"];
    let is_recording = |file: &&&str| endings.iter().any(|ending| file.ends_with(ending));
    match files.iter().find(is_recording) {
        Some(file) => Err(format!("the package of {name} has a recording: {file}")),
        None => Ok(()),
    }
}

fn output(arguments: &[&str]) -> Result<String> {
    let output = cargo().args(arguments).output();
    let output = output.map_err(|error| format!("cargo {}: {error}", arguments[0]))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recordings_and_missing_files_are_found() {
        assert!(check_files("a", "Cargo.toml\nREADME.md\nsrc/lib.rs\n").is_ok());
        assert!(check_files("a", "Cargo.toml\nsrc/lib.rs\n").is_err());
        assert!(check_files("a", "README.md\nsrc/lib.rs\ntests/game.slp\n").is_err());
    }
}
