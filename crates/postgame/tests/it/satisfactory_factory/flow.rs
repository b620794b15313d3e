//! Belts and pipes as a graph, against what the game itself says of them.

use std::collections::{BTreeMap, HashMap};

use postgame::satisfactory::flow::{LineKind, areas, graph, route};
use postgame::satisfactory::model::Tail;
use postgame::satisfactory::production::{balance, factory};

use super::{has_known_saves, saves};

#[test]
fn connections_are_mutual() {
    let mut connected = 0;
    for (name, save) in saves() {
        let graph = graph(&save);
        connected += graph.connected;
        assert_eq!(graph.dangling, 0, "{name}");
        // The one in 26,931 of the notes' saves is a hypertube, which is in no line.
        assert_eq!(graph.one_sided, 0, "{name}");
    }
    assert!(!has_known_saves() || connected > 26_000, "{connected}");
}

/// From 1.0 on the game keeps belts in a row as a chain: our lines are those, belt by belt in the same order.
#[test]
fn lines_of_belts_are_the_games_chains() {
    let mut compared = 0;
    for (name, save) in saves() {
        let mut chains: HashMap<String, Vec<String>> = HashMap::new();
        let body = save.body.as_ref().unwrap();
        body.visit(|_, object, _| {
            if let Some(Tail::Chain(chain)) = object.tail() {
                let belts = chain.segments.iter().map(|one| one.belt.path.to_string());
                chains.insert(object.header.reference.path.to_string(), belts.collect());
            }
            Ok(())
        })
        .unwrap();
        for line in graph(&save).lines {
            if line.kind != LineKind::Belt || line.chains.is_empty() {
                continue;
            }
            let [chain] = line.chains.as_slice() else {
                panic!("{name}: a line of {} chains", line.chains.len());
            };
            // The game counts from the end to which things move, or from the beginning.
            let Some(belts) = chains.get(chain) else {
                continue;
            };
            let mut backwards = belts.clone();
            backwards.reverse();
            assert!(
                line.pieces == *belts || line.pieces == backwards,
                "{name}: {chain}"
            );
            compared += 1;
        }
    }
    assert!(!has_known_saves() || compared > 3000, "{compared}");
}

#[test]
fn areas_add_up_to_the_whole() {
    for (name, save) in saves() {
        let factory = factory(&save);
        let areas = areas(&factory, &graph(&save));
        assert_eq!(areas.len(), factory.machines.len());
        let whole = balance(&factory.machines, &factory);
        let mut by_area: BTreeMap<usize, Vec<_>> = BTreeMap::new();
        for (machine, area) in factory.machines.iter().zip(&areas) {
            by_area.entry(*area).or_default().push(machine);
        }
        let mut sum = postgame::satisfactory::production::Balance::default();
        for machines in by_area.into_values() {
            sum.merge(&balance(machines, &factory));
        }
        assert_eq!(sum.machines, whole.machines, "{name}");
        assert!(sum.items.keys().eq(whole.items.keys()), "{name}");
        for (item, balance) in &whole.items {
            let apart = balance.all_per_min() - sum.items[item].all_per_min();
            assert!(apart.abs() < 1e-6, "{name}: {item}");
            let apart = balance.running_per_min() - sum.items[item].running_per_min();
            assert!(apart.abs() < 1e-6, "{name}: {item}");
        }
    }
}

/// The way to an item begins with machines that make it and goes back to extractors, by links whose items fit.
#[test]
fn routes_lead_back_to_the_ground() {
    for (name, save) in saves() {
        if name != "Dunarr-027.sav" {
            continue;
        }
        let factory = factory(&save);
        let graph = graph(&save);
        let route = route(&factory, &graph, "Desc_IronPlateReinforced_C");
        assert!(!route.steps.is_empty());
        let classes: Vec<&str> = route
            .steps
            .iter()
            .map(|step| factory.machines[step.machine].short_class())
            .collect();
        assert_eq!(classes[0], "Build_AssemblerMk1_C");
        assert!(
            classes.iter().any(|class| class.starts_with("Build_Miner")),
            "{classes:?}"
        );
        for link in &route.links {
            let to = &factory.machines[link.to_machine];
            let recipe = to.known_recipe();
            let uses = recipe.is_none_or(|recipe| {
                recipe
                    .ingredients
                    .iter()
                    .any(|(item, _)| *item == link.item)
            });
            assert!(uses, "{} does not use {}", to.path, link.item);
        }
    }
}
