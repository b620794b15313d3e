//! Counts of real saves, against the notes, the golden table, and what the saves say of themselves.

use std::collections::BTreeMap;

use postgame::satisfactory::census::Place;
use postgame::satisfactory::census::curve;
use postgame::satisfactory::model::Tail;
use postgame::satisfactory::{Save, census};

use super::{read, real};
use crate::corpus;

/// Items in stacks, and those of them whose class the file does not say.
fn stacked(save: &Save) -> (i64, i64) {
    let items = census(save).items;
    let held = |wanted: &dyn Fn(Place) -> bool| -> i64 {
        let some = items.inventories.iter().filter(|some| wanted(some.place));
        let counts = some.flat_map(|some| &some.counts);
        counts.map(|(_, count)| count).sum()
    };
    // What lies about is in stacks of its own.
    let is_loose = |place| matches!(place, Place::Ground | Place::Nature);
    let loose = [Place::Ground, Place::Nature].map(|place| items.in_place(place));
    let loose: i64 = loose.iter().flat_map(|table| table.values()).sum();
    let told = held(&|_| true) + loose - held(&is_loose);
    (told, items.untold.values().sum())
}

#[test]
fn item_totals_are_those_of_the_notes() {
    // Notes, section 6: the sum of all stacks as an independent reader counts them. That reader takes a stack without a
    // class for more of the last item, if there was one, and counts the presents of the calendar, a hundred at most.
    for (name, total) in [
        ("Release-032.sav", 623_046),
        ("Ported-11-to-12-Exp.sav", 14_347),
        ("Dunarr-027.sav", 4_333_561),
        ("The-Spice-of-Life---Manual-Save.sav", 3_433_272),
        ("example.sav", 4_353_286),
    ] {
        let Some(save) = real(name) else { return };
        let (told, untold) = stacked(&save);
        println!("{name}: {told} and {untold} of {total}");
        assert!(told <= total, "{name}: {told}, not {total}");
        assert!(
            total <= told + untold + 100,
            "{name}: {told} + {untold}, not {total}"
        );
    }
}

#[test]
fn lightweight_buildings_and_belt_items_are_those_of_the_golden_table() {
    let Some(folder) = corpus::folder() else {
        return;
    };
    let table = std::fs::read_to_string(folder.join("golden/satisfactory.tsv")).unwrap();
    let mut lines = table.lines();
    let columns: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let mut checked = 0;
    for line in lines {
        let row: BTreeMap<&str, &str> = columns.iter().copied().zip(line.split('\t')).collect();
        let name = row["path"].rsplit('/').next().unwrap().replace(' ', "-");
        let path = folder.join("satisfactory").join(&name);
        if !path.exists() {
            continue;
        }
        let number = |column: &str| row[column].parse::<i64>().unwrap_or(0);
        let census = census(&read(&path));
        assert_eq!(
            census.lightweight as i64,
            number("lw_instances") - number("lw_tombstones"),
            "{name}"
        );
        let objects = census.session.objects as i64;
        assert_eq!(objects, number("actors") + number("components"), "{name}");
        // What is on belts: the items of belts and chains, and of the splitters and mergers between them.
        let buffered: i64 = census
            .items
            .inventories
            .iter()
            .filter(|some| some.place == Place::Belts)
            .flat_map(|some| &some.counts)
            .map(|(_, count)| count)
            .sum();
        let on_belts: i64 = census.items.in_place(Place::Belts).values().sum();
        assert_eq!(
            on_belts - buffered,
            number("chain_items") + number("belt_items"),
            "{name}"
        );
        checked += 1;
    }
    assert!(checked >= 28, "{checked}");
}

/// The game has the length of each belt in its chain: ours must be that within half a centimetre. Belts into walls are
/// longer there, by two metres mostly; they are few.
#[test]
fn belts_are_as_long_as_the_game_says() {
    for name in ["Release-032.sav", "Dunarr-027.sav"] {
        let Some(save) = real(name) else { return };
        let body = save.body.as_ref().unwrap();
        let (mut ours, mut theirs) = (BTreeMap::new(), Vec::new());
        body.visit(|_, object, _| {
            if let Some(properties) = object.properties() {
                let knots = curve::knots(properties);
                if !knots.is_empty() {
                    let path = object.header.reference.path.to_string();
                    ours.insert(path, curve::length(&knots));
                }
            }
            if let Some(tail @ Tail::Chain(_)) = object.tail() {
                theirs.extend(curve::chain_lengths(tail));
            }
            Ok(())
        })
        .unwrap();
        let (mut compared, mut longer) = (0, 0);
        for (belt, length_cm) in &theirs {
            let Some(own_cm) = ours.get(belt) else {
                continue;
            };
            compared += 1;
            let apart_cm = length_cm - own_cm;
            let is_longer = apart_cm > 0.5;
            longer += usize::from(is_longer);
            assert!(
                apart_cm > -0.5 && apart_cm < 201.0,
                "{belt}: {own_cm}, not {length_cm}"
            );
        }
        assert!(
            compared > 150 && longer * 100 <= compared * 2,
            "{name}: {longer} of {compared}"
        );
    }
}

/// The game itself keeps how many wrecks were looted, by their ids; we find them by names and flags.
#[test]
fn looted_wrecks_are_as_many_as_the_game_says() {
    for (name, looted) in [
        ("Dunarr-019.sav", 7),
        ("Dunarr-027.sav", 7),
        ("Fresh-1.1-Dismantled.sav", 1),
        ("The-Spice-of-Life---Manual-Save.sav", 54),
    ] {
        let Some(save) = real(name) else { return };
        let collectibles = census(&save).collectibles;
        let pods = collectibles.iter().find(|kind| kind.name == "drop pods");
        let pods = pods.unwrap();
        assert_eq!(
            (pods.found, pods.left),
            (looted, Some(118 - looted)),
            "{name}"
        );
    }
}

/// Slugs and artifacts gone from the world, counted by hand in the lists of destroyed objects.
#[test]
fn slugs_and_artifacts_add_up() {
    for (name, slugs, artifacts, spheres) in [
        ("Dunarr-027.sav", 63, 19, 17),
        ("Release-032.sav", 10, 4, 3),
        ("The-Spice-of-Life---Manual-Save.sav", 152, 177, 141),
        ("example.sav", 110, 0, 0),
    ] {
        let Some(save) = real(name) else { return };
        let found: BTreeMap<&str, usize> = census(&save)
            .collectibles
            .iter()
            .map(|kind| (kind.name, kind.found))
            .collect();
        let sum = |word: &str| -> usize {
            let some = found.iter().filter(|(name, _)| name.contains(word));
            some.map(|(_, count)| count).sum()
        };
        assert_eq!(sum("slugs"), slugs, "{name}: {found:?}");
        assert_eq!(found["mercer spheres"], spheres, "{name}: {found:?}");
        assert_eq!(
            found["somersloops"],
            artifacts - spheres,
            "{name}: {found:?}"
        );
    }
}

/// A save of Update 4 has the whole world: found and left add up to what a new one has, which is in the corpus too.
#[test]
fn an_old_world_is_whole() {
    let (Some(played), Some(new)) = (real("example.sav"), real("new_world.sav")) else {
        return;
    };
    for (played, new) in census(&played)
        .collectibles
        .iter()
        .zip(&census(&new).collectibles)
    {
        assert_eq!(new.found, 0, "{new:?}");
        let all = played.left.map(|left| left + played.found);
        assert_eq!((played.name, all), (new.name, new.left));
    }
}

#[test]
fn machines_draw_what_their_circuit_records() {
    let Some(save) = real("Release-032.sav") else {
        return;
    };
    let census = census(&save);
    // Two circuits, of 240 and 6 connections; some buildings have two.
    let ids: Vec<i64> = census.circuits.iter().map(|circuit| circuit.id).collect();
    assert_eq!(ids, [0, 23]);
    let members: usize = census.circuits.iter().map(|circuit| circuit.members).sum();
    assert!((200..=246).contains(&members), "{members}");
    assert!(census.circuits[0].production_mw > 0.0);
}

#[test]
fn mods_have_their_share() {
    let Some(save) = real("Dunarr-027.sav") else {
        return;
    };
    let census = census(&save);
    // 87 + 3 + 2 + 2 containers with screens, all of them buildings with an object.
    let containers = census.mods["ContainerWithScreen"];
    assert_eq!(containers.buildings, 94);
    let of_mods: usize = census.mods.values().map(|share| share.buildings).sum();
    assert!(of_mods < census.buildings.total);
    // Trees of a mod are buildings, although their class does not say so.
    let decoration = census.mods["Decoration"];
    assert_eq!(decoration.buildings, 1 + 6 + 2 + 9 + 14 + 2);
}

#[test]
fn the_same_whatever_is_decoded() {
    let Some(packed) = real("Release-032.sav") else {
        return;
    };
    let mut decoded = packed.clone();
    decoded.body.as_mut().unwrap().decode_all().unwrap();
    assert_eq!(
        postgame::satisfactory::stats(&packed),
        postgame::satisfactory::stats(&decoded)
    );
}
