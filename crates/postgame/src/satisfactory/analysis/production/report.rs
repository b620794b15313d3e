//! Production and power as groups of statistics.

use std::collections::BTreeMap;

use super::balance::balance;
use super::factory::Factory;
use super::machine::{Activity, Machine, MachineKind};
use super::rates::{purity, rates};
use super::supply;
use crate::satisfactory::analysis::classes::{full_name, is_fluid};
use crate::stats::{Group, Number};

/// Amounts a minute below this are rounding errors of sums.
const NOTHING_PER_MIN: f64 = 1e-6;
/// How many areas are shown, the largest first.
const MAX_AREAS: usize = 10;
/// How many items of an area are shown.
const MAX_ITEMS: usize = 3;
/// How many kinds of building are shown as the biggest users of power.
const MAX_USERS: usize = 10;

/// An item's name with the unit of its rates, if that is not pieces.
fn name(class: &str) -> String {
    if is_fluid(class) {
        format!("{}, m3", full_name(class))
    } else {
        full_name(class)
    }
}

/// The groups `production`, `outlook`, `extraction`, `generators`, `areas`, `machine_activity`, `power_by_rating`,
/// `circuits_by_rating` and `circuit_users`. `areas` is the area of each machine.
pub fn groups(factory: &Factory, areas: &[usize]) -> Vec<Group> {
    let machines = factory.machines.iter();
    let workers: Vec<_> = machines
        .filter(|machine| machine.kind != MachineKind::Consumer)
        .collect();
    if workers.is_empty() {
        return Vec::new();
    }
    let all = balance(&factory.machines, factory);
    let mut production = Group::new("production");
    let mut items: Vec<_> = all
        .items
        .iter()
        .map(|(class, item)| (name(class), item))
        .collect();
    items.sort_unstable_by(|one, other| one.0.cmp(&other.0));
    for (name, item) in &items {
        production = production
            .amount(format!("{name}, made_per_min"), item.made_per_min)
            .amount(format!("{name}, used_per_min"), item.used_per_min)
            .amount(format!("{name}, balance_per_min"), item.running_per_min())
            .amount(
                format!("{name}, balance_if_all_run_per_min"),
                item.all_per_min(),
            );
    }
    let mut outlook = Group::new("outlook");
    for (name, item) in &items {
        if item.all_per_min() < -NOTHING_PER_MIN {
            outlook = outlook.amount(format!("runs short, {name}, per_min"), -item.all_per_min());
        }
    }
    for (name, item) in &items {
        if item.running_per_min() > NOTHING_PER_MIN {
            outlook = outlook.amount(format!("piles up, {name}, per_min"), item.running_per_min());
        }
    }
    outlook = outlook
        .amount("sink_points_per_min", all.sink_points_per_min())
        .count("machines_of_unknown_rate", all.unknown);
    let mut activities: BTreeMap<Activity, usize> = BTreeMap::new();
    for machine in &workers {
        *activities.entry(machine.activity).or_default() += 1;
    }
    let activity = activities.iter().fold(
        Group::new("machine_activity"),
        |group, (activity, count)| group.count(activity.name(), *count),
    );
    let mut groups = vec![
        production,
        outlook,
        extraction(factory),
        supply::generator_group(factory),
        area_group(factory, areas),
        activity,
        users(factory),
    ];
    groups.extend(supply::circuit_groups(factory));
    groups
}

/// The largest areas: how many machines each has, and what is left over and what is wanted of it.
fn area_group(factory: &Factory, areas: &[usize]) -> Group {
    let mut by_area: BTreeMap<usize, Vec<&Machine>> = BTreeMap::new();
    for (machine, area) in factory.machines.iter().zip(areas) {
        if machine.kind != MachineKind::Consumer {
            by_area.entry(*area).or_default().push(machine);
        }
    }
    let mut group = Group::new("areas").count("all", by_area.len());
    let mut largest: Vec<(usize, Vec<&Machine>)> = by_area.into_iter().collect();
    largest.sort_by_key(|(area, machines)| (usize::MAX - machines.len(), *area));
    // A machine alone is a machine, not an area worth a line.
    let largest = largest
        .into_iter()
        .filter(|(_, machines)| machines.len() > 1);
    for (area, machines) in largest.take(MAX_AREAS) {
        let balance = balance(machines, factory);
        let shown = |wanted: fn(f64) -> bool| {
            let mut items: Vec<(String, f64)> = balance
                .items
                .iter()
                .map(|(class, item)| (name(class), item.running_per_min()))
                .filter(|(_, per_min)| wanted(*per_min))
                .collect();
            items.sort_by(|one, other| other.1.abs().total_cmp(&one.1.abs()));
            let items = items.iter().take(MAX_ITEMS);
            let items: Vec<String> = items
                .map(|(name, per_min)| format!("{name} {:.1}", per_min.abs()))
                .collect();
            items.join("; ")
        };
        group = group
            .count(format!("area {area}, machines"), balance.machines)
            .count(format!("area {area}, running"), balance.running)
            .amount(format!("area {area}, taken_mw"), balance.power.rated_mw);
        let out = shown(|per_min| per_min > NOTHING_PER_MIN);
        let wanted = shown(|per_min| per_min < -NOTHING_PER_MIN);
        for (what, items) in [("gives a minute", out), ("takes a minute", wanted)] {
            if !items.is_empty() {
                let value = Number::Text(items);
                group
                    .values
                    .push((format!("area {area}, {what}").into(), value));
            }
        }
    }
    group
}

/// What extractors that run take out, by resource and purity.
fn extraction(factory: &Factory) -> Group {
    let mut sums: BTreeMap<String, (usize, f64)> = BTreeMap::new();
    for machine in &factory.machines {
        if machine.kind != MachineKind::Extractor {
            continue;
        }
        let Some(rates) = rates(machine, factory) else {
            continue;
        };
        let purity = purity(machine, factory).map_or("no purity", |purity| purity.name());
        for (item, per_min) in &rates.made {
            let sum = sums.entry(format!("{}, {purity}", name(item))).or_default();
            sum.0 += 1;
            if machine.activity == Activity::Running {
                sum.1 += per_min;
            }
        }
    }
    sums.into_iter().fold(
        Group::new("extraction"),
        |group, (name, (count, per_min))| {
            group
                .count(format!("{name}, extractors"), count)
                .amount(format!("{name}, per_min"), per_min)
        },
    )
}

/// Power by ratings, and the kinds of building that take most.
fn users(factory: &Factory) -> Group {
    let all = balance(&factory.machines, factory).power;
    let mut group = Group::new("power_by_rating")
        .amount("taken_mw", all.rated_mw)
        .amount("taken_if_all_run_mw", all.rated_all_mw)
        .amount("generated_mw", all.generated_mw)
        .amount("generated_if_all_run_mw", all.generated_all_mw);
    let users = supply::users(&factory.machines, factory);
    for (name, taken_mw) in users.into_iter().take(MAX_USERS) {
        group = group.amount(format!("{name}, mw"), taken_mw);
    }
    group
}
