//! What the commands do with Satisfactory saves, beyond their printed words.

use std::fs;

use crate::run::{root, run};

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

#[test]
fn edits_are_previewed_checked_and_kept_apart() {
    let listed = fine(&[
        "edit",
        SAVE,
        "--select",
        "name:smelter state:starved",
        "--list",
    ]);
    assert!(listed.contains("selected  12"), "{listed}");
    let selection = ["edit", SAVE, "--select", "class:SmelterMk1"];
    let preview = fine(&[&selection[..], &["--delete", "--dry-run"]].concat());
    assert!(
        preview.contains("removed") && preview.contains("Smelter"),
        "{preview}"
    );

    let folder = tempfile::tempdir().unwrap();
    let (copy, other) = (folder.path().join("a.sav"), folder.path().join("b.sav"));
    let original = fs::read(root().join(SAVE)).unwrap();
    fs::write(&copy, &original).unwrap();
    let (copy, other) = (copy.to_str().unwrap(), other.to_str().unwrap());
    fine(&[&selection[..], &["--delete", "-o", other]].concat());
    let stats = fine(&["stats", other, "--find", "Smelter"]);
    assert!(!stats.contains("production, Smelter"), "{stats}");
    assert_eq!(
        run(&["check", other], b"").code,
        run(&["check", SAVE], b"").code
    );

    fine(&[
        "edit",
        copy,
        "--select",
        "class:SmelterMk1",
        "--delete",
        "--in-place",
    ]);
    assert_eq!(fs::read(format!("{copy}.bak")).unwrap(), original);
    assert_eq!(fs::read(copy).unwrap(), fs::read(other).unwrap());
    // A second edit must not replace the original that is kept.
    let again = run(
        &[
            "edit",
            copy,
            "--select",
            "class:Constructor",
            "--delete",
            "--in-place",
        ],
        b"",
    );
    assert_eq!(again.code, 2, "{}", again.stderr);
    assert_eq!(fs::read(copy).unwrap(), fs::read(other).unwrap());

    for wrong in ["", "Smelter", "size:1"] {
        assert_eq!(
            run(&["edit", SAVE, "--select", wrong, "--list"], b"").code,
            2
        );
    }
    let nowhere = run(&["edit", SAVE, "--select", "name:a", "--delete"], b"");
    assert!(nowhere.stderr.contains("--output"), "{}", nowhere.stderr);
}
