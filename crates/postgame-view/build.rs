//! Builds the page in, if it has been made: `cargo xtask web` puts it into `web/dist`.
//!
//! A plain `cargo build` must not need Node, so a missing page is an empty list, and the command says how to make it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

#[allow(clippy::print_stdout)] // That is how a build script speaks to cargo.
fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let dist = here.join("../../web/dist");
    // The folder is in the repository, empty, so that this line always names something.
    println!("cargo:rerun-if-changed={}", dist.display());
    let mut files = Vec::new();
    if dist.is_dir() {
        find(&dist, "", &mut files)?;
    }
    files.sort();
    let mut code = String::from("&[\n");
    for (name, path) in files {
        let path = fs::canonicalize(path)?;
        writeln!(code, "    ({name:?}, include_bytes!({path:?})),").map_err(io::Error::other)?;
    }
    code.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("page.rs"), code)
}

fn find(folder: &Path, prefix: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        if name.starts_with('.') {
            continue;
        }
        let name = format!("{prefix}/{name}");
        if entry.file_type()?.is_dir() {
            find(&entry.path(), &name, files)?;
        } else {
            files.push((name, entry.path()));
        }
    }
    Ok(())
}
