//! The world of a save beyond what stands in it: resource nodes, heights of the land, what machines do, and what is
//! stored where.

use std::collections::BTreeMap;

use postgame::Recording;
use postgame::satisfactory::analysis::production::rates::rates;
use postgame::satisfactory::analysis::production::{
    Factory, Machine, MachineKind, factory, factory_of_blueprint, power,
};
use postgame::satisfactory::analysis::{Census, census, census_of_blueprint, classes, nodes};
use postgame::satisfactory::catalogue::{Amount, finds, nodes::NODES};
use postgame::satisfactory::coords;
use serde_json::{Value, json};

use crate::pack::Pack;

/// The game's usual map, whose land the catalogue knows points of.
const MAP: &str = "Persistent_Level";
/// Inventories keep fluids in thousandths of a cubic metre.
const LITRES_PER_M3: f64 = 1000.0;

/// Nodes by resource and purity, and points of the land.
pub fn world(recording: &Recording) -> Vec<u8> {
    let mut pack = Pack::default();
    let (factory, is_usual) = match recording {
        Recording::Satisfactory(save) => (factory(save), save.header.map_name.to_str() == MAP),
        _ => (Factory::default(), false),
    };
    let nodes: Vec<Value> = factory.nodes().sites().iter().filter_map(site).collect();
    let ground = if is_usual { ground() } else { Vec::new() };
    let ground = pack.f32s(ground.into_iter().flatten());
    pack.finish(&json!({ "nodes": nodes, "ground": ground }))
}

/// Machines with their rates, and every inventory with its owner.
pub fn holdings(recording: &Recording) -> Value {
    let (factory, census) = match recording {
        Recording::Satisfactory(save) => (factory(save), census(save)),
        Recording::SatisfactoryBlueprint(blueprint) => (
            factory_of_blueprint(blueprint),
            census_of_blueprint(blueprint),
        ),
        _ => (Factory::default(), Census::default()),
    };
    let machines: Vec<Value> = factory
        .machines
        .iter()
        .filter(|machine| machine.kind != MachineKind::Consumer)
        .map(|machine| working(machine, &factory))
        .collect();
    json!({ "machines": machines, "stored": stored(&census) })
}

fn site(site: &nodes::Site<'_>) -> Option<Value> {
    Some(json!({
        "kind": site.kind.name(),
        "resource": site.resource.map(classes::readable),
        "purity": site.purity.map(|purity| purity.name()),
        "is_taken": site.taken_by.is_some(),
        "position": coords::position(site.position_cm?),
    }))
}

/// A machine by its name in its level: what it does, and what it makes, uses and takes a minute while it works.
fn working(machine: &Machine, factory: &Factory) -> Value {
    let named = |amounts: Vec<Amount>| -> Vec<Value> {
        let amounts = amounts.into_iter();
        amounts
            .map(|(class, per_min)| json!([classes::readable(class), per_min, unit(class)]))
            .collect()
    };
    let rates = rates(machine, factory);
    json!({
        "name": name_of(&machine.path),
        "recipe": machine.recipe.as_deref().map(classes::full_name),
        "activity": machine.activity.name(),
        "clock": machine.clock,
        "productivity": machine.productivity,
        "made": rates.as_ref().map(|rates| named(rates.made.clone())),
        "used": rates.map(|rates| named(rates.used)),
        "takes_mw": power::demand(machine, factory).map(|demand| demand.mean_mw),
        "generates_mw": power::generation_mw(machine, factory),
    })
}

/// The name in its level of what a path leads to.
fn name_of(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

fn unit(class: &str) -> &'static str {
    if classes::is_fluid(class) { "m³" } else { "" }
}

/// Places that are known to be on the ground, in metres: nodes, and what lies about to be found.
fn ground() -> Vec<[f32; 3]> {
    let nodes = NODES.iter().map(|node| node.position_cm);
    let finds = finds::FINDS.iter().map(|find| find.position_cm);
    let loot = finds::LOOT.iter().map(|loot| loot.position_cm);
    let all = nodes.chain(finds).chain(loot);
    all.map(coords::position).collect()
}

/// What everything holds: the owner's name in its level, where that is, and items with amounts, fluids in m³.
fn stored(census: &Census) -> Vec<Value> {
    let inventories = census.items.inventories.iter();
    let places: BTreeMap<&str, &str> = inventories
        .map(|inventory| (inventory.owner.as_str(), inventory.place.name()))
        .collect();
    let owners = census.items.by_owner().into_iter();
    owners
        .map(|(owner, items)| {
            let items: Vec<Value> = items
                .into_iter()
                .map(|(class, amount)| {
                    let part = if classes::is_fluid(class) {
                        LITRES_PER_M3
                    } else {
                        1.0
                    };
                    json!([classes::full_name(class), amount as f64 / part, unit(class)])
                })
                .collect();
            json!({ "owner": name_of(owner), "place": places.get(owner), "items": items })
        })
        .collect()
}
