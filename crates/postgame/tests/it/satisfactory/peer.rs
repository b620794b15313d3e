//! Class, name and place of every object against `satisfactory-save` from PyPI, on the files that it can read.

use std::path::{Path, PathBuf};
use std::process::Command;

use postgame::satisfactory;
use postgame::{ReadOptions, Report};

use crate::corpus;

/// Prints a line per object: class, name, place in centimetres to the last bit. An error is printed as one.
const PEER: &str = r#"
import os, sys, struct
import satisfactory_save
out = os.fdopen(os.dup(1), "w")
devnull = os.open(os.devnull, os.O_WRONLY)
os.dup2(devnull, 1); os.dup2(devnull, 2)
try:
    save = satisfactory_save.SaveGame(sys.argv[1])
except Exception as error:
    print(f"ERROR {error}", file=out)
    sys.exit(0)
for item in save.allSaveObjects():
    header = item.BaseHeader
    place = ""
    if item.isActor():
        at = item.Header.Transform.Translation
        place = " ".join(struct.pack("<f", value).hex() for value in (at.X, at.Y, at.Z))
    print(header.ClassName, header.Reference.PathName, place, sep="\t", file=out)
"#;

/// A throw-away environment with the peer in it; the error is why there is none.
fn environment(folder: &Path) -> Result<PathBuf, String> {
    let run = |command: &mut Command| match command.output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
        Err(error) => Err(error.to_string()),
    };
    run(Command::new("python3").args(["-m", "venv"]).arg(folder))?;
    let python = folder.join("bin/python");
    run(Command::new(&python).args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "satisfactory-save",
    ]))?;
    Ok(python)
}

fn ours(path: &Path) -> Vec<String> {
    let bytes = std::fs::read(path).unwrap();
    let save = satisfactory::read(&bytes, &ReadOptions::default(), &mut Report::default()).unwrap();
    let body = save.body.unwrap();
    let decoder = body.decoder();
    let mut lines = Vec::new();
    for level in body.all_levels() {
        let form = body.form(level);
        for entry in &level.objects {
            let header = decoder.header(form, entry).unwrap();
            let place = header.placement().map(|placement| {
                let hex = placement.position_cm.map(|value| {
                    value
                        .to_le_bytes()
                        .map(|byte| format!("{byte:02x}"))
                        .concat()
                });
                hex.join(" ")
            });
            lines.push(format!(
                "{}\t{}\t{}",
                header.class,
                header.reference.path,
                place.unwrap_or_default()
            ));
        }
    }
    lines.sort();
    lines
}

#[test]
fn every_object_is_the_one_that_satisfactory_save_finds() {
    let Some(files) = corpus::files("satisfactory", &["sav"]) else {
        return;
    };
    let folder = std::env::temp_dir().join(format!("postgame-peer-{}", std::process::id()));
    let python = match environment(&folder) {
        Ok(python) => python,
        Err(error) => {
            eprintln!(
                "NO PEER: satisfactory-save could not be installed from PyPI, nothing was compared: {error}"
            );
            return;
        }
    };
    let (mut compared, mut refused) = (0, Vec::new());
    for path in &files {
        let output = Command::new(&python)
            .args(["-c", PEER])
            .arg(path)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            output.status.success(),
            "{}: {}",
            path.display(),
            String::from_utf8_lossy(&output.stderr)
        );
        if text.starts_with("ERROR") {
            refused.push(path.file_name().unwrap().to_str().unwrap().to_owned());
            continue;
        }
        let mut theirs: Vec<String> = text.lines().map(str::to_owned).collect();
        theirs.sort();
        let ours = ours(path);
        assert_eq!(ours.len(), theirs.len(), "{}", path.display());
        if let Some((ours, theirs)) = ours
            .iter()
            .zip(&theirs)
            .find(|(ours, theirs)| ours != theirs)
        {
            panic!("{}: {ours} is {theirs}", path.display());
        }
        compared += 1;
    }
    std::fs::remove_dir_all(&folder).unwrap();
    // It reads Update 8 and later, and not the file that ends before its last list.
    assert_eq!(compared, 23, "{refused:?}");
    let expected = [
        "EmptySave10WithoutDestroyedActors.sav",
        "FreshStart002.sav",
        "example.sav",
        "new_world.sav",
        "test_save2.sav",
    ];
    assert_eq!(refused, expected);
}
