//! `cargo xtask demo`: the main job on the bundled samples.

use std::process::Command;

use crate::tools::{Result, cargo, root, step};
use crate::web;

/// Builds the page and the command, shows what it does with the samples, and opens the viewer on them.
pub fn run(opens_viewer: bool) -> Result {
    if opens_viewer {
        web::build()?;
    }
    step(
        "building postgame",
        cargo().args(["build", "--locked", "--quiet", "--package", "postgame-cli"]),
    )?;
    let out = root().join("out/demo");
    std::fs::create_dir_all(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    let json = out.join("bout.json");
    let copy = out.join("bout.replay");
    show(&["info", "samples"])?;
    show(&["check", "samples"])?;
    show(&["tail", "samples/duel.slp"])?;
    show(&[
        "json",
        "samples/bout.replay",
        "--pretty",
        "-o",
        &json.display().to_string(),
    ])?;
    show(&[
        "build",
        &json.display().to_string(),
        "-o",
        &copy.display().to_string(),
    ])?;
    let read = |path| std::fs::read(path).map_err(|error| error.to_string());
    if read(copy)? != read(root().join("samples/bout.replay"))? {
        return Err("the replay came back from JSON as another file".to_owned());
    }
    println!(
        "\nThe replay came back from JSON byte for byte. The JSON is in {}.",
        json.display()
    );
    if opens_viewer {
        println!("\nThe viewer is at the address below, until you press Ctrl-C.");
        return show(&["view", "samples"]);
    }
    Ok(())
}

fn show(arguments: &[&str]) -> Result {
    println!("\n$ postgame {}", arguments.join(" "));
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), Into::into);
    let status = Command::new(target.join("debug/postgame"))
        .args(arguments)
        .current_dir(root())
        .status();
    let status = status.map_err(|error| format!("postgame: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!(
            "postgame {} failed ({status})",
            arguments.join(" ")
        ))
    }
}
