//! The program from the outside.

use std::process::{Command, Output};

use crate::queries::root;

/// The program, in the top folder, so that `samples` means the samples.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_postgame-sql"));
    command.args(arguments).current_dir(root());
    command
}

fn run(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

pub fn text(output: &Output) -> String {
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout.clone()).unwrap()
}

const QUERY: &str = "SELECT game, count(*) AS n FROM recordings WHERE game IN ('slippi', 'rumble') GROUP BY game ORDER BY game";

#[test]
fn results_come_as_table_csv_json_and_parquet() {
    assert_eq!(
        text(&run(&[QUERY, "samples"])),
        "game    n\n──────  ─\nrumble  4\nslippi  1\n"
    );
    assert_eq!(
        text(&run(&[QUERY, "samples", "--csv"])),
        "game,n\nrumble,4\nslippi,1\n"
    );
    assert_eq!(
        text(&run(&[QUERY, "samples", "--json"])),
        "{\"game\":\"rumble\",\"n\":4}\n{\"game\":\"slippi\",\"n\":1}\n"
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.parquet");
    text(&run(&[
        QUERY,
        "samples",
        "--parquet",
        file.to_str().unwrap(),
    ]));
    assert!(std::fs::read(file).unwrap().starts_with(b"PAR1"));
}

#[test]
fn explain_shows_what_is_read() {
    let plan = text(&run(&[
        "EXPLAIN SELECT file FROM recordings WHERE game = 'slippi'",
        "samples",
    ]));
    assert!(
        plan.contains("StreamingTableExec") && plan.contains("file"),
        "{plan}"
    );
    assert!(!plan.contains("sha256"), "{plan}");
}

#[test]
fn mistakes_are_said_in_a_line() {
    for (arguments, message) in [
        (vec!["SELECT nothing FROM recordings", "samples"], "nothing"),
        (vec!["SELECT (1", "samples"], "Expected"),
        (vec!["SELECT * FROM recordings"], "name recordings"),
        (
            vec!["SELECT * FROM recordings", "--dataset", "samples"],
            "no data set",
        ),
        (
            vec!["CREATE TABLE a AS SELECT 1", "samples"],
            "not supported",
        ),
    ] {
        let output = run(&arguments);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(message), "{said}");
    }
    // A recording that cannot be read does not keep the others from being asked.
    let output = run(&[
        "SELECT count(*) AS n FROM recordings",
        "samples",
        "README.md",
        "--csv",
    ]);
    assert_eq!(output.status.code(), Some(1));
    let samples = std::fs::read_dir(root().join("samples")).unwrap().count();
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        format!("n\n{samples}\n")
    );
}

#[test]
fn conditions_keep_recordings_from_being_decoded() {
    // The file that cannot be read is not looked at when its name is not asked for.
    let query = "SELECT map FROM recordings WHERE file = 'samples/duel.slp'";
    let output = run(&[query, "samples", "README.md"]);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
