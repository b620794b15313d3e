//! Names for people, of everything that saves without mods have.

use std::collections::BTreeSet;

use postgame::satisfactory::census;
use postgame::satisfactory::classes::{full_name, known_name, mod_of};

use super::saves;

#[test]
fn the_games_own_classes_have_names() {
    let (mut all, mut unnamed) = (0, BTreeSet::new());
    for (name, save) in saves() {
        let census = census(&save);
        let mut classes: BTreeSet<String> = BTreeSet::new();
        classes.extend(
            census
                .buildings
                .by_class()
                .keys()
                .map(|class| class.to_string()),
        );
        classes.extend(census.items.in_all().keys().map(|class| class.to_string()));
        classes.extend(census.session.schematics.iter().cloned());
        classes.extend(census.session.recipes.iter().cloned());
        classes.retain(|class| mod_of(class).is_none());
        let without: Vec<&String> = classes
            .iter()
            .filter(|class| known_name(class).is_none())
            .collect();
        println!(
            "{name}: {} classes, without a name {without:?}",
            classes.len()
        );
        assert!(
            without.len() * 100 <= classes.len(),
            "{name}: {without:?} of {}",
            classes.len()
        );
        all += classes.len();
        unnamed.extend(without.into_iter().cloned());
    }
    println!("{} of {all} without a name: {unnamed:?}", unnamed.len());
    assert!(unnamed.len() <= 5, "{unnamed:?}");
}

#[test]
fn classes_are_called_what_the_game_calls_them() {
    for (class, name) in [
        (
            "/Game/FactoryGame/Prototype/WAT/Desc_WAT1.Desc_WAT1_C",
            "Somersloop",
        ),
        (
            "/Game/FactoryGame/Buildable/Factory/OilPump/Build_OilPump.Build_OilPump_C",
            "Oil Extractor",
        ),
        (
            "/Game/FactoryGame/Schematics/Progression/Schematic_6-1.Schematic_6-1_C",
            "Logistics Mk.4",
        ),
        (
            "/Game/FactoryGame/GamePhases/GP_Project_Assembly_Phase_2.GP_Project_Assembly_Phase_2",
            "Construction Dock",
        ),
        (
            "/SomeMod/Build_FastBelt_mk2.Build_FastBelt_mk2_C",
            "SomeMod: Fast Belt mk2",
        ),
    ] {
        assert_eq!(full_name(class), name, "{class}");
    }
}

/// Names of players that the save has with their bodies are shown instead of the names of objects.
#[test]
fn players_have_names() {
    for (name, save) in saves() {
        let players = postgame::satisfactory::summary(&save).players;
        let nameless: Vec<&str> = players
            .iter()
            .map(|player| player.name.as_str())
            .filter(|player| player.starts_with("BP_PlayerState_C_"))
            .collect();
        println!(
            "{name}: {} of {} players without a name",
            nameless.len(),
            players.len()
        );
        if name == "Dunarr-027.sav" {
            assert!(nameless.is_empty(), "{nameless:?}");
        }
    }
}
