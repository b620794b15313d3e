//! The archive of the command for this system: programs, manual pages, completions, licences.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::checksums;
use crate::tools::{Result, cargo, root, step, target};

/// The system whose archive is made here.
const TARGET: &str = "x86_64-unknown-linux-gnu";
/// The oldest C library that the Linux programs run on.
const GLIBC: &str = "2.17";

/// Archives that are made elsewhere: the target, and what it needs.
pub const NOT_HERE: &[(&str, &str)] = &[
    (
        "aarch64-unknown-linux-gnu.tar.gz",
        "the target's standard library (the release workflow installs it)",
    ),
    (
        "x86_64-pc-windows-msvc.zip",
        "Windows (the release workflow)",
    ),
    ("x86_64-apple-darwin.tar.gz", "macOS (the release workflow)"),
    (
        "aarch64-apple-darwin.tar.gz",
        "macOS (the release workflow)",
    ),
];

/// Files of the repository that go into every archive.
const DOCUMENTS: &[&str] = &["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];
const SHELLS: &[(&str, &str)] = &[
    ("bash", "postgame.bash"),
    ("zsh", "_postgame"),
    ("fish", "postgame.fish"),
    ("powershell", "_postgame.ps1"),
    ("elvish", "postgame.elv"),
];

/// The programs that were built.
pub struct Built {
    programs: Vec<PathBuf>,
    with_sql: bool,
}

/// Builds the command, and the SQL program if that is wanted.
pub fn build(with_sql: bool) -> Result<Built> {
    let folder = target().join("release-build");
    let programs = build_into(&folder, with_sql)?;
    Ok(Built { programs, with_sql })
}

/// Builds everything again in another folder, and fails if a program differs.
pub fn compare_with_second_build(built: &Built) -> Result {
    let again = build_into(&target().join("release-build-again"), built.with_sql)?;
    for (first, second) in built.programs.iter().zip(&again) {
        let (one, two) = (checksums::of_file(first)?, checksums::of_file(second)?);
        if one != two {
            return Err(format!(
                "two builds of {} differ: {one}, {two}",
                first.display()
            ));
        }
        eprintln!("── two builds of {} are the same", first.display());
    }
    Ok(())
}

fn build_into(folder: &Path, with_sql: bool) -> Result<Vec<PathBuf>> {
    let zig = zig();
    let mut command = cargo();
    command.arg(if zig { "zigbuild" } else { "build" });
    command.args(["--locked", "--release", "--package=postgame-cli"]);
    if with_sql {
        command.arg("--package=postgame-sql");
    }
    let named = match zig {
        true => format!("{TARGET}.{GLIBC}"),
        false => TARGET.to_owned(),
    };
    command.args(["--target", &named]);
    command.env("CARGO_TARGET_DIR", folder);
    command.env("CARGO_INCREMENTAL", "0");
    // Nothing of the machine that built it is in the program: panics name files relative to the repository.
    let home = std::env::var("CARGO_HOME")
        .or_else(|_| std::env::var("HOME").map(|home| format!("{home}/.cargo")));
    let remap = format!(
        "--remap-path-prefix={}=. --remap-path-prefix={}=cargo -Cstrip=symbols",
        root().display(),
        home.unwrap_or_default()
    );
    command.env("RUSTFLAGS", remap);
    let name = match zig {
        true => format!("building for {TARGET}, glibc {GLIBC}"),
        false => format!(
            "building for {TARGET} with this machine's glibc (cargo-zigbuild is not installed)"
        ),
    };
    step(&name, &mut command)?;
    let folder = folder.join(TARGET).join("release");
    let mut programs = vec![folder.join("postgame")];
    if with_sql {
        programs.push(folder.join("postgame-sql"));
    }
    Ok(programs)
}

/// True if cargo-zigbuild and zig are installed: they link against an old C library.
fn zig() -> bool {
    let output = cargo().args(["zigbuild", "--version"]).output();
    output.is_ok_and(|output| output.status.success())
}

/// Packs the programs with their documents; returns the archive's path.
pub fn pack(version: &str, built: &Built, artifacts: &Path) -> Result<PathBuf> {
    let name = format!("postgame-{version}-{TARGET}");
    let stage = target().join("release-stage");
    drop(std::fs::remove_dir_all(&stage));
    let folder = stage.join(&name);
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    for inner in ["man", "completions"] {
        std::fs::create_dir_all(folder.join(inner)).map_err(failed)?;
    }
    let copy = |from: &Path| {
        let to = folder.join(from.file_name().unwrap_or_default());
        std::fs::copy(from, to).map_err(|error| format!("{}: {error}", from.display()))
    };
    for program in &built.programs {
        copy(program)?;
    }
    for document in DOCUMENTS {
        copy(&root().join(document))?;
    }
    let postgame = folder.join("postgame");
    let mut man = Command::new(&postgame);
    step(
        "manual pages",
        man.args(["man", "--output"]).arg(folder.join("man")),
    )?;
    for (shell, file) in SHELLS {
        let output = Command::new(&postgame)
            .args(["completions", shell])
            .output();
        let output = output.map_err(|error| format!("completions: {error}"))?;
        std::fs::write(folder.join("completions").join(file), output.stdout).map_err(failed)?;
    }
    let archive = artifacts.join(format!("{name}.tar.gz"));
    // The same files give the same archive: order, times, owners and the compressor's header are fixed.
    let mut tar = Command::new("tar");
    tar.args([
        "--sort=name",
        "--mtime=@0",
        "--owner=0",
        "--group=0",
        "--numeric-owner",
    ])
    .args(["--use-compress-program=gzip -9 -n", "-cf"])
    .arg(&archive)
    .arg("-C")
    .arg(&stage)
    .arg(&name);
    step("packing the archive", &mut tar)?;
    Ok(archive)
}
