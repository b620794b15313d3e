//! What the commands do with Satisfactory saves, beyond their printed words.

use std::fs;

use crate::run::run;

const SAVE: &str = "samples/factory.sav";

fn fine(arguments: &[&str]) -> String {
    let run = run(arguments, b"");
    assert_eq!(run.code, 0, "{arguments:?}: {}", run.stderr);
    run.text()
}

#[test]
fn texts_find_what_has_them_in_its_name() {
    let found = fine(&["stats", SAVE, "--find", "IRON plate"]);
    assert!(found.contains("Iron Plate, made_per_min"), "{found}");
    assert!(
        !found.contains("Iron Ore") && !found.contains("play_time_s"),
        "{found}"
    );
    let either = fine(&["stats", SAVE, "--find", "iron ore", "--find", "play_time"]);
    assert!(
        either.contains("Iron Ore") && either.contains("play_time_s"),
        "{either}"
    );
    let events = fine(&["events", SAVE, "--find", "logistics"]);
    let all = fine(&["events", SAVE]);
    assert!(events.lines().count() < all.lines().count(), "{events}");
}

/// The game's own file as it is installed, in UTF-16, in another language.
#[test]
fn game_data_names_things() {
    let docs = r#"[{"NativeClass": "FGItemDescriptor", "Classes": [{"ClassName": "Desc_IronPlate_C",
        "mDisplayName": "Eisenplatte", "mStackSize": "SS_BIG", "mForm": "RF_SOLID", "mResourceSinkPoints": "60"}]}]"#;
    let mut bytes = vec![0xff, 0xfe];
    bytes.extend(docs.encode_utf16().flat_map(u16::to_le_bytes));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("de-DE.json");
    fs::write(&path, &bytes).unwrap();
    let path = path.to_str().unwrap();
    let plain = fine(&["stats", SAVE, "--find", "sink_points"]);
    assert!(plain.contains("2880.00"), "{plain}");
    let named = fine(&["stats", SAVE, "--game-data", path]);
    assert!(named.contains("Eisenplatte, made_per_min"), "{named}");
    // What the file does not have stays as built in.
    assert!(named.contains("Iron Ore, used_per_min"), "{named}");
    // Ten times the points.
    assert!(named.contains("28800.00"), "{named}");
    let flow = fine(&["flow", SAVE, "eisenplatte", "--game-data", path]);
    assert!(flow.starts_with("Eisenplatte:"), "{flow}");
    let broken = run(&["stats", SAVE, "--game-data", SAVE], b"");
    assert_eq!(broken.code, 2);
}

#[test]
fn several_saves_are_shown_side_by_side() {
    let table = fine(&["compare", SAVE, SAVE, SAVE]);
    assert!(table.contains("save 3"), "{table}");
    let row = table
        .lines()
        .find(|line| line.contains("Iron Plate"))
        .unwrap();
    assert_eq!(row.matches("480").count(), 3, "{row}");
    let lines = fine(&["compare", SAVE, SAVE, SAVE, "--json"]);
    assert_eq!(lines.lines().count(), 3);
    let figures: serde_json::Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!(figures["figures"]["made_per_min"]["Iron Plate"], 480.0);
    assert_eq!(figures["figures"]["play_time_s"], 7265.0);
}
