//! The supply chain: licences, sources and advisories of dependencies, and a bill of materials.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::tools::{Result, cargo, root, step, tool};

/// The version of cargo-deny that the configuration was written for.
const CARGO_DENY: &str = "0.20.2";
/// The version of cargo-cyclonedx with the output files that [`bill_of_materials`] expects.
const CARGO_CYCLONEDX: &str = "0.5.9";
/// Time limit for downloading the advisory database.
const FETCH_TIME: Duration = Duration::from_secs(90);

/// The released packages, by the files that cargo-cyclonedx writes beside their manifests.
const RELEASED: &[&str] = &[
    "crates/postgame-cli/postgame_bin.cdx.json",
    "crates/postgame-sql/postgame-sql_bin.cdx.json",
    "crates/postgame-py/postgame_py_cdylib.cdx.json",
];

/// Checks all dependencies with cargo-deny: licences, sources, duplicates, and known vulnerabilities.
pub fn check() -> Result {
    check_npm()?;
    let deny = tool("cargo-deny", CARGO_DENY)?;
    // A build fetches only what this machine needs; cargo-deny looks at the dependencies of all systems, offline.
    step(
        "fetching the dependencies of all systems",
        cargo().args(["fetch", "--locked", "--quiet"]),
    )?;
    let check = [
        "--offline",
        "check",
        "--hide-inclusion-graph",
        "licenses",
        "bans",
        "sources",
    ];
    step(
        "licences and sources",
        Command::new(&deny).args(check).current_dir(root()),
    )?;
    advisories(&deny)
}

/// Checks for known vulnerabilities, if the database can be reached.
fn advisories(deny: &Path) -> Result {
    let mut fetch = Command::new(deny);
    fetch.args(["fetch", "db"]).current_dir(root());
    if let Err(message) = within(FETCH_TIME, &mut fetch) {
        eprintln!(
            "── advisories: not checked, the database cannot be reached from here ({message})"
        );
        return Ok(());
    }
    let check = ["--offline", "check", "--hide-inclusion-graph", "advisories"];
    step(
        "advisories",
        Command::new(deny).args(check).current_dir(root()),
    )
}

/// Runs a command with a time limit, and hides its output.
fn within(limit: Duration, command: &mut Command) -> Result {
    let quiet = std::process::Stdio::null;
    let started = command
        .stdin(quiet())
        .stdout(quiet())
        .stderr(quiet())
        .spawn();
    let mut child = started.map_err(|error| error.to_string())?;
    let start = Instant::now();
    loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) if status.success() => return Ok(()),
            Some(status) => return Err(status.to_string()),
            None if start.elapsed() > limit => {
                drop(child.kill());
                drop(child.wait());
                return Err(format!("no answer in {} s", limit.as_secs()));
            }
            None => std::thread::sleep(Duration::from_millis(100)),
        }
    }
}

/// `cargo xtask sbom`: writes a CycloneDX file for everything that is released into `target/release-artifacts`.
pub fn bill_of_materials() -> Result {
    let program = tool("cargo-cyclonedx", CARGO_CYCLONEDX)?;
    let arguments = [
        "cyclonedx",
        "--format",
        "json",
        "--spec-version",
        "1.5",
        "--describe",
        "binaries",
        "--target",
        "all",
        "-qq",
        "--manifest-path",
        "crates/postgame-cli/Cargo.toml",
    ];
    step(
        "bill of materials",
        Command::new(program).args(arguments).current_dir(root()),
    )?;
    let folder = root().join("target/release-artifacts");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for path in RELEASED {
        let from = root().join(path);
        let failed = |error| format!("{path}: {error}");
        let text = std::fs::read_to_string(&from).map_err(failed)?;
        // The folder it was built in is meaningless to others.
        let text = text.replace(&root().display().to_string(), "");
        let name = from.file_name().unwrap_or_default().to_string_lossy();
        let name = name.replace("_bin", "").replace("_cdylib", "");
        let to = folder.join(&name);
        std::fs::write(&to, text).map_err(failed)?;
        println!("{}", to.display());
    }
    for left in left_behind()? {
        std::fs::remove_file(&left).map_err(|error| format!("{}: {error}", left.display()))?;
    }
    Ok(())
}

/// The files that cargo-cyclonedx has written beside manifests; it has no option for another location.
fn left_behind() -> Result<Vec<PathBuf>> {
    let metadata = ["metadata", "--locked", "--no-deps", "--format-version", "1"];
    let output = cargo().args(metadata).output();
    let output = output.map_err(|error| format!("cargo metadata: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    // Only this key is needed, and a JSON parser would be another dependency.
    let manifests = text.split("\"manifest_path\":\"").skip(1);
    let folders = manifests.filter_map(|rest| Path::new(rest.split('"').next()?).parent());
    let mut files = Vec::new();
    for folder in folders {
        let entries = std::fs::read_dir(folder).map_err(|error| error.to_string())?;
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        files.extend(paths.filter(|path| path.to_string_lossy().ends_with(".cdx.json")));
    }
    Ok(files)
}

/// Fails unless every package in npm's lock file has a digest and no registry URL.
fn check_npm() -> Result {
    let path = "web/package-lock.json";
    let text =
        std::fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))?;
    let count = |word: &str| text.matches(word).count();
    // An entry for each package begins with its folder; dependencies are named without one.
    let packages = text
        .lines()
        .filter(|line| line.starts_with("    \"node_modules/"))
        .count();
    if packages == 0 || count("\"integrity\": \"sha512-") != packages {
        return Err(format!("{path}: not every package has a digest"));
    }
    if count("\"resolved\"") > 0 {
        return Err(format!(
            "{path}: it has addresses; run `npm install --omit-lockfile-registry-resolved`"
        ));
    }
    Ok(())
}
