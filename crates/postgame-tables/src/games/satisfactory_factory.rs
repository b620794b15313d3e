//! What a Satisfactory factory makes and uses: every machine, and the balance of every item.

use std::collections::BTreeMap;

use arrow::error::ArrowError;
use postgame::satisfactory::catalogue;
use postgame::satisfactory::classes::full_name;
use postgame::satisfactory::flow;
use postgame::satisfactory::production::{
    Balance, Factory, Machine, balance, factory, factory_of_blueprint, power, rates,
};
use postgame::{Depth, Recording};

use super::satisfactory::{GAME, play_time_s, short};
use crate::source::Source;
use crate::table::{TableOptions, table};

table! {
    /// One row for every machine: what makes things, takes them out of the ground, makes power, or takes power.
    pub Machines = "machines" of GAME, at Depth::Full, by fill_machines in machines {
        /// The recording.
        recording_id: Name,
        /// The play time at which the game was saved; null for a blueprint.
        time_s: F64,
        /// The machine's number among the machines, from 0.
        machine: U32,
        /// The machine's path.
        path: Text,
        /// Its class, without the path.
        class: Name,
        /// Its name in the game.
        name: Name,
        /// What it is for: `manufacturer`, `extractor`, `pressurizer`, `generator`, `consumer`.
        kind: Name,
        /// What it is doing: `running`, `paused`, `no_recipe`, `unconnected`, `unpowered`, `starved`, `blocked`, `idle`.
        activity: Name,
        /// The class of its recipe.
        recipe: Name,
        /// The recipe's name in the game.
        recipe_name: Name,
        /// The clock; 1 is the usual one.
        clock: F64,
        /// How many times the usual amount it makes.
        boost: F64,
        /// The share of the last minutes in which it worked, as the game measures it.
        productivity: F64,
        /// The name of the node or well that it stands on.
        node: Name,
        /// How much the node gives: `impure`, `normal`, `pure`.
        purity: Name,
        /// The class of the fuel it burns.
        fuel: Name,
        /// The class of the first item it makes.
        makes: Name,
        /// How many of it a minute while it works: pieces or cubic metres.
        makes_per_min: F64,
        /// What it takes while it works, by its rating, in megawatts.
        rated_mw: F64,
        /// What it asks for, as the save has it, in megawatts.
        recorded_mw: F64,
        /// What it makes while it works, by its rating, in megawatts.
        generates_mw: F64,
        /// The number of its circuit.
        circuit: I64,
        /// The number of its area: machines that belts and pipes join.
        area: U32,
        /// Where it is.
        x_cm: F64,
        /// Where it is.
        y_cm: F64,
        /// Where it is, up.
        z_cm: F64,
    }
}

table! {
    /// One row for every item that is made or used, in the whole factory, in every circuit and in every area.
    pub Production = "production" of GAME, at Depth::Full, by fill_production in production {
        /// The recording.
        recording_id: Name,
        /// The play time at which the game was saved; null for a blueprint.
        time_s: F64,
        /// Of what: `whole`, `circuit`, `area`.
        scope: Name,
        /// The number of the circuit or area; null for the whole.
        number: I64,
        /// The item's class.
        item: Name,
        /// The item's name in the game.
        item_name: Name,
        /// Whether it is counted in cubic metres.
        is_fluid: Flag,
        /// Made by machines that run.
        made_per_min: F64,
        /// Used by machines that run.
        used_per_min: F64,
        /// Made less used, by machines that run.
        balance_per_min: F64,
        /// What machines that stand would make.
        standing_made_per_min: F64,
        /// What machines that stand would use.
        standing_used_per_min: F64,
        /// Made less used if all machines ran.
        balance_if_all_run_per_min: F64,
        /// Points that the sink gives for what is left over, a minute.
        sink_points_per_min: F64,
    }
}

/// The machines of a recording.
pub(super) fn machines_of(source: &Source) -> Option<Factory> {
    match &source.recording {
        Recording::Satisfactory(save) => Some(factory(save)),
        Recording::SatisfactoryBlueprint(blueprint) => Some(factory_of_blueprint(blueprint)),
        _ => None,
    }
}

/// The lines of a recording.
pub(super) fn graph_of(source: &Source) -> Option<flow::Graph> {
    match &source.recording {
        Recording::Satisfactory(save) => Some(flow::graph(save)),
        Recording::SatisfactoryBlueprint(blueprint) => Some(flow::graph_of_blueprint(blueprint)),
        _ => None,
    }
}

fn areas_of(source: &Source, factory: &Factory) -> Vec<usize> {
    let graph = graph_of(source).unwrap_or_default();
    flow::areas(factory, &graph)
}

fn fill_machines(
    source: &Source,
    _: &TableOptions,
    rows: &mut machines::Rows<'_>,
) -> Result<(), ArrowError> {
    let Some(factory) = machines_of(source) else {
        return Ok(());
    };
    let time_s = play_time_s(source);
    let areas = match rows.columns.area {
        Some(_) => areas_of(source, &factory),
        None => Vec::new(),
    };
    for (index, machine) in factory.machines.iter().enumerate() {
        let recipe_name = machine.recipe.as_deref().map(full_name);
        let made = rates::rates(machine, &factory).and_then(|rates| rates.made.first().copied());
        let demand = power::demand(machine, &factory);
        let [x_cm, y_cm, z_cm] = machine.position_cm.map_or([None; 3], |at| at.map(Some));
        rows.push(machines::Row {
            recording_id: Some(&source.id),
            time_s,
            machine: u32::try_from(index).ok(),
            path: Some(&machine.path),
            class: Some(machine.short_class()),
            name: Some(&full_name(&machine.class)),
            kind: Some(machine.kind.name()),
            activity: Some(machine.activity.name()),
            recipe: machine.recipe.as_deref().map(short),
            recipe_name: recipe_name.as_deref(),
            clock: Some(machine.clock),
            boost: Some(machine.boost),
            productivity: machine.productivity,
            node: machine.source.as_deref(),
            purity: rates::purity(machine, &factory).map(|purity| purity.name()),
            fuel: machine.fuel.as_deref().map(short),
            makes: made.map(|(item, _)| item),
            makes_per_min: made.map(|(_, per_min)| per_min),
            rated_mw: demand.map(|demand| demand.mean_mw),
            recorded_mw: machine.recorded_mw,
            generates_mw: power::generation_mw(machine, &factory),
            circuit: machine.circuit,
            area: areas.get(index).and_then(|area| u32::try_from(*area).ok()),
            x_cm,
            y_cm,
            z_cm,
        })?;
    }
    Ok(())
}

fn fill_production(
    source: &Source,
    _: &TableOptions,
    rows: &mut production::Rows<'_>,
) -> Result<(), ArrowError> {
    let Some(factory) = machines_of(source) else {
        return Ok(());
    };
    push(
        source,
        "whole",
        None,
        &balance(&factory.machines, &factory),
        rows,
    )?;
    for (circuit, machines) in factory.circuits() {
        push(
            source,
            "circuit",
            Some(circuit),
            &balance(machines, &factory),
            rows,
        )?;
    }
    let mut areas: BTreeMap<usize, Vec<&Machine>> = BTreeMap::new();
    for (machine, area) in factory.machines.iter().zip(areas_of(source, &factory)) {
        areas.entry(area).or_default().push(machine);
    }
    for (area, machines) in areas {
        let number = i64::try_from(area).ok();
        push(source, "area", number, &balance(machines, &factory), rows)?;
    }
    Ok(())
}

fn push(
    source: &Source,
    scope: &str,
    number: Option<i64>,
    balance: &Balance,
    rows: &mut production::Rows<'_>,
) -> Result<(), ArrowError> {
    let time_s = play_time_s(source);
    for (class, item) in &balance.items {
        let known = catalogue::item(class);
        let is_fluid = known.is_some_and(catalogue::Item::is_fluid);
        let points = known
            .and_then(|item| item.sink_points)
            .filter(|_| !is_fluid);
        rows.push(production::Row {
            recording_id: Some(&source.id),
            time_s,
            scope: Some(scope),
            number,
            item: Some(class),
            item_name: known.map(|item| item.name),
            is_fluid: Some(is_fluid),
            made_per_min: Some(item.made_per_min),
            used_per_min: Some(item.used_per_min),
            balance_per_min: Some(item.running_per_min()),
            standing_made_per_min: Some(item.standing_made_per_min),
            standing_used_per_min: Some(item.standing_used_per_min),
            balance_if_all_run_per_min: Some(item.all_per_min()),
            sink_points_per_min: points.map(|points| points * item.running_per_min().max(0.0)),
        })?;
    }
    Ok(())
}
