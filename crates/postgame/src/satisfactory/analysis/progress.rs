//! How far a session got, and what the next steps still need against what is in store.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::census::{Census, Place, census};
use super::classes::{full_name, readable};
use super::production::factory::Settings;
use crate::satisfactory::catalogue::{self, Amount, Schematic, schematics::SCHEMATICS};
use crate::satisfactory::codec::model::Save;
use crate::satisfactory::codec::summary::short_class;

/// An item that something costs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Need {
    /// The item's class.
    pub item: &'static str,
    /// The item's name.
    pub name: String,
    /// How many it costs.
    pub cost: f64,
    /// How many were delivered.
    pub delivered: f64,
    /// How many are in containers and in the depot.
    pub stored: f64,
}

impl Need {
    /// How many are neither delivered nor in store.
    pub fn missing(&self) -> f64 {
        (self.cost - self.delivered - self.stored).max(0.0)
    }
}

/// Something to be reached.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Goal {
    /// Its class.
    pub class: &'static str,
    /// Its name.
    pub name: String,
    /// The tier of a milestone.
    pub tier: Option<u8>,
    /// What it costs.
    pub needs: Vec<Need>,
}

/// How many unlocks of a kind were bought, and how many there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Share {
    /// Bought or found.
    pub done: usize,
    /// All of the catalogue.
    pub all: usize,
}

/// How far a session got.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Progress {
    /// The name of the phase of the space elevator that was reached.
    pub phase: Option<String>,
    /// The phase that is being worked for.
    pub next_phase: Option<Goal>,
    /// The milestone that was chosen, if it was not reached yet.
    pub milestone: Option<Goal>,
    /// Milestones that can be chosen now, in order of their tiers.
    pub open_milestones: Vec<Goal>,
    /// By kind: `Milestone`, `MAM`, `Alternate`, `ResourceSink`, `Tutorial`.
    pub unlocks: BTreeMap<&'static str, Share>,
    /// Recipes of machines that can be used.
    pub recipes: Share,
    /// Alternate recipes among them.
    pub alternates: Share,
}

/// How far a save's session got.
pub fn progress(save: &Save) -> Progress {
    let settings = super::production::factory(save).settings;
    progress_of(&census(save), &settings)
}

/// The same from what was counted already.
pub(super) fn progress_of(census: &Census, settings: &Settings) -> Progress {
    let session = &census.session;
    let bought: BTreeSet<&str> = session
        .schematics
        .iter()
        .map(|path| short_class(path))
        .collect();
    let stored = stored(census);
    let next = session.next_phase.as_deref().and_then(catalogue::phase);
    let phase = session.phase.as_deref();
    let last_tier = phase
        .and_then(catalogue::phase)
        .map(|phase| phase.last_tier);
    let milestone = session.milestone.as_deref().map(short_class);
    let milestone = milestone
        .filter(|class| !bought.contains(class))
        .and_then(catalogue::schematic);
    let goal = |schematic: &'static Schematic| {
        let paid = session.paid.get(schematic.class);
        Goal {
            class: schematic.class,
            name: schematic.name.to_owned(),
            tier: schematic.tier,
            needs: needs(schematic.cost, 1.0, paid, &stored),
        }
    };
    let mut open: Vec<&'static Schematic> = SCHEMATICS
        .iter()
        .filter(|schematic| {
            schematic.kind == "Milestone"
                && !bought.contains(schematic.class)
                && schematic.tier <= Some(last_tier.unwrap_or(FIRST_TIERS))
                && schematic
                    .dependencies
                    .iter()
                    .all(|needed| bought.contains(needed))
        })
        .collect();
    open.sort_by_key(|schematic| (schematic.tier, schematic.class));
    let mut unlocks: BTreeMap<&'static str, Share> = BTreeMap::new();
    for schematic in SCHEMATICS {
        let share = unlocks.entry(schematic.kind).or_default();
        share.all += 1;
        share.done += usize::from(bought.contains(schematic.class));
    }
    unlocks.retain(|kind, _| COUNTED.contains(kind));
    let usable: BTreeSet<&str> = session
        .recipes
        .iter()
        .map(|path| short_class(path))
        .collect();
    let (mut recipes, mut alternates) = (Share::default(), Share::default());
    for recipe in catalogue::recipes::RECIPES {
        if recipe.kind != "part" {
            continue;
        }
        let is_usable = usable.contains(recipe.class);
        recipes.all += 1;
        recipes.done += usize::from(is_usable);
        if recipe.is_alternate {
            alternates.all += 1;
            alternates.done += usize::from(is_usable);
        }
    }
    Progress {
        phase: phase.map(readable),
        next_phase: next.map(|next| Goal {
            class: next.class,
            name: next.name.to_owned(),
            tier: None,
            needs: needs(
                next.cost,
                settings.space_parts_cost,
                Some(&session.phase_paid),
                &stored,
            ),
        }),
        milestone: milestone.map(goal),
        open_milestones: open.into_iter().map(goal).collect(),
        unlocks,
        recipes,
        alternates,
    }
}

/// The tiers that are open before the space elevator's first phase.
const FIRST_TIERS: u8 = 2;
/// The kinds of unlock that are worth counting; the others come with these.
const COUNTED: [&str; 5] = ["Alternate", "MAM", "Milestone", "ResourceSink", "Tutorial"];

/// What is in containers and in the depot, by the item's class; fluids in cubic metres.
fn stored(census: &Census) -> BTreeMap<String, f64> {
    const LITRES_PER_M3: f64 = 1000.0;
    let mut stored: BTreeMap<String, f64> = BTreeMap::new();
    for place in [Place::Storage, Place::Depot] {
        for (class, amount) in census.items.in_place(place) {
            let short = short_class(class);
            let is_fluid = catalogue::item(short).is_some_and(catalogue::Item::is_fluid);
            let unit = if is_fluid { LITRES_PER_M3 } else { 1.0 };
            *stored.entry(short.to_owned()).or_default() += amount as f64 / unit;
        }
    }
    stored
}

fn needs(
    cost: &'static [Amount],
    factor: f64,
    paid: Option<&BTreeMap<String, i64>>,
    stored: &BTreeMap<String, f64>,
) -> Vec<Need> {
    let delivered = |item: &str| paid.and_then(|paid| paid.get(item)).copied().unwrap_or(0);
    cost.iter()
        .map(|(item, amount)| Need {
            item,
            name: full_name(item),
            cost: (amount * factor).round(),
            delivered: delivered(item) as f64,
            stored: stored.get(*item).copied().unwrap_or(0.0),
        })
        .collect()
}

/// The groups `progress` and `needs` of the statistics.
pub(super) fn groups(progress: &Progress) -> Vec<crate::stats::Group> {
    use crate::stats::{Group, Number};

    let mut all = Group::new("progress");
    for (name, text) in [
        ("phase", progress.phase.clone()),
        (
            "next_phase",
            progress.next_phase.as_ref().map(|goal| goal.name.clone()),
        ),
        (
            "milestone",
            progress.milestone.as_ref().map(|goal| goal.name.clone()),
        ),
    ] {
        if let Some(text) = text {
            all.values.push((name.into(), Number::Text(text)));
        }
    }
    for (kind, share) in &progress.unlocks {
        all = all
            .count(format!("{kind}, done"), share.done)
            .count(format!("{kind}, all"), share.all);
    }
    // Every session has recipes from its beginning: without any, the file does not say.
    if progress.recipes.done > 0 {
        all = all
            .count("recipes_of_machines, usable", progress.recipes.done)
            .count("recipes_of_machines, all", progress.recipes.all)
            .count("alternate_recipes, usable", progress.alternates.done)
            .count("alternate_recipes, all", progress.alternates.all);
    }
    all = all.count("open_milestones", progress.open_milestones.len());
    let mut needs = Group::new("needs");
    let is_chosen = |goal: &&Goal| {
        let chosen = progress.milestone.as_ref();
        chosen.is_none_or(|chosen| chosen.class != goal.class)
    };
    let open = progress.open_milestones.iter().filter(is_chosen);
    let goals = progress.next_phase.iter().chain(&progress.milestone);
    let goals = goals.chain(open);
    for goal in goals {
        for need in &goal.needs {
            let name = format!("{}, {}", goal.name, need.name);
            needs = needs
                .amount(format!("{name}, cost"), need.cost)
                .amount(format!("{name}, delivered"), need.delivered)
                .amount(format!("{name}, stored"), need.stored)
                .amount(format!("{name}, missing"), need.missing());
        }
    }
    vec![all, needs]
}
