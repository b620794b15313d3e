//! What planners need of a save: recipes that can be used, nodes that are free or taken, and what is made now.
//!
//! The sites for planning have no common format. This is ours, described in `docs/formats/satisfactory.md`.

use std::collections::BTreeMap;

use serde::Serialize;

use super::census::Session;
use super::census::census;
use super::production::{Balance, balance, factory, rates};
use crate::satisfactory::catalogue::{self, NodeKind, Purity};
use crate::satisfactory::codec::model::Save;
use crate::satisfactory::codec::summary::short_class;

/// The version of the format.
const VERSION: u32 = 1;

/// A save for planners.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plan {
    /// The name of the format: `postgame-plan`.
    pub format: &'static str,
    /// Its version.
    pub version: u32,
    /// The session's name.
    pub session: Option<String>,
    /// The game's version.
    pub game_version: String,
    /// Factors of the game's settings; 1 is the usual game.
    pub settings: Settings,
    /// Classes of the recipes of machines that can be used.
    pub recipes: Vec<&'static str>,
    /// Alternate recipes among them.
    pub alternate_recipes: Vec<&'static str>,
    /// Nodes by resource, kind and purity.
    pub nodes: Vec<NodeCount>,
    /// What is made and used now, by the item's class.
    pub production: BTreeMap<&'static str, Rate>,
    /// How many machines there are of each class and recipe.
    pub machines: Vec<MachineCount>,
}

/// Factors of the game's settings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Settings {
    /// Of recipes' ingredients.
    pub parts_cost: f64,
    /// Of power taken.
    pub energy_cost: f64,
    /// Of what the space elevator asks for.
    pub space_parts_cost: f64,
}

/// Nodes of one resource, kind and purity.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NodeCount {
    /// The item's class.
    pub resource: &'static str,
    /// What they are.
    pub kind: NodeKind,
    /// How much they give.
    pub purity: Purity,
    /// How many there are.
    pub all: usize,
    /// How many have no machine.
    pub free: usize,
}

/// What is made and used of an item a minute: pieces or cubic metres.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rate {
    /// Made by machines that run.
    pub made_per_min: f64,
    /// Used by machines that run.
    pub used_per_min: f64,
    /// Made less used if all machines ran.
    pub balance_if_all_run_per_min: f64,
}

/// Machines of one class and recipe.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MachineCount {
    /// The class.
    pub class: String,
    /// The recipe's class.
    pub recipe: Option<String>,
    /// How many.
    pub count: usize,
    /// The sum of their clocks; 1 for each at the usual one.
    pub clock_sum: f64,
}

/// A save for planners.
pub fn plan(save: &Save) -> Plan {
    let factory = factory(save);
    let session: Session = census(save).session;
    let mut recipes: Vec<&'static catalogue::Recipe> = session
        .recipes
        .iter()
        .filter_map(|path| catalogue::recipe(short_class(path)))
        .filter(|recipe| recipe.kind == "part")
        .collect();
    recipes.sort_by_key(|recipe| recipe.class);
    recipes.dedup_by_key(|recipe| recipe.class);
    let mut nodes: BTreeMap<(&'static str, NodeKind, Purity), (usize, usize)> = BTreeMap::new();
    for site in factory.nodes().sites() {
        if let (Some(resource), Some(purity)) = (site.resource, site.purity) {
            let count = nodes.entry((resource, site.kind, purity)).or_default();
            count.0 += 1;
            count.1 += usize::from(site.taken_by.is_none());
        }
    }
    let mut machines: BTreeMap<(String, Option<String>), (usize, f64)> = BTreeMap::new();
    for machine in &factory.machines {
        let makes = rates::rates(machine, &factory).is_some_and(|rates| !rates.made.is_empty());
        if makes {
            let recipe = machine.recipe.as_deref().map(short_class);
            let key = (machine.short_class().to_owned(), recipe.map(str::to_owned));
            let count = machines.entry(key).or_default();
            count.0 += 1;
            count.1 += machine.clock;
        }
    }
    let Balance { items, .. } = balance(&factory.machines, &factory);
    Plan {
        format: "postgame-plan",
        version: VERSION,
        session: session.name,
        game_version: session.version,
        settings: Settings {
            parts_cost: factory.settings.parts_cost,
            energy_cost: factory.settings.energy_cost,
            space_parts_cost: factory.settings.space_parts_cost,
        },
        alternate_recipes: recipes
            .iter()
            .filter(|recipe| recipe.is_alternate)
            .map(|recipe| recipe.class)
            .collect(),
        recipes: recipes.iter().map(|recipe| recipe.class).collect(),
        nodes: nodes
            .into_iter()
            .map(|((resource, kind, purity), (all, free))| NodeCount {
                resource,
                kind,
                purity,
                all,
                free,
            })
            .collect(),
        production: items
            .into_iter()
            .map(|(item, balance)| {
                let rate = Rate {
                    made_per_min: balance.made_per_min,
                    used_per_min: balance.used_per_min,
                    balance_if_all_run_per_min: balance.all_per_min(),
                };
                (item, rate)
            })
            .collect(),
        machines: machines
            .into_iter()
            .map(|((class, recipe), (count, clock_sum))| MachineCount {
                class,
                recipe,
                count,
                clock_sum,
            })
            .collect(),
    }
}
