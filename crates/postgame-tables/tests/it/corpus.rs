//! Finding recordings, and tables of them against counts that others made.

use std::path::Path;

use arrow::array::AsArray as _;
use arrow::datatypes::UInt32Type;
use arrow::record_batch::RecordBatch;
use postgame_tables::{Source, TableOptions, find, places};
use serde_json::Value;

pub use postgame_testing::corpus::{folder, root};

/// A bundled recording.
pub fn sample(name: &str) -> Source {
    read(&root().join("samples").join(name))
}

fn read(path: &Path) -> Source {
    let bytes = std::fs::read(path).unwrap();
    Source::read(&path.display().to_string(), &bytes, postgame::Depth::Full).unwrap()
}

/// A table of a recording.
pub fn batches(table: &str, source: &Source, options: &TableOptions) -> Vec<RecordBatch> {
    let mut batches = Vec::new();
    let mut sink = |batch: RecordBatch| {
        batches.push(batch);
        Ok(())
    };
    let table = find(table).unwrap();
    table.fill(source, options, &mut sink).unwrap();
    batches
}

/// How many rows some batches have.
pub fn rows(batches: &[RecordBatch]) -> usize {
    batches.iter().map(RecordBatch::num_rows).sum()
}

/// The values of a column of names, of all rows.
fn names(batches: &[RecordBatch], column: &str) -> Vec<Option<String>> {
    let mut all = Vec::new();
    for batch in batches {
        let column = batch.column_by_name(column).unwrap();
        let column = arrow::compute::cast(column, &arrow::datatypes::DataType::Utf8).unwrap();
        all.extend(
            column
                .as_string::<i32>()
                .iter()
                .map(|name| name.map(str::to_owned)),
        );
    }
    all
}

fn only(table: &str, columns: &[&str]) -> TableOptions {
    TableOptions {
        columns: Some(places(&find(table).unwrap().schema(), columns)),
        ..TableOptions::default()
    }
}

/// The golden counts are those of an independent reader.
#[test]
fn rocket_league_updates_are_all_there() {
    let Some(corpus) = folder() else { return };
    let golden = std::fs::read(corpus.join("golden/rocket-league.json")).unwrap();
    let golden: Value = serde_json::from_slice(&golden).unwrap();
    let mut compared = 0;
    for (name, counts) in golden.as_object().unwrap() {
        // Every fourth file is enough here: the model's own tests count all of them.
        let (Some(updates), true) = (counts["updates"].as_u64(), name.len() % 4 == 0) else {
            continue;
        };
        let source = read(&corpus.join("rocket-league").join(name));
        if !source.report.is_clean() {
            continue;
        }
        let batches = batches(
            "updates",
            &source,
            &only("updates", &["action", "attribute"]),
        );
        let actions = names(&batches, "action");
        let count = |action: &str| {
            actions
                .iter()
                .filter(|one| one.as_deref() == Some(action))
                .count() as u64
        };
        assert_eq!(count("changes"), updates, "{name}");
        assert_eq!(
            count("appears"),
            counts["spawns"].as_u64().unwrap(),
            "{name}"
        );
        assert_eq!(
            count("vanishes"),
            counts["deletes"].as_u64().unwrap(),
            "{name}"
        );
        let attributes = names(&batches, "attribute");
        for (attribute, count) in counts["updates_by_attribute"]
            .as_object()
            .into_iter()
            .flatten()
        {
            let own = attributes
                .iter()
                .filter(|one| one.as_deref() == Some(attribute))
                .count();
            assert_eq!(own as u64, count.as_u64().unwrap(), "{name} {attribute}");
        }
        compared += 1;
    }
    assert!(compared > 10, "{compared} files compared");
}

/// slippi-js counts conversions and combos; frames are numbered without gaps from -123 on.
#[test]
fn slippi_tables_have_as_many_rows_as_others_count() {
    let Some(corpus) = folder() else { return };
    let golden = std::fs::read(corpus.join("golden/slippi-js-9.1.2.json")).unwrap();
    let golden: Value = serde_json::from_slice(&golden).unwrap();
    let mut compared = 0;
    for (name, facts) in golden.as_object().unwrap() {
        // Two players only: with more, slippi-js gives hits to whoever comes first (docs/statistics.md).
        let (Some(last_frame), Some(players)) =
            (facts["lastFrame"].as_i64(), facts["players"].as_array())
        else {
            continue;
        };
        let conversions = facts["stats"]["conversions"].as_u64();
        // slippi-js finds no players in the events of the first recorders.
        let is_first = facts["version"]
            .as_str()
            .is_none_or(|version| version.starts_with("0."));
        if players.len() != 2 || conversions.is_none() || is_first {
            continue;
        }
        let source = read(&corpus.join("slippi").join(name));
        if !source.report.is_clean() {
            continue;
        }
        let all = TableOptions::default();
        let count = |table: &str| rows(&batches(table, &source, &all)) as u64;
        assert_eq!(Some(count("conversions")), conversions, "{name}");
        assert_eq!(
            Some(count("combos")),
            facts["stats"]["combos"].as_u64(),
            "{name}"
        );
        let frames = batches(
            "frames",
            &source,
            &only("frames", &["frame", "port", "is_follower"]),
        );
        let leaders = frames.iter().flat_map(|batch| {
            let followers = batch.column(2).as_boolean().clone();
            let ports = batch
                .column(1)
                .as_primitive::<arrow::datatypes::UInt8Type>()
                .clone();
            (0..batch.num_rows())
                .filter(move |&row| !followers.value(row))
                .map(move |row| ports.value(row))
                .collect::<Vec<_>>()
        });
        let mut per_port = std::collections::BTreeMap::<u8, i64>::new();
        leaders.for_each(|port| *per_port.entry(port).or_default() += 1);
        assert_eq!(per_port.len(), 2, "{name}");
        // Of a recording that was cut off, slippi-js leaves the last frame out.
        let is_right = |count: &i64| (0..=1).contains(&(count - last_frame - 124));
        assert!(
            per_port.values().all(is_right),
            "{name} {per_port:?} {last_frame}"
        );
        compared += 1;
    }
    assert!(compared > 10, "{compared} files compared");
}

/// An independent walker counted actors, components, buildings without objects, and items on belts.
#[test]
fn satisfactory_tables_have_as_many_rows_as_others_count() {
    let Some(corpus) = folder() else { return };
    let golden = std::fs::read_to_string(corpus.join("golden/satisfactory.tsv")).unwrap();
    let mut lines = golden
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>());
    let headings = lines.next().unwrap();
    let (mut compared, mut on_circuits) = (0, 0);
    for line in lines {
        let cell = |name: &str| {
            line[headings
                .iter()
                .position(|heading| *heading == name)
                .unwrap()]
        };
        let number = |name: &str| cell(name).parse::<usize>().ok();
        let file = corpus
            .join("satisfactory")
            .join(cell("path").rsplit('/').next().unwrap());
        let (Some(actors), Some(components), true) =
            (number("actors"), number("components"), file.is_file())
        else {
            continue;
        };
        let source = read(&file);
        // Files of the same name from another place are under another one.
        if !source.sha256.starts_with(cell("sha256_16")) {
            continue;
        }
        let options = only("objects", &["object", "is_actor"]);
        let (mut own_actors, mut own_components, mut light) = (0, 0, 0);
        for batch in batches("objects", &source, &options) {
            let objects = batch.column(0).as_primitive::<UInt32Type>();
            for (object, is_actor) in objects.iter().zip(batch.column(1).as_boolean()) {
                match (object, is_actor) {
                    (None, _) => light += 1,
                    (_, Some(true)) => own_actors += 1,
                    _ => own_components += 1,
                }
            }
        }
        assert_eq!(
            (own_actors, own_components),
            (actors, components),
            "{file:?}"
        );
        let tombstones = number("lw_tombstones").unwrap_or(0);
        assert_eq!(Some(light + tombstones), number("lw_instances"), "{file:?}");
        let on_belts = rows(&batches("belt_items", &source, &TableOptions::default()));
        let expected = number("chain_items").unwrap_or(0) + number("belt_items").unwrap_or(0);
        assert_eq!(on_belts, expected, "{file:?}");
        on_circuits += rows(&batches("circuits", &source, &TableOptions::default()));
        compared += 1;
    }
    assert!(compared > 5, "{compared} files compared");
    assert!(on_circuits > 0, "no save has a circuit");
}
