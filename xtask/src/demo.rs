//! `cargo xtask demo`: the main job on the bundled samples.

use std::process::Command;

use crate::tools::{Result, cargo, root, step, target};
use crate::web;

// Without `--quiet`: cargo says what it is building, which takes minutes the first time.
const PACKAGE: [&str; 3] = ["--locked", "--package", "postgame-cli"];

/// Builds the page and the command, shows what it does with the samples, and opens the viewer on them.
pub fn run(opens_viewer: bool) -> Result {
    if opens_viewer {
        web::build()?;
    }
    step(
        "building postgame (minutes the first time, seconds after that)",
        cargo().arg("build").args(PACKAGE),
    )?;
    show_samples()?;
    if !opens_viewer {
        return Ok(());
    }
    println!("\nThe viewer is at the address below, until you press Ctrl-C.");
    show(&["view", "samples"])
}

/// The same up to the viewer, with the page and the command that the other tests have built: the command alone has fewer
/// features in its dependencies, so that building it would build Arrow once more, for gigabytes. It is checked only.
pub fn test() -> Result {
    step("the command by itself", cargo().arg("check").args(PACKAGE))?;
    show_samples()
}

fn show_samples() -> Result {
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
    Ok(())
}

fn show(arguments: &[&str]) -> Result {
    println!("\n$ postgame {}", arguments.join(" "));
    let status = Command::new(target().join("debug/postgame"))
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
