//! Nodes and collectibles: all of them, each once.

use std::collections::BTreeMap;

use postgame::satisfactory::catalogue::{FindKind, NodeKind};
use postgame::satisfactory::census;
use postgame::satisfactory::collectibles::{collectibles, nearest};
use postgame::satisfactory::nodes::nodes;

use super::{is_of_1_0, real, saves};

#[test]
fn every_world_has_all_its_nodes() {
    for (name, save) in saves() {
        if !is_of_1_0(&save) {
            continue;
        }
        let nodes = nodes(&save);
        let mut counts: BTreeMap<NodeKind, usize> = BTreeMap::new();
        for site in nodes.sites() {
            if site.kind == NodeKind::Deposit {
                continue;
            }
            *counts.entry(site.kind).or_default() += 1;
            assert!(site.is_in_file, "{name}: {} is not in the file", site.name);
            assert!(site.resource.is_some(), "{name}: {}", site.name);
            let has_purity = site.purity.is_some();
            assert_eq!(
                has_purity,
                site.kind != NodeKind::Core,
                "{name}: {}",
                site.name
            );
        }
        let expected = [
            (NodeKind::Node, 459),
            (NodeKind::Core, 17),
            (NodeKind::Satellite, 118),
            (NodeKind::Geyser, 31),
        ];
        assert_eq!(counts, expected.into(), "{name}");
    }
}

/// A world that 1.2 randomised says so, and its purities are those of the save.
#[test]
fn randomised_worlds_have_their_own_purities() {
    let Some(save) = real("Another-1-2.sav") else {
        return;
    };
    let nodes = nodes(&save);
    assert_eq!(nodes.randomization.mode.as_deref(), Some("Strict"));
    assert_eq!(nodes.randomization.purity.as_deref(), Some("Increase"));
    assert!(nodes.sites().iter().filter(|site| site.is_changed).count() > 300);
    // Increased: nothing but geysers is impure any more.
    let impure = nodes.sites().into_iter().filter(|site| {
        site.purity.is_some_and(|purity| purity.factor() < 1.0) && site.kind != NodeKind::Geyser
    });
    assert_eq!(impure.count(), 0);
}

#[test]
fn what_is_found_and_what_is_left_are_all() {
    for (name, save) in saves() {
        let Some(all) = collectibles(&save) else {
            assert!(!is_of_1_0(&save), "{name}");
            continue;
        };
        let mut counts: BTreeMap<FindKind, (usize, usize)> = BTreeMap::new();
        for found in &all.finds {
            let count = counts.entry(found.find.kind).or_default();
            if found.is_found {
                count.0 += 1;
            } else {
                count.1 += 1;
            }
        }
        for (kind, total) in [
            (FindKind::BlueSlug, 596),
            (FindKind::YellowSlug, 389),
            (FindKind::PurpleSlug, 257),
            (FindKind::Somersloop, 106),
            (FindKind::MercerSphere, 298),
            (FindKind::MercerShrine, 298),
            (FindKind::CrashSite, 118),
        ] {
            let (found, left) = counts[&kind];
            assert_eq!(found + left, total, "{name}: {kind:?}");
        }
        assert_eq!(all.loot.len(), 703);
        let counted = census(&save).collectibles;
        let pods = counted
            .iter()
            .find(|kind| kind.name == "drop pods")
            .unwrap();
        assert_eq!(pods.found, counts[&FindKind::CrashSite].0, "{name}");
    }
}

/// What the file still has of slugs and artifacts is what is left, wherever the file has them at all.
#[test]
fn nothing_in_the_file_is_called_found() {
    for (name, save) in saves() {
        let Some(all) = collectibles(&save) else {
            continue;
        };
        let found: BTreeMap<&str, bool> = all
            .finds
            .iter()
            .map(|found| (found.find.name, found.is_found))
            .collect();
        let body = save.body.as_ref().unwrap();
        let decoder = body.decoder();
        let mut unknown = 0;
        for level in body.all_levels() {
            let gone: Vec<String> = [&level.destroyed, &level.destroyed_in_contents]
                .into_iter()
                .flatten()
                .flat_map(|list| list.refs())
                .map(|reference| reference.path.to_string())
                .collect();
            for entry in &level.objects {
                let Ok(header) = decoder.header(body.form(level), entry) else {
                    continue;
                };
                let class = header.class.to_string();
                let is_find = class.contains("BP_Crystal") || class.contains("BP_WAT");
                let path = header.reference.path.to_string();
                if !is_find || gone.contains(&path) {
                    continue;
                }
                match found.get(path.rsplit('.').next().unwrap()) {
                    Some(is_found) => assert!(!is_found, "{name}: {path} is in the file"),
                    None => unknown += 1,
                }
            }
        }
        assert_eq!(unknown, 0, "{name}");
    }
}

#[test]
fn the_nearest_comes_first() {
    let Some(save) = real("Release-032.sav") else {
        return;
    };
    let all = collectibles(&save).unwrap();
    let first = all.finds.iter().find(|found| !found.is_found).unwrap();
    let near = nearest(
        all.finds.iter().filter(|found| !found.is_found),
        first.find.position_cm,
        |found| Some(found.find.position_cm),
        5,
    );
    assert_eq!(near.len(), 5);
    assert_eq!((near[0].0, near[0].1.find.name), (0.0, first.find.name));
    assert!(near.is_sorted_by(|one, other| one.0 <= other.0));
}
