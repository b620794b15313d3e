//! What a machine takes and makes in megawatts.
//!
//! Notes, section 1: power taken is the rated power by clock^exponent and boost², with the exponent of the class; power
//! made is linear in the clock. The catalogue is of game 1.2; before Update 7 the exponent was 1.6 for every class, and what
//! else was rated differently is in `data/satisfactory/old_ratings.tsv`.

use super::factory::Factory;
use super::machine::{Machine, MachineKind};
use super::rates;
use crate::satisfactory::catalogue;

/// What a machine takes while it waits, in megawatts.
pub const IDLE_MW: f64 = 0.1;
/// The first save version of Update 7, which brought today's exponents.
pub const EXPONENTS_SINCE: i32 = 31;
/// The exponent of every class before.
const OLD_EXPONENT: f64 = 1.6;

/// Power that a machine takes while it works.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Demand {
    /// The mean, in megawatts.
    pub mean_mw: f64,
    /// The least within a cycle, in megawatts.
    pub min_mw: f64,
    /// The most within a cycle, in megawatts.
    pub max_mw: f64,
}

/// What a machine takes while it works; `None` if its rated power is not known.
pub fn demand(machine: &Machine, factory: &Factory) -> Option<Demand> {
    let building = machine.building()?;
    let recipe = machine.known_recipe();
    let variable = recipe.and_then(|recipe| recipe.variable_mw);
    let old = catalogue::old_rating(building.class, factory.save_version);
    let power_mw = old.and_then(|old| old.power_mw).or(building.power_mw);
    let (least, most) = match (power_mw, variable) {
        (_, Some((constant, factor))) => (constant, constant + factor),
        (Some(power_mw), None) => (power_mw, power_mw),
        (None, None) => return None,
    };
    let exponent = if factory.save_version < EXPONENTS_SINCE {
        OLD_EXPONENT
    } else {
        building.power_exponent.unwrap_or(1.0)
    };
    let factor =
        machine.clock.powf(exponent) * machine.boost.powi(2) * factory.settings.energy_cost;
    Some(Demand {
        mean_mw: (least + most) / 2.0 * factor,
        min_mw: least * factor,
        max_mw: most * factor,
    })
}

/// What a generator makes at clock 1, in the game that wrote the save.
pub(super) fn rated_generation_mw(machine: &Machine, factory: &Factory) -> Option<f64> {
    let building = machine.building()?;
    let old = catalogue::old_rating(building.class, factory.save_version);
    old.and_then(|old| old.generates_mw)
        .or(building.generates_mw)
}

/// What a generator makes while it works, on average; `None` for what is none, or not known.
pub fn generation_mw(machine: &Machine, factory: &Factory) -> Option<f64> {
    if machine.kind != MachineKind::Generator {
        return None;
    }
    let rated_mw = rated_generation_mw(machine, factory)?;
    match machine.short_class() {
        "Build_GeneratorGeoThermal_C" => Some(rated_mw * rates::purity(machine, factory)?.factor()),
        _ => Some(rated_mw * machine.clock),
    }
}
