//! What a machine makes and uses a minute, at its clock and boost.
//!
//! Notes, section 1: products by clock and boost, ingredients by clock alone; extraction by purity and clock, that of a
//! resource well by the clock of its pressurizer.

use super::factory::Factory;
use super::machine::{Machine, MachineKind};
use super::power;
use crate::satisfactory::catalogue::{self, Amount, Purity};
use crate::satisfactory::codec::summary::short_class;

/// Seconds in a minute.
const S_PER_MIN: f64 = 60.0;
/// Litres in a cubic metre; the smallest amount of a fluid.
const LITRES_PER_M3: f64 = 1000.0;
/// The water extractor's product.
const WATER: &str = "Desc_Water_C";

/// What a machine makes and uses a minute while it works: pieces, or cubic metres of a fluid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rates {
    /// What it makes, by the item's class.
    pub made: Vec<Amount>,
    /// What it uses, by the item's class.
    pub used: Vec<Amount>,
}

/// What a machine makes and uses a minute while it works; `None` if that is not known, such as for a mod's recipe.
pub fn rates(machine: &Machine, factory: &Factory) -> Option<Rates> {
    match machine.kind {
        MachineKind::Manufacturer => of_recipe(machine, factory),
        MachineKind::Extractor => extraction(machine, factory),
        MachineKind::Generator => of_fuel(machine, factory),
        MachineKind::Pressurizer | MachineKind::Consumer => Some(Rates::default()),
    }
}

fn of_recipe(machine: &Machine, factory: &Factory) -> Option<Rates> {
    if machine.recipe.is_none() {
        return Some(Rates::default());
    }
    let recipe = machine.known_recipe()?;
    let cycles_per_min = S_PER_MIN / recipe.duration_s? * machine.clock;
    let made = recipe.products.iter().map(|(item, amount)| {
        // The products of a cycle are whole: pieces, or litres.
        let whole = match catalogue::item(item) {
            Some(known) if known.is_fluid() => {
                (amount * machine.boost * LITRES_PER_M3).round() / LITRES_PER_M3
            }
            _ => (amount * machine.boost).round(),
        };
        (*item, whole * cycles_per_min)
    });
    let factor = factory.settings.parts_cost;
    let used = recipe.ingredients.iter();
    let used = used.map(|(item, amount)| (*item, amount * factor * cycles_per_min));
    Some(Rates {
        made: made.collect(),
        used: used.collect(),
    })
}

fn extraction(machine: &Machine, factory: &Factory) -> Option<Rates> {
    let per_min = machine.building()?.extraction_per_min?;
    let (item, factor) = if machine.short_class() == "Build_WaterPump_C" {
        (WATER, machine.clock)
    } else {
        let node = factory.node(machine.source.as_deref()?)?;
        let clock = match node.core {
            Some(core) => factory.pressurizer_of(core)?.clock,
            None => machine.clock,
        };
        (node.resource?, node.purity?.factor() * clock)
    };
    Some(Rates {
        made: vec![(item, per_min * factor)],
        used: Vec::new(),
    })
}

/// Generators burn at their clock whatever is drawn, except the biomass burner, for which this is what it burns at most.
fn of_fuel(machine: &Machine, factory: &Factory) -> Option<Rates> {
    let building = machine.building()?;
    let Some(fuel) = &machine.fuel else {
        return Some(Rates::default());
    };
    let fuel = short_class(fuel);
    let burnt = building.fuels.iter().find(|burnt| burnt.fuel.0 == fuel)?;
    // Fuel follows the power, which was rated differently in older games.
    let rated_mw = power::rated_generation_mw(machine, factory);
    let change = match (rated_mw, building.generates_mw) {
        (Some(rated_mw), Some(today_mw)) if today_mw > 0.0 => rated_mw / today_mw,
        _ => 1.0,
    };
    let factor = machine.clock * change;
    let scaled = |(item, per_min): Amount| (item, per_min * factor);
    Some(Rates {
        made: burnt.waste.map(scaled).into_iter().collect(),
        used: std::iter::once(burnt.fuel)
            .chain(burnt.supplement)
            .map(scaled)
            .collect(),
    })
}

/// The purity of what a machine stands on.
pub fn purity(machine: &Machine, factory: &Factory) -> Option<Purity> {
    factory.node(machine.source.as_deref()?)?.purity
}
