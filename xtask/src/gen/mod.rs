//! `cargo xtask gen`: game knowledge from `data/` into committed tables, in Rust for the library, in TypeScript for the
//! viewer's page.

mod facts;
mod folders;
mod rocket_league;
mod rocket_league_names;
mod rumble;
mod satisfactory;
mod satisfactory_catalogue;
mod satisfactory_world;
mod shapes;
mod slippi;
mod slippi_states;
mod table;

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::tools::{Result, linted, root, step, target, write_if_changed};

/// A generated file: its path and what makes its contents.
type Generated = (&'static str, fn() -> Result<String>);

/// Every generated file. A new game adds its line here.
const FILES: &[Generated] = &[
    (
        "crates/postgame/src/rocket_league/tables.rs",
        rocket_league::tables,
    ),
    ("crates/postgame/src/rumble/tables.rs", rumble::tables),
    (
        "crates/postgame/src/satisfactory/tables.rs",
        satisfactory::tables,
    ),
    (
        "crates/postgame/src/satisfactory/world.rs",
        satisfactory_world::world,
    ),
    (
        "crates/postgame/src/satisfactory/catalogue/buildings.rs",
        satisfactory_catalogue::buildings,
    ),
    (
        "crates/postgame/src/satisfactory/catalogue/finds.rs",
        satisfactory_catalogue::finds,
    ),
    (
        "crates/postgame/src/satisfactory/catalogue/items.rs",
        satisfactory_catalogue::items,
    ),
    (
        "crates/postgame/src/satisfactory/catalogue/nodes.rs",
        satisfactory_catalogue::nodes,
    ),
    (
        "crates/postgame/src/satisfactory/catalogue/recipes.rs",
        satisfactory_catalogue::recipes,
    ),
    (
        "crates/postgame/src/satisfactory/catalogue/schematics.rs",
        satisfactory_catalogue::schematics,
    ),
    ("crates/postgame/src/slippi/tables.rs", slippi::tables),
    ("crates/postgame/src/gltf/tables.rs", shapes::tables),
    ("crates/postgame-files/src/known/table.rs", folders::table),
    ("web/src/facts/rocket_league.ts", facts::rocket_league),
    ("web/src/facts/rumble.ts", facts::rumble),
    ("web/src/facts/satisfactory.ts", facts::satisfactory),
    ("web/src/facts/slippi.ts", facts::slippi),
];

/// The page of the tables. What makes it knows Arrow, which the chores are quicker to build without.
const TABLES_PAGE: &str = "docs/tables.md";

/// Writes the files that changed.
pub fn run() -> Result {
    for (path, make) in FILES {
        write_if_changed(path, &format(path, make()?)?)?;
    }
    write_if_changed(TABLES_PAGE, &tables_page()?)?;
    Ok(())
}

/// Fails when a committed file is not what `gen` makes.
pub fn check() -> Result {
    for (path, make) in FILES {
        let current = std::fs::read(root().join(path)).unwrap_or_default();
        if current != format(path, make()?)? {
            return Err(format!("{path} is out of date: run `cargo xtask gen`"));
        }
    }
    // The page of the tables is checked by the tests of postgame-tables.
    Ok(())
}

fn tables_page() -> Result<Vec<u8>> {
    // With the features of the whole workspace: what the tests are built with is there, or will be used by them.
    step(
        "building the page's writer",
        &mut linted(&["build", "--example", "tables_page"]),
    )?;
    let output = Command::new(target().join("debug/examples/tables_page"))
        .current_dir(root())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("{TABLES_PAGE}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{TABLES_PAGE} could not be made"));
    }
    Ok(output.stdout)
}

/// Formats Rust source as `cargo fmt` would, so that generated files pass it too; other files are as they are made.
fn format(path: &str, source: String) -> Result<Vec<u8>> {
    if !path.ends_with(".rs") {
        return Ok(source.into_bytes());
    }
    let failed = |error: std::io::Error| format!("rustfmt: {error}");
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    if let Some(mut input) = rustfmt.stdin.take() {
        input.write_all(source.as_bytes()).map_err(failed)?;
    }
    let output = rustfmt.wait_with_output().map_err(failed)?;
    if !output.status.success() {
        return Err(format!("rustfmt failed ({})", output.status));
    }
    Ok(output.stdout)
}
