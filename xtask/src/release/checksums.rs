//! `SHA256SUMS`, in the form that `sha256sum --check` reads.

use std::path::Path;
use std::process::Command;

use crate::tools::Result;

const NAME: &str = "SHA256SUMS";

/// The digest and the name of every file of a folder, sorted by name.
pub fn of_folder(folder: &Path) -> Result<Vec<(String, String)>> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name != NAME && entry.path().is_file() {
            names.push(name);
        }
    }
    names.sort();
    let sum = |name: String| Ok((of_file(&folder.join(&name))?, name));
    names.into_iter().map(sum).collect()
}

/// The digest of a file.
pub fn of_file(path: &Path) -> Result<String> {
    let output = Command::new("sha256sum").arg("--binary").arg(path).output();
    let output = output.map_err(|error| format!("sha256sum: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    match text.split(' ').next() {
        Some(digest) if output.status.success() && digest.len() == 64 => Ok(digest.to_owned()),
        _ => Err(format!("{}: no checksum", path.display())),
    }
}

/// Writes `SHA256SUMS` into a folder.
pub fn write(folder: &Path) -> Result {
    let lines: String = of_folder(folder)?
        .iter()
        .map(|(digest, name)| format!("{digest}  {name}\n"))
        .collect();
    std::fs::write(folder.join(NAME), lines).map_err(|error| format!("{NAME}: {error}"))
}
