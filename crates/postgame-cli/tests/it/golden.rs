//! What the command prints, word for word.
//!
//! The expected output of every sample lies in `tests/golden`, and its extension names the command: `bout.replay.info`
//! is what `postgame info samples/bout.replay` prints. `POSTGAME_BLESS=1 cargo test -p postgame-cli` rewrites them all;
//! look at the difference before you commit it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::run::{root, run};

/// The commands by the extension that names them; `FILE` stands for the sample.
const COMMANDS: &[(&str, &[&str])] = &[
    ("info", &["info", "FILE"]),
    ("info-long", &["info", "--long", "FILE"]),
    ("info-json", &["info", "--json", "FILE"]),
    ("check", &["check", "FILE"]),
    ("events", &["events", "FILE"]),
    ("stats", &["stats", "FILE"]),
    ("probe", &["probe", "FILE"]),
];

/// The subcommands whose help is kept.
const HELP: &[&str] = &[
    "postgame",
    "info",
    "check",
    "events",
    "stats",
    "probe",
    "compare",
    "flow",
    "nearest",
    "plan",
    "json",
    "build",
    "repair",
    "tail",
    "export",
    "ingest",
    "sql",
    "view",
    "completions",
    "man",
];

fn expected() -> BTreeMap<String, Vec<String>> {
    let owned = |arguments: &[&str], file: &str| {
        arguments
            .iter()
            .map(|argument| argument.replace("FILE", file))
            .collect()
    };
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(root().join("samples")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        for (extension, arguments) in COMMANDS {
            all.insert(
                format!("{name}.{extension}"),
                owned(arguments, &format!("samples/{name}")),
            );
        }
    }
    for subcommand in HELP {
        let arguments: &[&str] = if *subcommand == "postgame" {
            &["--help"]
        } else {
            &[subcommand, "--help"]
        };
        all.insert(format!("{subcommand}.help"), owned(arguments, ""));
    }
    all
}

#[test]
fn the_output_is_as_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let bless = std::env::var_os("POSTGAME_BLESS").is_some();
    let expected = expected();
    assert!(expected.len() >= 2 * COMMANDS.len() + HELP.len());
    let mut wrong = Vec::new();
    for (name, arguments) in &expected {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let run = run(&arguments, b"");
        let mut text = format!("$ postgame {}\n{}", arguments.join(" "), run.text());
        if !run.stderr.is_empty() {
            text.push_str(&format!("[standard error]\n{}", run.stderr));
        }
        text.push_str(&format!("[exit {}]\n", run.code));
        let path = folder.join(name);
        if bless {
            fs::write(&path, &text).unwrap();
        } else if fs::read_to_string(&path).unwrap_or_default() != text {
            wrong.push(format!("{name} is now:\n{text}"));
        }
    }
    for entry in fs::read_dir(&folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if !expected.contains_key(&name) {
            wrong.push(format!("{name} belongs to no command or sample any more"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
