//! The bundled save, whose contents follow from what makes it: `xtask/src/samples/satisfactory`.
//!
//! Six rows of twelve machines, every other row smelters, eight of twelve producing at 4 MW, the others waiting at 0.1;
//! eleven belts a row with four ingots each; a pole for four machines and a line for each machine and pole; a floor of
//! 26 by 26 foundations of which one is gone.

use postgame::satisfactory::census::machines::State;
use postgame::satisfactory::census::{Census, Place};
use postgame::satisfactory::{census, stats};
use postgame::stats::Number;

use super::sample;

fn named(table: std::collections::BTreeMap<&str, i64>) -> Vec<(String, i64)> {
    let rows = table.into_iter();
    rows.map(|(path, count)| (path.rsplit('.').next().unwrap().to_owned(), count))
        .collect()
}

fn own(rows: &[(&str, i64)]) -> Vec<(String, i64)> {
    rows.iter()
        .map(|(name, count)| ((*name).to_owned(), *count))
        .collect()
}

#[test]
fn buildings_are_counted_by_category() {
    let Census {
        buildings,
        lightweight,
        ..
    } = census(&sample());
    let categories: Vec<(&str, usize)> = buildings
        .by_category
        .iter()
        .map(|(category, classes)| (*category, classes.values().sum()))
        .collect();
    let expected = [
        ("conveyors", 66),
        ("foundations", 675),
        ("generators", 1),
        ("power grid", 18 + 18 + 72),
        ("production", 72),
        ("storage", 6),
    ];
    assert_eq!(categories, expected);
    assert_eq!((buildings.total, lightweight), (928, 675));
}

#[test]
fn items_are_where_they_were_put() {
    let items = census(&sample()).items;
    let places = Place::ALL.map(|place| named(items.in_place(place)));
    // Machine n holds 10 + n plates: 72 × 10 + 71 × 72 / 2. Container n holds 50 n ingots.
    let expected = [
        own(&[("Desc_IronIngot_C", 750), ("Desc_IronPlate_C", 600)]),
        own(&[("Desc_IronPlate_C", 3276)]),
        own(&[("Desc_IronIngot_C", 264)]),
        own(&[]),
        own(&[]),
        own(&[("Desc_IronPlate_C", 42)]),
        own(&[("Desc_GenericBiomass_C", 77)]),
        own(&[]),
        own(&[]),
    ];
    assert_eq!(places, expected);
    let all = own(&[
        ("Desc_GenericBiomass_C", 77),
        ("Desc_IronIngot_C", 1014),
        ("Desc_IronPlate_C", 3918),
    ]);
    assert_eq!(named(items.in_all()), all);
}

#[test]
fn machines_and_power_are_as_recorded() {
    let census = census(&sample());
    let states = &census.machines.all.states;
    // The generator says nothing of producing, so it waits too.
    assert_eq!(states[&State::Producing], 48);
    assert_eq!(states[&State::Idle], 24 + 1);
    assert_eq!(census.machines.all.count, 73);
    let recipes: Vec<usize> = census
        .machines
        .by_recipe
        .values()
        .map(|group| group.count)
        .collect();
    assert_eq!(recipes, [36, 36]);
    let [circuit] = &census.circuits[..] else {
        panic!("{:?}", census.circuits)
    };
    assert_eq!((circuit.id, circuit.members), (1, 72 + 1 + 18));
    assert_eq!(circuit.production_mw, 30.0);
    assert!((circuit.consumption_mw - (48.0 * 4.0 + 24.0 * 0.1)).abs() < 1e-4);
}

#[test]
fn belts_are_as_long_as_their_curves() {
    let lengths = census(&sample()).lengths;
    // Sixteen metres apart, and bent by up to two: the first of each row is straight, none is longer by a tenth.
    assert!(lengths.belts_m > 66.0 * 16.0, "{lengths:?}");
    assert!(lengths.belts_m < 66.0 * 16.0 * 1.1, "{lengths:?}");
    assert_eq!((lengths.pipes_m, lengths.rails_m), (0.0, 0.0));
}

#[test]
fn statistics_have_all_subjects() {
    let stats = stats(&sample());
    let groups: Vec<&str> = stats.recording.iter().map(|group| group.name).collect();
    for name in [
        "session",
        "buildings",
        "building_classes",
        "lengths",
        "machines",
        "machine_classes",
        "recipes",
        "items",
        "items_in_storage",
        "power",
        "circuits",
        "transport",
        "collectibles",
    ] {
        assert!(groups.contains(&name), "{name} of {groups:?}");
    }
    let get = |group: &str, name: &str| {
        let group = stats.recording.iter().find(|known| known.name == group);
        group.and_then(|group| group.get(name)).cloned()
    };
    assert_eq!(get("session", "schematics"), Some(Number::Count(3)));
    assert_eq!(
        get("session", "schematics, milestone"),
        Some(Number::Count(2))
    );
    assert_eq!(get("transport", "Tractor"), Some(Number::Count(1)));
    assert_eq!(
        get("collectibles", "drop pods, left"),
        Some(Number::Count(118))
    );
    let [ada] = &stats.players[..] else {
        panic!("{:?}", stats.players)
    };
    assert_eq!(ada.name, "Ada");
    assert_eq!(ada.get("inventory", "Iron Plate"), Some(&Number::Count(42)));
}
