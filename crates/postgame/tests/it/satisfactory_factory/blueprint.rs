//! What blueprints cost by their parts, against their headers.

use std::collections::BTreeMap;

use postgame::satisfactory::{self, blueprint};
use postgame::{ReadOptions, Report};

use super::has_known_saves;
use crate::corpus;

/// Items with their amounts by the rules and by the header.
type Differences = &'static [(&'static str, (i64, i64))];

/// Blueprints whose header says something else than the rules, and the rule that is not known.
const EXCEPTIONS: &[(&str, Differences, &str)] = &[
    (
        "BlueprintWithHeaderV1.sbp",
        &[("Desc_IronPlate_C", (574, 572))],
        "which foundation had no material of 2 iron plates in the version that wrote it",
    ),
    (
        "Modular-Frame-Tower.sbp",
        &[("Desc_SteelPlate_C", (99, 101))],
        "which belt, lift or pipe the game counted one unit longer",
    ),
    (
        "mod-circuitry.sbp",
        &[("Desc_IronPlate_C", (0, 5))],
        "the recipes of the mod's five buildings, which the file does not have",
    ),
];

#[test]
fn parts_cost_what_the_header_says() {
    let Some(files) = corpus::files("satisfactory", &["sbp"]) else {
        return;
    };
    let mut exact = 0;
    for path in &files {
        let bytes = std::fs::read(path).unwrap();
        let read =
            satisfactory::read_blueprint(&bytes, &ReadOptions::default(), &mut Report::default());
        let bill = blueprint::bill(&read.unwrap());
        let differences = bill.differences();
        let name = path.file_name().unwrap().to_string_lossy();
        let exception = EXCEPTIONS.iter().find(|(file, _, _)| *file == name);
        let expected = exception.map_or(&[][..], |(_, items, _)| items);
        println!("{name}: {differences:?}, unknown {:?}", bill.unknown);
        // Prices of other versions and of mods may differ in another corpus.
        if has_known_saves() {
            let expected: BTreeMap<&str, (i64, i64)> = expected.iter().copied().collect();
            assert_eq!(differences, expected, "{name}");
        }
        exact += usize::from(differences.is_empty());
    }
    println!("{exact} of {} files", files.len());
    assert!(!has_known_saves() || exact + EXCEPTIONS.len() == files.len());
}
