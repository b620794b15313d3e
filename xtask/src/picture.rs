//! `cargo xtask picture`: renders a moment of a recording with Blender, through the exported glTF file.
//!
//! Not part of the tests: Blender's Python package has some hundred megabytes, and a picture must be looked at.

use std::path::{Path, PathBuf};

use crate::python;
use crate::tools::{Result, cargo, root, step};

/// What to render.
#[derive(clap::Args)]
pub struct Options {
    /// The recording
    #[arg(default_value = "samples/bout-2026.replay")]
    recording: PathBuf,
    /// The moment, in seconds
    #[arg(long, default_value_t = 2.4, value_name = "SECONDS")]
    at: f64,
    /// Where to write the picture
    #[arg(long, short, default_value = "out/picture.png")]
    output: PathBuf,
}

/// Exports the recording and renders it.
pub fn run(options: &Options) -> Result {
    let glb = root().join("out/picture.glb");
    let output = root().join(&options.output);
    for file in [&glb, &output] {
        let folder = file.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let export = [
        "run",
        "--locked",
        "--package",
        "postgame-cli",
        "--",
        "export",
    ];
    let mut export_glb = cargo();
    export_glb
        .args(export)
        .arg(&options.recording)
        .args(["--to", "glb", "-o"])
        .arg(&glb);
    step("exporting the recording", &mut export_glb)?;
    python::render(&glb, &output, options.at)?;
    println!("{}", output.display());
    Ok(())
}
